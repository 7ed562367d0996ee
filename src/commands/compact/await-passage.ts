import type { HistoryEntry } from "../../lifecycle/advance.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import type { LifecycleState } from "../../lifecycle/states.ts";
import type { MachineError, StoreTurn } from "../../stores/machine-access.ts";
import type { ProjectPaths } from "../../stores/paths.ts";
import { watchMachines } from "../../stores/watch-machines.ts";
import { newEntries } from "./new-entries.ts";

export interface PassageOptions {
  readonly states: readonly LifecycleState[];
  /** Only what came after this revision counts. */
  readonly after: number;
  readonly timeoutMs: number;
  readonly stop: AbortSignal;
  /** Looked at now and then: whether there is nobody any more to wait for. */
  readonly isVain: () => boolean;
  readonly onEntry: (entry: HistoryEntry) => void;
  /** A store that is lost meanwhile, or there again. */
  readonly onTurn: (turn: StoreTurn) => void;
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
  const entriesUpTo = newEntries(paths, role, after);
  // A store that is lost is tried again for as long as the role is waited for.
  const watched = { roles: [role], signal: ended.signal, retryMs: options.timeoutMs };
  try {
    for await (const { machines, problems, turn, lost } of watchMachines(paths, watched)) {
      if (turn !== null) options.onTurn(turn);
      const error = lost ?? problems.get(role);
      if (error !== undefined) return { kind: "broken", error };
      const now = machines.get(role);
      if (now === undefined || turn?.kind === "gone") continue;
      const entries = await entriesUpTo(now.revision);
      // Lost between the look and the question: the next look is one at all of it.
      if (!entries.ok) continue;
      let reached: Passage | null = null;
      for (const entry of entries.value) {
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
