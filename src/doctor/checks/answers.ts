import { DID_NOTHING } from "../../install/hook-scripts.ts";
import { isGuarded, isUsualEvent } from "../../install/our-hooks.ts";
import { opening, readAnswer } from "../answer.ts";
import type { FindingCode } from "../catalogue.ts";
import type { Check } from "../check.ts";
import type { DoctorFacts, HookEntry, Probe } from "../facts.ts";
import { type Finding, finding } from "../finding.ts";
import { groupBy } from "../hooks-of.ts";
import { isFit } from "./programs.ts";

/** Exit codes with which a shell says that it cannot run a program. */
const NOT_FOUND: ReadonlySet<number> = new Set([126, 127]);

/** Every registered command, run as the client runs it, gives an answer that the client takes. */
export const answers: Check = {
  id: "answers",
  summary: "every installed command runs, and answers in time and in the client's form",
  nothing: ({ probes }) => (probes.length === 0 ? "no hook of ours is installed" : null),
  check: (facts) => [
    ...groupBy(
      facts.probes.flatMap((probe) => lookAt(facts, probe).map((item) => ({ item, probe }))),
      keyOf,
    ).map(([{ item }]) => item),
    ...silent(facts),
    ...facts.unrun.map((why) => finding("hook-not-run", why)),
    ...untrusted(facts),
  ],
};

function untrusted({ trust, root }: DoctorFacts): readonly Finding[] {
  if (trust === null) return [];
  const message = `Claude Code has not been told to trust ${root}: none of the project's hooks is run here. In a terminal the client asks first, with -p it does not.`;
  return [
    finding("untrusted", { place: trust.place, message, hint: `Start claude in ${root} and answer yes when it asks.` }),
  ];
}

/** Faults of the program that a line starts: all parts of a hook have them, as they have the same program. */
const OF_THE_PROGRAM: ReadonlySet<FindingCode> = new Set([
  "hook-not-found",
  "hook-exit",
  "hook-timed-out",
  "hook-did-nothing",
]);

/** The same fault is told once: not for each occasion, and one of the program not for each part. */
function keyOf({ item: { code, place }, probe: { entry } }: { item: Finding; probe: Probe }): string {
  return JSON.stringify([code, OF_THE_PROGRAM.has(code) ? [place?.file, entry.event, entry.hook] : place]);
}

function lookAt(facts: DoctorFacts, probe: Probe): readonly Finding[] {
  const { entry, exitCode, timedOut, limitMs, ms, stderr } = probe;
  const { place, command } = entry;
  const when = `${entry.event} (${probe.occasion})`;
  const said = stderr.trim() === "" ? "" : ` It says: ${reason(stderr)}`;
  if (timedOut) {
    const message = `${when}: the command has not ended after ${seconds(limitMs)} s, and was stopped: ${command}`;
    return [finding("hook-timed-out", { place, message, hint: "Run it by hand to see what it waits for." })];
  }
  if (exitCode !== null && NOT_FOUND.has(exitCode)) {
    const message = `${when}: the shell cannot run ${command}.${said}`;
    const otherwise =
      exitCode === 126
        ? `Give this user the right to run it; where it is mounted noexec, run ${facts.invokedAs} init --remove and ${facts.invokedAs} init --user.`
        : "Put the program back, or name its new place.";
    return [finding("hook-not-found", { place, message, ...way(facts, entry, otherwise) })];
  }
  if (exitCode !== 0) {
    const stops = exitCode === 2 && entry.event === "PreCompact" ? ", which stops the compaction" : "";
    const message = `${when}: exit code ${exitCode ?? "none"}${stops}, expected 0.${said}`;
    return [finding("hook-exit", { place, message, hint: "Run the command by hand to see why." })];
  }
  const missing = notFound(probe);
  if (missing !== null) return ofTheProgram(facts, probe, "hook-not-found", `${when}: ${missing}`);
  const refusal = /^context: (the hook did nothing: .*|a fault of ours.*)$/m.exec(stderr)?.[1];
  if (refusal !== undefined) {
    const otherwise = "Run the command by hand; if it is a fault of this program, report it.";
    return [
      finding("hook-did-nothing", { place, message: `${when}: ${opening(refusal)}.`, ...way(facts, entry, otherwise) }),
    ];
  }
  if (isStrange(probe)) {
    return ofTheProgram(facts, probe, "hook-did-nothing", `${when}: the program does not start.${said}`);
  }
  const findings: Finding[] = [];
  const answer = readAnswer(probe);
  if (answer.kind === "broken") {
    const message = `${when}: found ${answer.what}. The client drops such an answer.`;
    const mend = isUsualEvent(entry.event, entry.hook)
      ? { hint: facts.blocked?.hint ?? "Nothing else may write to its standard output." }
      : way(facts, entry, `Take ${entry.hook} out there: it is not for ${entry.event}.`);
    findings.push(finding("answer-broken", { place, message, ...mend }));
  } else if (answer.kind === "text" && answer.text.length > answer.max) {
    const message = `${when}: ${answer.text.length} characters, and the client passes on ${answer.max}.`;
    const hint = "Lower delivery.cap in context.yaml, or take what is beside our text out of the command.";
    findings.push(finding("answer-too-long", { place, message, hint }));
  }
  if (ms > limitMs / 2) {
    const message = `${when}: the command takes ${seconds(ms)} s of the ${seconds(limitMs)} s that it is given.`;
    findings.push(finding("hook-slow", { place, message, hint: "See the times below, or give it longer." }));
  }
  return findings;
}

