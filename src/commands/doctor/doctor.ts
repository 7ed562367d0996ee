import { plural } from "../../base/plural.ts";
import { doctorText } from "../../doctor/doctor-text.ts";
import { durationsOf } from "../../doctor/durations.ts";
import type { DoctorFacts } from "../../doctor/facts.ts";
import { type Finding, placeText } from "../../doctor/finding.ts";
import { type CheckResult, judge } from "../../doctor/judge.ts";
import type { World } from "../../platform/world.ts";
import { managedSettingsPath } from "../../stores/client-store.ts";
import type { CommandContext } from "../command-context.ts";
import { done, failed, type Report } from "../report.ts";
import { type Fixed, fix } from "./fix.ts";
import { type Gathered, gather } from "./gather.ts";

export interface DoctorInput {
  readonly fix: boolean;
  /** Times of each command beside those of each hook. */
  readonly perf: boolean;
  /** The administrator's settings; where the client looks for them, unless it is given. */
  readonly managed: string | undefined;
  readonly version: string;
  /** Names of this program's commands. */
  readonly verbs: readonly string[];
}

/** `doctor`: runs the installed hooks as the client would, looks at all they depend on, and says what is not as it should be. */
export async function doctor(context: CommandContext, world: World, input: DoctorInput): Promise<Report> {
  const query = { ...input, managed: input.managed ?? managedSettingsPath() };
  let gathered = await gather(context, world, query);
  let checks = judge(gathered.facts);
  let fixed: readonly Fixed[] = [];
  if (input.fix) {
    fixed = await fix(context, gathered, findingsOf(checks), input.verbs);
    if (fixed.length > 0) {
      gathered = await gather(context, world, query);
      checks = judge(gathered.facts);
    }
  }
  return report(context, input, { gathered, checks, fixed });
}

interface Outcome {
  readonly gathered: Gathered;
  readonly checks: readonly CheckResult[];
  readonly fixed: readonly Fixed[];
}

function report(context: CommandContext, input: DoctorInput, { gathered, checks, fixed }: Outcome): Report {
  const { facts, notes } = gathered;
  const { runs, transcripts } = facts.sessions;
  const findings = findingsOf(checks);
  const timings = [...durationsOf(runs, "hook"), ...(input.perf ? durationsOf(runs, "command") : [])];
  const next = nextAction(context, input, { findings, fixed, blocked: facts.blocked });
  const native = nativeText(context, facts.native);
  const text = doctorText({ root: facts.root, checks, fixed, timings, sessions: transcripts.length, native, next });
  const count = (severity: Finding["severity"]): number => findings.filter((each) => each.severity === severity).length;
  const data = {
    root: facts.root,
    version: facts.version,
    summary: {
      fail: count("fail"),
      warn: count("warn"),
      fixable: findings.filter(({ fixable }) => fixable).length,
      next,
    },
    checks: checks.map(({ id, summary, result }) => ({ id, summary, result })),
    findings: findings.map(({ place, ...rest }) => ({ ...rest, place: place === null ? null : { ...place } })),
    fixed: fixed.map(({ done, text }) => ({ done, text })),
    probes: facts.probes.map(({ entry, occasion, exitCode, timedOut, ms, program }) => ({
      ...{ event: entry.event, occasion, command: entry.command, file: entry.place.file, line: entry.place.line },
      ...{ exit_code: exitCode, timed_out: timedOut, ms, version: program?.version ?? null },
    })),
    timings: { transcripts, hooks: timings.map((times) => ({ ...times })) },
  };
  if (count("fail") === 0) return done(text, data, notes);
  const message = `${plural(count("fail"), "thing")} ${count("fail") === 1 ? "is" : "are"} not as ${count("fail") === 1 ? "it" : "they"} should be.`;
  return failed({ code: "not-healthy", message, hint: next }, { parts: [{ kind: "text", text }], notes, data });
}

function nativeText({ env }: CommandContext, native: DoctorFacts["native"]): string | null {
  if (native === null || native.problem !== null) return null;
  const off = env.CONTEXT_NATIVE === "0" ? ", and CONTEXT_NATIVE=0 switches it off" : "";
  return `The native program is there and of this build${off}: ${native.path}`;
}

function findingsOf(checks: readonly CheckResult[]): readonly Finding[] {
  return checks.flatMap(({ findings }) => findings);
}

interface NextInput {
  readonly findings: readonly Finding[];
  readonly fixed: readonly Fixed[];
  readonly blocked: DoctorFacts["blocked"];
}

function nextAction(context: CommandContext, input: DoctorInput, { findings, fixed, blocked }: NextInput): string {
  // What an older client alone would drop is nothing to do where none is used.
  const worst =
    findings.find(({ severity }) => severity === "fail") ??
    findings.find(({ code }) => code !== "event-unknown") ??
    findings[0];
  if (worst === undefined) {
    return fixed.length > 0
      ? "restart Claude Code, which reads its hooks when it starts."
      : "nothing, all is as it should be.";
  }
  // Without the rights nothing else can be done.
  const rights = findings.find(({ code }) => code === "folder-unwritable");
  if (rights !== undefined) return alone(rights);
  const stopped = fixed.find(({ way }) => way !== undefined);
  if (stopped !== undefined) return `${stopped.text}. ${stopped.way}, and run ${context.invokedAs} doctor --fix.`;
  if (!input.fix && findings.some(({ fixable }) => fixable)) return `run ${context.invokedAs} doctor --fix.`;
  // It names what it is about, which is not what the finding is about.
  return worst.hint === blocked?.hint ? worst.hint : alone(worst);
}

/** A finding's way out where it stands without the finding: "it" and "there" need the place beside them. */
function alone({ place, hint }: Finding): string {
  if (hint.startsWith("Run ")) return `run ${hint.slice("Run ".length)}`;
  return place === null || hint.includes(place.file) ? hint : `${placeText(place)}: ${hint}`;
}
