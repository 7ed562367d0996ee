import { parseDuration } from "../../base/duration.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { suggest } from "../../base/suggest.ts";
import type { MachineChange } from "../../lifecycle/machine-change.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { isLifecycleState, LIFECYCLE_STATES, type LifecycleState } from "../../lifecycle/states.ts";
import type { MachineError, MachineLook } from "../../stores/machine-access.ts";
import { watchMachines } from "../../stores/watch-machines.ts";
import type { CommandContext } from "../command-context.ts";
import { knownRoles } from "../known-roles.ts";
import { failed, type Report, usage } from "../report.ts";
import { checkRole } from "../role-argument.ts";
import { roleExists } from "../role-exists.ts";
import { lostReport, machineReport } from "./machine-report.ts";
import { readReconnect, turnText } from "./store-turn.ts";

export interface WaitInput {
  readonly roles: readonly string[];
  /** States, separated by commas. */
  readonly states: string | undefined;
  readonly timeout: string | undefined;
  /** One role is enough. */
  readonly any: boolean;
  readonly all: boolean;
  /** For how long a store that is lost is tried again. */
  readonly reconnect: string | undefined;
  /** Given when somebody wants this process to end. */
  readonly stop: AbortSignal;
  /** For what has to be said before the waiting is over. */
  readonly tell: (note: string) => void;
}

interface Wanted {
  readonly roles: readonly RoleName[];
  readonly states: readonly LifecycleState[];
  readonly timeoutMs: number;
  readonly retryMs: number;
  readonly any: boolean;
}

/** The contract's figure. */
const DEFAULT_TIMEOUT = "60s";

/** How a role came to be where it was wanted. */
interface Reached {
  readonly state: LifecycleState;
  readonly revision: number;
  /** The transition that led there; null where it was there when the waiting began. */
  readonly change: MachineChange | null;
}

/** `lifecycle.wait <role>... --for <state>`: blocks until the roles are, or in the meantime were, in one of the states. */
export async function lifecycleWait(context: CommandContext, input: WaitInput): Promise<Report> {
  const wanted = readInput(context, input);
  if (!wanted.ok) return wanted.error;
  const { roles, states, timeoutMs, retryMs, any } = wanted.value;
  const reached = new Map<RoleName, Reached>();
  const isEnough = () => (any ? reached.size > 0 : reached.size === roles.length);
  const ended = new AbortController();
  const end = (): void => ended.abort();
  input.stop.addEventListener("abort", end);
  const timer = timeoutMs === 0 ? null : setTimeout(end, timeoutMs);
  let last: MachineLook | null = null;
  let away: MachineError | null = null;
  let isThere = true;
  try {
    for await (const look of watchMachines(context.paths, { roles, signal: ended.signal, retryMs })) {
      if (look.lost !== null) return lostReport(look.lost);
      away = look.turn?.kind === "gone" ? look.turn.error : null;
      if (look.turn !== null) {
        input.tell(turnText(look.turn));
        isThere = look.turn.kind !== "no-folder";
      }
      if (last === null) {
        for (const [role, seen] of look.machines) {
          if (states.includes(seen.state)) reached.set(role, { ...seen, change: null });
        }
        const broken = isEnough() ? null : firstProblem(context, look);
        if (broken !== null) return broken;
      }
      for (const change of look.changes) {
        const { role, to, revision } = change;
        if (to !== null && states.includes(to) && !reached.has(role))
          reached.set(role, { state: to, revision, change });
      }
      const first = last === null;
      last = look;
      if (isEnough() || timeoutMs === 0) break;
      if (first) tellMissing(context, roles, look, input.tell);
    }
  } finally {
    if (timer !== null) clearTimeout(timer);
    input.stop.removeEventListener("abort", end);
  }
  // What the roles did since is not known: that is no answer to the question.
  if (away !== null && !input.stop.aborted) return lostReport(away, "The time is over, and the states are not known.");
  const enough = isEnough();
  // One that has become unreadable meanwhile may be read again, until the time is over.
  const broken = enough || input.stop.aborted || last === null ? null : firstProblem(context, last);
  return broken ?? waitReport(context, wanted.value, reached, last, { enough, stopped: input.stop.aborted, isThere });
}

