import type { Result } from "../../base/result.ts";
import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import type { LifecycleEventType, LifecycleState } from "../../lifecycle/states.ts";
import type { MachineWork } from "../../stores/machine-access.ts";
import type { FailedReport } from "../report.ts";
import type { OwnerFacts, OwnerPolicy } from "./ownership.ts";

export interface StepOptions {
  /** The command or hook, for the history. */
  readonly by: string;
  readonly sessionId: string | null;
  /** Make a machine where there is none. */
  readonly create: boolean;
  /**
   * A role that is stuck goes on from `active` before the step; `say`: the step itself leads there; `compaction`: one alone
   * whose client ended while it compacted.
   */
  readonly unstick: boolean | "say" | "compaction";
  /** In the client's start hook: how the session began. */
  readonly source?: string | null;
  readonly owner: OwnerPolicy;
  /** What to do with an env file that holds no machine: set it aside and stop, or go on anew, or go on anew whatever is wrong with it. */
  readonly broken: "stop" | "restart" | "restart-always";
  readonly waitMs?: number;
  /** Where the machine is out of reach: the state that it is taken to be in, and must be in when the step is made up for. */
  readonly assume?: LifecycleState;
}

export interface StepPlan<T> {
  readonly events: readonly LifecycleEventType[];
  /** Facts to record with the step. */
  readonly facts?: Partial<Pick<MachineRecord, "contextSha256" | "savedAt" | "branch" | "commit"> & OwnerFacts>;
  /** Of the context file, for the history's line of the save. */
  readonly contextBytes?: number;
  readonly value: T;
}

export interface StepDone<T> {
  /** The role had no machine before. */
  readonly created: boolean;
  readonly before: MachineRecord;
  /** What the plan was made from: a role that was stuck is free by then. */
  readonly start: MachineRecord;
  readonly after: MachineRecord;
  /** The states gone through, the first one included. */
  readonly way: readonly string[];
  readonly notes: readonly string[];
  /** The session that owns the role, where it is another one. */
  readonly foreignOwner: string | null;
  readonly value: T;
}

export type StepAnswer<T> = Result<StepDone<T> | null, FailedReport>;

/** What a step does with the machine that is found, wherever it is kept. */
export type StepWork<T> = MachineWork<StepAnswer<T>>;
