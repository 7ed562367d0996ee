import { spawn } from "node:child_process";
import { type Random, random } from "../fuzz/random.ts";
import { BARE_ENV } from "../helpers/run-program.ts";
import { type Action, type Ended, makeAction } from "./action.ts";
import { makeProject } from "./files.ts";
import { judge, type Run } from "./judge.ts";
import type { Store } from "./store.ts";

/** A way to run the program: Node, or the native one. */
export interface Engine {
  readonly name: string;
  readonly file: string;
  readonly before: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether calls of the C library can be made to fail in it. */
  readonly takesShim: boolean;
}

export interface StormOptions {
  readonly name: string;
  readonly root: string;
  readonly store: Store;
  readonly engines: readonly [Engine, ...Engine[]];
  readonly roles: readonly [string, ...string[]];
  readonly actions: number;
  readonly atOnce: number;
  /** Runs are killed, stopped and let go on at any moment. */
  readonly kills: boolean;
  /** Compiled from `tests/e2e/faults/shim.c`; null where it cannot be. */
  readonly shim: string | null;
  /** No file can have two names. */
  readonly oneName?: boolean;
  /** Clocks of single runs stand somewhere else. */
  readonly clocks: boolean;
  /** Puts the disk, or the server, into another condition; true while it may refuse. */
  readonly weather?: (random: Random) => void;
  readonly calm?: () => Promise<void> | void;
}

/** What was found to be wrong, a sentence each. */
export interface Storm {
  readonly wrong: readonly string[];
  readonly runs: number;
  readonly killed: number;
  readonly transitions: number;
}

interface Fault {
  readonly env: Readonly<Record<string, string>>;
  readonly signals: readonly (readonly [afterMs: number, signal: NodeJS.Signals])[];
  readonly needsShim: boolean;
}

const CALM: Fault = { env: {}, signals: [], needsShim: false };

function faultOf(options: StormOptions, chance: Random): Fault {
  const { shim, kills, clocks, root, oneName } = options;
  const preload = { LD_PRELOAD: shim ?? "", FAULT_ROOT: `${root}/`, ...(oneName ? { FAULT_ONE_NAME: "1" } : {}) };
  const shimmed = (env: Readonly<Record<string, string>>): Fault => ({
    env: { ...preload, ...env },
    signals: [],
    needsShim: true,
  });
  const calm = shim !== null && oneName ? shimmed({}) : CALM;
  const draw = chance.below(100);
  if (shim !== null && clocks && draw < 6) {
    return shimmed({ FAULT_CLOCK: String(chance.pick([-31_536_000, -900, -3, 3, 900, 31_536_000])) });
  }
  if (!kills) return calm;
  if (shim !== null && draw < 22) {
    return shimmed({ FAULT_CALL: "change", FAULT_ERRNO: "0", FAULT_AT: String(1 + chance.below(24)) });
  }
  if (draw < 36) return { ...calm, signals: [[chance.below(160), "SIGKILL"]] };
  if (draw < 42) return { ...calm, signals: [[chance.below(160), "SIGTERM"]] };
  if (draw < 50) {
    return {
      ...calm,
      signals: [
        [chance.below(150), "SIGSTOP"],
        [chance.pick([5, 60, 400, 2600]), "SIGCONT"],
      ],
    };
  }
  return calm;
}

/** Runs the actions of a seed, several at once, and says what of it breaks a promise. */
export async function storm(seed: string, options: StormOptions): Promise<Storm> {
  const { root, roles, store } = options;
  const chance = random(seed);
  const files = makeProject(root, roles, random(`${seed} files`));
  const actions = Array.from({ length: options.actions }, (_, index) => {
    const role = roles[chance.below(roles.length)] ?? roles[0];
    const action = makeAction(index + 1, role, chance, root);
    const fault = faultOf(options, chance);
    const fit = options.engines.filter(({ takesShim }) => takesShim || !fault.needsShim);
    return {
      action,
      fault,
      engine: fit[chance.below(fit.length)] ?? options.engines[0],
      editFirst: chance.below(3) === 0,
    };
  });
  const [engine] = options.engines;
  const watcher = await startWatching(engine, root, store.env);
  const runs: Run[] = [];
  const queue = actions.values();
  const weather = random(`${seed} weather`);
  const work = async (): Promise<void> => {
    for (const { action, fault, engine: chosen, editFirst } of queue) {
      if (editFirst) files.edit(roles[weather.below(roles.length)] ?? roles[0]);
      options.weather?.(weather);
      runs.push({
        action,
        engine: chosen.name,
        fault: JSON.stringify(fault),
        ...(await run(chosen, action, root, store.env, fault)),
      });
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, work));
  await options.calm?.();
  const lost = roles.flatMap((role) => files.lostEdit(role) ?? []);
  // The next command of each role: what the killed left is cleared away, and nothing is in its way.
  const last: Run[] = [];
  for (const [index, role] of roles.entries()) {
    files.settle(role);
    for (const command of ["lifecycle.init", "lifecycle.recover", "lifecycle.save"]) {
      const id = options.actions + 1 + index * 3 + last.length;
      const base = makeAction(id, role, { below: () => 0, pick: ([item]) => item }, root);
      const words = [command, role, ...(command === "lifecycle.save" ? ["--take-over"] : []), "--json"];
      const action: Action = { ...base, kind: command, words, judge: () => null };
      last.push({ action, engine: engine.name, fault: "", ...(await run(engine, action, root, store.env, CALM)) });
    }
  }
  const watched = await watcher.stop();
  const verdict = await judge({ runs, last, store, files, roles, watched });
  return {
    wrong: [...lost, ...verdict.wrong],
    runs: runs.length,
    killed: runs.filter(({ signal }) => signal !== null).length,
    transitions: verdict.transitions,
  };
}

function run(
  engine: Engine,
  action: Action,
  root: string,
  env: Readonly<Record<string, string>>,
  fault: Fault,
): Promise<Ended> {
  const began = performance.now();
  const child = spawn(engine.file, [...engine.before, ...action.words], {
    cwd: root,
    env: {
      ...BARE_ENV,
      ...env,
      ...engine.env,
      ...fault.env,
      ...(action.hook ? { HIVEMIND_ROLE: action.role } : {}),
      CONTEXT_SESSION_ID: action.session,
      CONTEXT_STDIN_IDLE_MS: "5000",
    },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(action.input);
  let timer: NodeJS.Timeout | null = null;
  const send = ([next, ...rest]: Fault["signals"]): void => {
    if (next === undefined) return;
    // One after the other: who was stopped is let go on, however late the timers are.
    timer = setTimeout(() => {
      child.kill(next[1]);
      send(rest);
    }, next[0]);
  };
  send(fault.signals);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (timer !== null) clearTimeout(timer);
      resolve({ code, signal, stdout, stderr, began, ended: performance.now() });
    });
  });
}

/** Looks on during the whole storm; settles once it sees. */
async function startWatching(engine: Engine, root: string, env: Readonly<Record<string, string>>) {
  const child = spawn(engine.file, [...engine.before, "lifecycle.status", "--watch", "--json"], {
    cwd: root,
    env: { ...BARE_ENV, ...env, ...engine.env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await new Promise<void>((resolve) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      if (stderr.includes("Watching")) resolve();
    });
    child.once("close", () => resolve());
  });
  return {
    stop: async (): Promise<{ readonly stdout: string; readonly stderr: string }> => {
      // What is written last is seen at the next look, a second later at most.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      child.kill("SIGINT");
      await ended;
      return { stdout, stderr };
    },
  };
}
