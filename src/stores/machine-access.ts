import type { HistoryEntry } from "../lifecycle/advance.ts";
import type { MachineChange, SeenMachine } from "../lifecycle/machine-change.ts";
import type { RoleName } from "../lifecycle/role.ts";
import type { SnapshotProblem, StoredMachine } from "../lifecycle/snapshot.ts";
import type { ReadProblem } from "../platform/read-text.ts";

// What reads, steps and looks take and give, wherever the machines are kept: in files or in a server.

export type MachineProblem =
  | SnapshotProblem
  | Exclude<ReadProblem, "missing" | "link">
  | "locked"
  | "unwritable"
  | "unreachable";

export interface MachineError {
  readonly problem: MachineProblem;
  readonly path: string;
  /** What is wrong, as the end of a sentence that begins with the path. */
  readonly message: string;
  /** Of a store: it was reached, and does not give what is asked for. */
  readonly refused?: boolean;
  /** The errno, where the system refused to lock or to write. */
  readonly code?: string;
  /** A lock that does not say whose it is: nobody holds it for long. */
  readonly nameless?: boolean;
}

/** What a transaction writes: the machine after it, and the transitions that led there. */
export interface MachineUpdate {
  readonly stored: StoredMachine;
  readonly history: readonly HistoryEntry[];
}

/** What decides in a transaction, and what it answers; `setAside` is where a file that could not be read was kept. */
export type MachineWork<T> = (
  stored: StoredMachine | null,
  setAside: string | null,
) => { update: MachineUpdate | null; result: T };

export interface TransactionOptions {
  /** How long to wait for the lock, in milliseconds. */
  readonly waitMs: number;
  /** Set a file that cannot be read as a machine aside and go on as if there were none. */
  readonly setAside: (error: MachineError) => boolean;
  readonly now: Date;
}

/** A store that is lost while somebody watches it, and one that is there again; and so the project's folder. */
export type StoreTurn =
  | { readonly kind: "gone"; readonly error: MachineError; readonly retryMs: number }
  | { readonly kind: "back"; readonly path: string; readonly afterMs: number }
  | { readonly kind: "no-folder" | "folder"; readonly path: string };

/** One look at the machines. */
export interface MachineLook {
  /** Since the look before, each role's in order: none is missed, however many lie between two looks. */
  readonly changes: readonly MachineChange[];
  /** Every role that is watched and has a machine. */
  readonly machines: ReadonlyMap<RoleName, SeenMachine>;
  /** Machines that cannot be read now; what was seen of them before stands. */
  readonly problems: ReadonlyMap<RoleName, MachineError>;
  /** Whether the store or the project's folder was lost, or is there again, since the look before. */
  readonly turn: StoreTurn | null;
  /** Why this is the last look; null as long as there are further ones. Files are never lost. */
  readonly lost: MachineError | null;
}

export interface WatchMachinesOptions {
  /** Null: every role, and those that come. */
  readonly roles: readonly RoleName[] | null;
  readonly signal: AbortSignal;
  /** For how long a store that is lost is tried again, in milliseconds; not at all where it is left out. */
  readonly retryMs?: number;
}
