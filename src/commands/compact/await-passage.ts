import type { HistoryEntry } from "../../lifecycle/advance.ts";
import { machineName, type RoleName } from "../../lifecycle/role.ts";
import type { LifecycleState } from "../../lifecycle/states.ts";
import { historyTail } from "../../stores/history-tail.ts";
import type { MachineError } from "../../stores/machine-store.ts";
import { historyPath, type ProjectPaths } from "../../stores/paths.ts";
import { watchMachines } from "../../stores/watch-machines.ts";

export interface PassageOptions {
  readonly states: readonly LifecycleState[];
  /** Only what came after this revision counts. */
  readonly after: number;
  readonly timeoutMs: number;
  readonly stop: AbortSignal;
  /** Looked at now and then: whether there is nobody any more to wait for. */
  readonly isVain: () => boolean;
  readonly onEntry: (entry: HistoryEntry) => void;
}

export type Passage =
  | { readonly kind: "reached"; readonly state: LifecycleState; readonly revision: number }
  | { readonly kind: "timed-out" }
  | { readonly kind: "stopped" }
  | { readonly kind: "vain" }
  | { readonly kind: "broken"; readonly error: MachineError };

/** Often enough for a person, and nothing beside the waiting itself. */
const VAIN_EVERY_MS = 1000;

/** Waits until a role is, or was after the revision given, in one of the states; by its history, so that a passage counts. */
export async function awaitPassage(paths: ProjectPaths, role: RoleName, options: PassageOptions): Promise<Passage> {
  const { states, after, stop } = options;
  const ended = new AbortController();
  const end = (): void => ended.abort();
  stop.addEventListener("abort", end);
  if (stop.aborted) end();
  const timer = setTimeout(end, options.timeoutMs);
  let vain = false;
  const look = setInterval(() => {
    vain = options.isVain();
    if (vain) end();
  }, VAIN_EVERY_MS);
  const tail = historyTail(historyPath(paths, machineName(role)), after);
  try {
    for await (const { machines, problems } of watchMachines(paths, {
      roles: [role],
      signal: ended.signal,
      retryMs: 0,
    })) {
      const error = problems.get(role);
      if (error !== undefined) return { kind: "broken", error };
      const now = machines.get(role);
      if (now === undefined) continue;
      let reached: Passage | null = null;
      for (const entry of tail.read(now.revision)) {
        options.onEntry(entry);
        if (reached === null && states.includes(entry.to))
          reached = { kind: "reached", state: entry.to, revision: entry.revision };
      }
      if (reached !== null) return reached;
      // Rewritten by a program that keeps no history.
      if (now.revision > after && states.includes(now.state)) return { kind: "reached", ...now };
    }
  } finally {
    clearTimeout(timer);
    clearInterval(look);
    stop.removeEventListener("abort", end);
  }
  return { kind: stop.aborted ? "stopped" : vain ? "vain" : "timed-out" };
}
