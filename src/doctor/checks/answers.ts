import { opening, readAnswer } from "../answer.ts";
import type { Check } from "../check.ts";
import type { DoctorFacts, Probe } from "../facts.ts";
import { type Finding, finding } from "../finding.ts";
import { groupBy } from "../hooks-of.ts";

/** Exit codes with which a shell says that it cannot run a program. */
const NOT_FOUND: ReadonlySet<number> = new Set([126, 127]);

/** Every registered command, run as the client runs it, gives an answer that the client takes. */
export const answers: Check = {
  id: "answers",
  summary: "every installed command runs, and answers in time and in the client's form",
  check: (facts) => [...facts.probes.flatMap((probe) => lookAt(facts, probe)), ...silent(facts)].filter(isFirst),
};

/** The same fault of one entry is told once, not for each occasion. */
function isFirst(item: Finding, index: number, all: readonly Finding[]): boolean {
  return all.findIndex((other) => keyOf(other) === keyOf(item)) === index;
}

function keyOf({ code, place }: Finding): string {
  return JSON.stringify([code, place]);
}

function lookAt(facts: DoctorFacts, probe: Probe): readonly Finding[] {
  const { entry, exitCode, timedOut, limitMs, ms, stderr } = probe;
  const { place, command } = entry;
  const when = `${entry.event} (${probe.occasion})`;
  const said = stderr.trim() === "" ? "" : ` It says: ${opening(stderr)}`;
  if (timedOut) {
    const message = `${when}: the command has not ended after ${seconds(limitMs)} s, and was stopped: ${command}`;
    return [finding("hook-timed-out", { place, message, hint: "Run it by hand to see what it waits for." })];
  }
  if (exitCode !== null && NOT_FOUND.has(exitCode)) {
    const message = `${when}: the shell cannot run ${command}.${said}`;
    const fixable = entry.plain && (facts.plan?.length ?? 0) > 0;
    const hint = fixable ? `Run ${facts.invokedAs} init.` : "Put the program back, or name its new place.";
    return [finding("hook-not-found", { place, message, hint, fixable })];
  }
  if (exitCode !== 0) {
    const stops = exitCode === 2 && entry.event === "PreCompact" ? ", which stops the compaction" : "";
    const message = `${when}: exit code ${exitCode ?? "none"}${stops}, expected 0.${said}`;
    return [finding("hook-exit", { place, message, hint: "Run the command by hand to see why." })];
  }
  const refusal = /^context: (the hook did nothing: .*|a fault of ours.*)$/m.exec(stderr)?.[1];
  // The script ends well whatever the program does: what the program says is the only trace.
  const unfound = /(?:^|: )(?:[^\n:]*): (?:not found|command not found|No such file or directory)$/m.exec(stderr)?.[0];
  if (refusal !== undefined) {
    const fixable = (facts.plan?.length ?? 0) > 0;
    const hint = fixable
      ? `Run ${facts.invokedAs} init.`
      : "Run the command by hand; if it is a fault of this program, report it.";
    return [finding("hook-did-nothing", { place, message: `${when}: ${opening(refusal)}.`, hint, fixable })];
  }
  if (unfound !== undefined && probe.program === null) {
    const fixable = (facts.plan?.length ?? 0) > 0;
    const message = `${when}: the script finds no program to run.${said}`;
    return [
      finding("hook-not-found", { place, message, hint: "Install agent-context in the project or globally.", fixable }),
    ];
  }
  const findings: Finding[] = [];
  const answer = readAnswer(probe);
  if (answer.kind === "broken") {
    const message = `${when}: found ${answer.what}. The client drops such an answer.`;
    findings.push(finding("answer-broken", { place, message, hint: "Nothing else may write to its standard output." }));
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

/** All parts of a fresh start in one file, and not a word. */
function silent({ probes, disabledByEnv }: DoctorFacts): readonly Finding[] {
  if (disabledByEnv) return [];
  const starts = probes.filter(({ entry, occasion }) => entry.hook === "session-start" && occasion === "startup");
  return groupBy(starts, ({ entry }) => entry.place.file).flatMap((group) => {
    const [first] = group;
    const quiet = group.every((probe) => probe.exitCode === 0 && readAnswer(probe).kind === "nothing");
    if (!quiet || group.some(({ stderr }) => /^context: (?:the hook did|a fault)/m.test(stderr))) return [];
    if (group.some(({ program, stderr }) => program === null && /not found|No such file/.test(stderr))) return [];
    const said = group.map(({ stderr }) => opening(stderr)).find((line) => line !== "");
    return [
      finding("hook-silent", {
        place: first.entry.place,
        message: `SessionStart (startup): no entry prints a document.${said === undefined ? "" : ` It says: ${said}`}`,
        hint: "Run context session-start --print to see what there is to say.",
      }),
    ];
  });
}

function seconds(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}
