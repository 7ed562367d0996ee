import type { HistoryEntry } from "../lifecycle/advance.ts";
import type { RoleName } from "../lifecycle/role.ts";
import type { MachineRecord } from "../lifecycle/snapshot.ts";

/** What is to be told of a role's context file. */
export interface ContextFacts {
  readonly health: "valid" | "invalid" | "missing" | "unreadable";
  readonly path: string;
  readonly errors: number;
  readonly changedSinceSave: boolean;
  /** Null where there is no file. */
  readonly bytes: number | null;
}

/** A compaction as a transcript tells it, its time in milliseconds since the epoch. */
export interface MarkFacts {
  readonly at: number;
  readonly sessionId: string;
  readonly trigger: string | null;
  readonly preTokens: number | null;
  readonly postTokens: number | null;
}

export interface RoleFacts {
  readonly role: RoleName;
  /** Null where the role has no machine, or one that cannot be read. */
  readonly record: MachineRecord | null;
  /** Why the machine or its history cannot be read. */
  readonly problem: string | null;
  readonly history: readonly HistoryEntry[];
  /** Lines of the history that could not be read. */
  readonly broken: number;
  readonly context: ContextFacts;
  readonly marks: readonly MarkFacts[];
}

/** All that a report is made from; times in milliseconds since the epoch. */
export interface ReportFacts {
  /** The project's folder, its name alone. */
  readonly project: string;
  readonly roles: readonly RoleFacts[];
  readonly since: number;
  /** The time that the report is of. */
  readonly now: number;
}
