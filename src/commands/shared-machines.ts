import { err, ok, type Result } from "../base/result.ts";
import { isRoleName } from "../lifecycle/role.ts";
import { loadConfig } from "../stores/config-store.ts";
import { openRedisStore } from "../stores/redis-store.ts";
import { awayMachines, type SharedMachines, type StoreTrouble } from "../stores/shared-machines.ts";
import { storePlace } from "../stores/store-place.ts";
import { storePrefix } from "../stores/store-prefix.ts";
import { storeTls } from "../stores/store-tls.ts";
import type { CommandContext } from "./command-context.ts";
import { lostReport } from "./lifecycle/machine-report.ts";
import { makeUp } from "./lifecycle/make-up.ts";
import { failed, type Report, usage } from "./report.ts";

/** The command that asks for the machines, with what it was given. */
export interface MachineCall {
  readonly command: string;
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * What a command is without the machines: nothing, or what it says of the rest; `judged`: it says itself what is wrong.
 * Others never look at them.
 */
const USES: Readonly<Record<string, "needed" | "wanted" | "judged">> = {
  "lifecycle.init": "needed",
  "lifecycle.save": "needed",
  "lifecycle.status": "needed",
  "lifecycle.pre.compact": "needed",
  "lifecycle.recover": "needed",
  "lifecycle.repair": "needed",
  "lifecycle.compact": "needed",
  "lifecycle.wait": "needed",
  "lifecycle.history": "needed",
  "lifecycle.graph": "needed",
  "lifecycle.export": "needed",
  "lifecycle.import": "needed",
  report: "needed",
  // What the agent needs was read without the machine: it is printed all the same.
  recover: "wanted",
  validate: "wanted",
  "validate.all": "wanted",
  doctor: "judged",
};

/** What to do about a store that cannot be used. */
const WAYS = {
  address: "It is redis://host:6379, rediss:// with TLS, or valkey://; without it the machines are kept in files.",
  unnamed: 'Name the project in context.yaml: "store: { prefix: my-project }"; or in CONTEXT_STORE_PREFIX.',
  library:
    "Install it beside this program: npm install ioredis@6, with -g where this program was installed so, with --prefix ~/.claude for the plugin.",
  file: "Name a PEM file by its whole path, or relative to the project's root.",
  connection: "Try again when it is there; without CONTEXT_STORE the machines are kept in files.",
  certificate:
    "Name the file of who signed the server's certificate in CONTEXT_STORE_CA; one of your own, where the server wants it, in CONTEXT_STORE_CERT and CONTEXT_STORE_KEY.",
  password: "Mend the user and the password in CONTEXT_STORE; a special character is written as %40 and the like.",
  rights: "docs/stores.md in this program's repository says what the server and its user have to allow.",
} as const;

const KINDS = {
  connection: "unreachable",
  library: "library",
  certificate: "certificate",
  password: "refused",
  rights: "refused",
} as const satisfies Partial<Record<keyof typeof WAYS, StoreTrouble["kind"]>>;

/** For the connection and each answer, in milliseconds; a client waits for its hooks. */
const LIMIT_MS = { command: 2000, hook: 300 };

/** How long a hook tells the store what was noted before, in milliseconds: the shortest time-out of ours is five seconds. */
const MAKE_UP_MS = 1000;

function tooManyNotes(shown: string): StoreTrouble {
  return { kind: "unreachable", message: `${shown} is still to be told what was noted.`, hint: WAYS.connection };
}

/** Runs a command with the machines of the store that `CONTEXT_STORE` names, as they are now. */
export async function withMachines(
  context: CommandContext,
  call: MachineCall,
  command: (context: CommandContext) => Report | Promise<Report>,
): Promise<Report> {
  const use = USES[call.command];
  if (use === undefined) return command(context);
  const opened = await open(context, "command");
  if (!opened.ok) {
    if (use === "needed") return troubleReport(opened.error);
    const report = await command(withShared(context, away(opened.error, "fail")));
    const isTold = report.outcome === "unreachable" || use === "judged";
    const told = isTold ? [] : [`${opened.error.message} What the machines would tell is left out.`];
    return { ...report, notes: [...told, ...report.notes] };
  }
  const shared = opened.value;
  try {
    const inside = withShared(context, shared);
    const { said: notes } = await makeUp(inside, shared);
    const wanted = historiesFor(inside, call);
    const fetched = wanted === "none" ? ok(undefined) : await shared.fetchHistories(wanted);
    if (!fetched.ok) return lostReport(fetched.error);
    const report = await command(inside);
    return { ...report, notes: [...notes, ...report.notes] };
  } finally {
    shared.close();
  }
}

/** Runs a hook with the machines; one that does not reach them goes on, with a line about it unless it is to be silent. */
export async function withHookMachines<T extends { readonly warnings: readonly string[] }>(
  context: CommandContext,
  hook: (context: CommandContext) => Promise<T>,
  silent = false,
): Promise<T> {
  const opened = await open(context, "hook");
  const shared = opened.ok ? opened.value : away(opened.error, "note");
  try {
    const later = "The hook goes on; what happens to the role is noted, and told to the store later.";
    const notes: string[] = [];
    let used = shared;
    if (opened.ok) {
      const { said, left } = await makeUp(withShared(context, shared), shared, MAKE_UP_MS);
      notes.push(...said);
      // Its own step is noted behind those that wait: told now, it would come before what happened before.
      if (left > 0) used = away(tooManyNotes(shared.shown), "note");
    } else notes.push(`${opened.error.message} ${later}`);
    const result = await hook(withShared(context, used));
    return { ...result, warnings: [...(silent ? [] : notes), ...result.warnings] };
  } finally {
    shared.close();
  }
}

async function open(context: CommandContext, by: "command" | "hook"): Promise<Result<SharedMachines, StoreTrouble>> {
  const place = storePlace(context.env.CONTEXT_STORE ?? "");
  if (!place.ok) return err({ kind: "address", message: place.error, hint: WAYS.address });
  const tls = place.value.secure ? storeTls(context.paths.root, context.env) : ok(null);
  if (!tls.ok) return err({ kind: "certificate", message: tls.error, hint: WAYS.file });
  const config = (await loadConfig(context.paths)).value;
  const prefix = await storePrefix({ paths: context.paths, env: context.env, config, hook: by === "hook" });
  if (!prefix.ok) return err({ kind: "unnamed", message: prefix.error, hint: WAYS.unnamed });
  const offline = by === "hook" ? "note" : "fail";
  const options = { ...place.value, tls: tls.value, prefix: prefix.value, limitMs: LIMIT_MS[by], offline } as const;
  const opened = await openRedisStore(options);
  if (opened.ok) return opened;
  const { about = "connection" } = opened.error;
  return err({ kind: KINDS[about], message: `${place.value.shown} ${opened.error.message}.`, hint: WAYS[about] });
}

function troubleReport({ kind, message, hint }: StoreTrouble): Report {
  switch (kind) {
    case "address":
      return usage(message, hint);
    case "unnamed":
      return failed({ code: "store-prefix", message, hint });
    case "library":
      return failed({ code: "store-library-missing", message, hint }, { outcome: "unreachable" });
    case "certificate":
    case "refused":
    case "unreachable":
      return failed({ code: `store-${kind}`, message, hint }, { outcome: "unreachable" });
    default:
      return kind satisfies never;
  }
}

function away(trouble: StoreTrouble, offline: SharedMachines["offline"]): SharedMachines {
  const [path = "CONTEXT_STORE", ...words] = trouble.message.replace(/\.$/, "").split(" ");
  return awayMachines({ problem: "unreachable", path, message: words.join(" ") }, offline, trouble);
}

function withShared(context: CommandContext, shared: SharedMachines): CommandContext {
  return { ...context, paths: { ...context.paths, shared } };
}

/** Histories are long: they are fetched for who tells of them. */
function historiesFor(context: CommandContext, { command, positionals, options }: MachineCall) {
  const named = positionals[0] ?? (command === "lifecycle.history" ? context.env.HIVEMIND_ROLE : undefined);
  switch (command) {
    case "lifecycle.graph":
      if (options.gantt !== true) return "none";
      return named === undefined ? null : [named].filter(isRoleName);
    case "lifecycle.history":
      return named === undefined ? "none" : [named].filter(isRoleName);
    case "lifecycle.export":
    case "report":
      return null;
    default:
      return "none";
  }
}