const UNFOUND = /(?:^|: )(?:[^\r\n:]*): (?:not found|command not found|No such file or directory)$/m;

/**
 * That a script, or a guarded line, found no program to run: it ends well all the same, so that what it says is the only
 * trace, and of the line that it says nothing. Null where there is one; the gate's line is silent while nothing is pending.
 */
function notFound({ entry, program, stderr }: Probe): string | null {
  if (program !== null) return null;
  if (stderr.includes(DID_NOTHING)) return "the script finds no program to run.";
  if (UNFOUND.test(stderr)) return `the script finds no program to run. It says: ${reason(stderr)}`;
  const isGone = stderr.trim() === "" && entry.hook !== "gate" && isGuarded(entry.command);
  return isGone ? "the program that the line names is not there." : null;
}

/** A program of ours says first of all who it is: here something else spoke for it. */
function isStrange({ program, stderr }: Probe): boolean {
  return program === null && stderr.trim() !== "";
}

const INSTALL = {
  "hook-not-found": "Install agent-context in the project or globally.",
  "hook-did-nothing": "Reinstall agent-context.",
} as const satisfies Partial<Record<FindingCode, string>>;

/** Without a fit Node there is a finding of its own, which this comes from. */
function ofTheProgram(
  facts: DoctorFacts,
  { entry }: Probe,
  code: keyof typeof INSTALL,
  message: string,
): readonly Finding[] {
  const { place } = entry;
  return isFit(facts.node) ? [finding(code, { place, message, ...way(facts, entry, INSTALL[code]) })] : [];
}

/** What init would mend, what keeps it from that, or else this. */
function way(
  { plan, blocked, init }: DoctorFacts,
  { place, plain }: HookEntry,
  otherwise: string,
): { readonly hint: string; readonly fixable: boolean } {
  const fixable = plain && (plan?.some(({ kind, shown }) => kind === "script" || shown === place.file) ?? false);
  return { hint: fixable ? `Run ${init}.` : (blocked?.hint ?? otherwise), fixable };
}

/** The line that tells why, of a program's last words: a stack trace begins with the place. */
function reason(stderr: string): string {
  return opening(/^(?:\w*Error|context): .*$/m.exec(stderr)?.[0] ?? stderr);
}

/** All parts of a fresh start in one file, and not a word. */
function silent({ probes, disabledByEnv, invokedAs }: DoctorFacts): readonly Finding[] {
  if (disabledByEnv) return [];
  const starts = probes.filter(({ entry, occasion }) => entry.hook === "session-start" && occasion === "startup");
  return groupBy(starts, ({ entry }) => entry.place.file).flatMap((group) => {
    const [first] = group;
    const quiet = group.every((probe) => probe.exitCode === 0 && readAnswer(probe).kind === "nothing");
    // Why it says nothing is told already.
    const isTold = (probe: Probe): boolean =>
      /^context: (?:the hook did|a fault)/m.test(probe.stderr) || notFound(probe) !== null || isStrange(probe);
    if (!quiet || group.some(isTold) || group.every(isMeant)) return [];
    const said = group.map(({ stderr }) => opening(stderr)).find((line) => line !== "");
    return [
      finding("hook-silent", {
        place: first.entry.place,
        message: `SessionStart (startup): no entry prints a document.${said === undefined ? "" : ` It says: ${said}`}`,
        hint: `Run ${invokedAs} session-start --print to see what there is to say.`,
      }),
    ];
  });
}

/** The plugin's script ends before its program in a project that holds nothing for it. */
function isMeant({ entry, program }: Probe): boolean {
  return entry.level === "plugin" && program === null;
}

function seconds(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}
