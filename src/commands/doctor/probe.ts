import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isObject, parseJson, stringAt } from "../../base/json-value.ts";
import type { DoctorFacts, HookEntry, Probe } from "../../doctor/facts.ts";
import { groupBy } from "../../doctor/hooks-of.ts";
import { type Occasion, occasionsOf } from "../../doctor/payloads.ts";
import { monotonicMs } from "../../platform/clock.ts";
import { runBounded } from "../../platform/run-bounded.ts";
import { inScratch } from "../../platform/scratch.ts";
import type { CommandContext } from "../command-context.ts";

export interface ProbeInput {
  readonly entries: readonly HookEntry[];
  readonly pluginFolder: string | null;
  /** A session of this project, for the occasions that go on with one. */
  readonly transcript: string | null;
}

export interface Probed {
  readonly probes: readonly Probe[];
  readonly unrun: DoctorFacts["unrun"];
}

/** The longest that a person is kept waiting for one command, whatever its own time-out says. */
const LONGEST_MS = 10_000;
/** And for all of them. */
const ALL_MS = 60_000;

interface Stage {
  readonly entry: HookEntry;
  readonly occasion: Occasion;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/**
 * Runs the installed commands as the client does: its shell, its payload, its environment, another working directory than
 * the project's, and those of one event at the same time.
 *
 * Each command runs twice. First with `CONTEXT_ROOT` at an empty project, where no version can do harm: the program says
 * who it is. One that knows what a probe is (`CONTEXT_PROBE`) reads everything and writes nothing, so that it runs again on
 * the project itself, and what comes back is what the client would get.
 */
export async function probeHooks(context: CommandContext, input: ProbeInput): Promise<Probed> {
  const probed = await inScratch("context-doctor-", (scratch) => probeIn(scratch, context, input));
  if (probed.ok) return probed.value;
  const { message, hint } = probed.error;
  return { probes: [], unrun: [{ message: `The hooks were not run. ${message}`, hint }] };
}

async function probeIn(scratch: string, context: CommandContext, input: ProbeInput): Promise<Probed> {
  const cwd = join(scratch, "elsewhere");
  const empty = join(scratch, "project");
  for (const folder of [cwd, empty]) mkdirSync(folder);
  const env = {
    ...context.env,
    CONTEXT_ROOT: undefined,
    CLAUDE_PLUGIN_ROOT: input.pluginFolder ?? undefined,
    CLAUDE_PROJECT_DIR: context.paths.root,
    CONTEXT_PROBE: "1",
  };
  const payload = {
    root: context.paths.root,
    transcript: input.transcript,
    noTranscript: join(scratch, "none.jsonl"),
  };
  const started = monotonicMs();
  const probes: Probe[] = [];
  const unrun: DoctorFacts["unrun"][number][] = [];
  for (const entries of groupBy(distinct(input.entries), ({ event }) => event)) {
    if (monotonicMs() - started > ALL_MS) {
      const message = `The hooks of ${entries[0].event} were not run: the others took more than ${ALL_MS / 1000} s.`;
      unrun.push({ message, hint: "Look again when the machine has less to do." });
      continue;
    }
    const first = entries.flatMap((entry): Stage[] => {
      const [occasion] = occasionsOf(entry, payload);
      return occasion === undefined ? [] : [{ entry, occasion, cwd, env: { ...env, CONTEXT_ROOT: empty } }];
    });
    const safe = await Promise.all(first.map(runStage));
    const known = safe.filter(({ program, timedOut }) => program !== null && !timedOut);
    probes.push(...safe.filter((probe) => !known.includes(probe)));
    const stages = known.flatMap(({ entry }) =>
      occasionsOf(entry, payload).map((occasion): Stage => ({ entry, occasion, cwd, env })),
    );
    for (const together of groupBy(stages, ({ occasion }) => occasion.name)) {
      if (monotonicMs() - started <= ALL_MS) probes.push(...(await Promise.all(together.map(runStage))));
    }
  }
  return { probes, unrun };
}

/** The client runs equal commands once; those of another matcher at other times. */
function distinct(entries: readonly HookEntry[]): readonly HookEntry[] {
  return groupBy(entries, ({ event, command, matcher }) => `${event}\n${command}\n${matcher}`).map(([entry]) => entry);
}

async function runStage({ entry, occasion, cwd, env }: Stage): Promise<Probe> {
  const limitMs = Math.min((entry.timeout ?? LONGEST_MS / 1000) * 1000, LONGEST_MS);
  const ran = await runBounded("/bin/sh", ["-c", entry.command], { cwd, env, input: occasion.payload, limitMs });
  const { program, rest } = readProgram(ran.stderr);
  return { ...ran, entry, occasion: occasion.name, limitMs, stderr: rest, program };
}

const SAID = /^context-probe: (\{.*\})\n/m;

function readProgram(stderr: string): { program: Probe["program"]; rest: string } {
  const line = SAID.exec(stderr);
  if (line === null) return { program: null, rest: stderr };
  const rest = stderr.replace(line[0], "");
  const value = parseJson(line[1] ?? "");
  if (!isObject(value)) return { program: null, rest };
  const version = stringAt(value, "version");
  const program =
    version === null ? null : { version, path: stringAt(value, "program") ?? "", node: stringAt(value, "node") ?? "" };
  return { program, rest };
}