function readInput(context: CommandContext, input: WaitInput): Result<Wanted, Report> {
  if (input.any && input.all)
    return err(usage("--any and --all exclude each other.", "--all is what is done without."));
  const roles = new Set<RoleName>();
  for (const name of input.roles) {
    const role = checkRole(context, name);
    if (!role.ok) return role;
    roles.add(role.value);
  }
  const named = (input.states ?? "").split(",").map((state) => state.trim());
  const all = LIFECYCLE_STATES.join(", ");
  if (input.states === undefined) return err(usage("No state is named.", `Name it: --for <state>, one of ${all}.`));
  const states: LifecycleState[] = [];
  for (const state of named) {
    if (!isLifecycleState(state)) {
      const near = suggest(state, LIFECYCLE_STATES);
      const hint = `A state is one of ${all}.${near === null ? "" : ` Did you mean "${near}"?`}`;
      return err(usage(`--for: ${JSON.stringify(state)} is no state.`, hint));
    }
    states.push(state);
  }
  const timeout = parseDuration(input.timeout ?? DEFAULT_TIMEOUT);
  if (!timeout.ok) return err(usage(`--timeout: ${timeout.error}, found ${JSON.stringify(input.timeout)}.`));
  const retry = readReconnect(input.reconnect);
  if (!retry.ok) return retry;
  return ok({ roles: [...roles], states, timeoutMs: timeout.value, retryMs: retry.value, any: input.any });
}

/** A state that cannot be read is not reached by waiting. */
function firstProblem(context: CommandContext, look: MachineLook): Report | null {
  for (const [role, problem] of look.problems) return machineReport(context, role, problem);
  return null;
}

function tellMissing(
  context: CommandContext,
  roles: readonly RoleName[],
  look: MachineLook,
  tell: (note: string) => void,
): void {
  for (const role of roles) {
    if (look.machines.has(role)) continue;
    if (roleExists(context.paths, role)) tell(`${role} has no machine yet; waiting for it.`);
    else {
      const near = suggest(role, knownRoles(context));
      const meant = near === null ? "" : ` Did you mean "${near}"?`;
      tell(`There is no role ${role} yet, neither a context file nor a machine; waiting for it.${meant}`);
    }
  }
}

function waitReport(
  { invokedAs, paths }: CommandContext,
  { roles, states, any }: Wanted,
  reached: ReadonlyMap<RoleName, Reached>,
  last: MachineLook | null,
  { enough, stopped, isThere }: { readonly enough: boolean; readonly stopped: boolean; readonly isThere: boolean },
): Report {
  const rows = roles.map((role) => {
    const found = reached.get(role) ?? null;
    const now = last?.machines.get(role) ?? null;
    return {
      role,
      reached: found !== null,
      reached_state: found?.state ?? null,
      reached_revision: found?.revision ?? null,
      event: found?.change?.event ?? null,
      at: found?.change?.at ?? null,
      state: now?.state ?? null,
      revision: now?.revision ?? null,
    };
  });
  const text = rows
    .filter((row) => row.reached)
    .map((row) => `${row.role}: ${row.reached_state}\n`)
    .join("");
  const parts = [{ kind: "text", text } as const];
  const data = { for: states, any, timed_out: !enough && !stopped, roles: rows };
  if (enough) return { outcome: "done", parts, notes: [], data };
  const missing = rows.filter((row) => !row.reached).map((row) => `${row.role} (${row.state ?? "no machine"})`);
  const verb = missing.length === 1 ? "has" : "have";
  const message = `${missing.join(", ")} ${verb} not reached ${states.join(" or ")}.`;
  if (stopped) return failed({ code: "interrupted", message }, { parts, data });
  return failed(
    {
      code: "timed-out",
      message,
      hint: isThere
        ? `Wait longer with --timeout; ${invokedAs} lifecycle.status says who is stuck.`
        : `${paths.root} is gone: name the project's folder with -C.`,
    },
    { outcome: "timed-out", parts, data },
  );
}
