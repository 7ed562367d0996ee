import { loopText } from "../../transcript/loop-text.ts";
import type { Check } from "../check.ts";
import type { DoctorFacts, RecordedRun } from "../facts.ts";
import { type Finding, fileOnly, finding } from "../finding.ts";
import { groupBy } from "../hooks-of.ts";

/** A start without our hook a day after its last run is no accident of one session's settings. */
const SILENCE_MS = 24 * 60 * 60 * 1000;

/** The transcripts tell what really happened. */
export const sessions: Check = {
  id: "sessions",
  summary: "the last sessions ran the hooks and got their text",
  nothing: ({ sessions: { transcripts, runs: recorded } }) => {
    if (transcripts.length === 0) return "there is no transcript of a session here yet";
    return recorded.length === 0 ? "the transcripts tell of no run of the hooks yet" : null;
  },
  check: (facts) => [...notFired(facts), ...runs(facts), ...compactions(facts), ...loop(facts)],
};

function notFired({ sessions }: DoctorFacts): readonly Finding[] {
  const { newestStart, lastRun, registeredAt } = sessions;
  if (newestStart === null || registeredAt === null) return [];
  const since = Math.max(lastRun ?? 0, registeredAt);
  if (newestStart.at - since <= SILENCE_MS) return [];
  const message =
    since === registeredAt
      ? `The hooks have not fired since they were registered on ${day(registeredAt)}, and a session began on ${day(newestStart.at)}.`
      : `The hooks have not fired since ${day(since)}, and a session began on ${day(newestStart.at)}.`;
  const hint = "Restart claude in this folder, and look at /hooks there: it lists what the client has loaded.";
  return [finding("not-fired", { place: fileOnly(newestStart.transcript), message, hint })];
}

/** The last run of each kind counts: what was mended since is no finding. */
function runs({ sessions, invokedAs }: DoctorFacts): readonly Finding[] {
  const last = groupBy(sessions.runs, ({ name, command }) => `${name}\n${command}`).map((group) =>
    group.reduce((a, b) => ((b.at ?? 0) >= (a.at ?? 0) ? b : a)),
  );
  return groupBy(
    last.flatMap((run) => problemOf(run, invokedAs)),
    ({ run, code }) => `${code}\n${run.name}`,
  ).map(([{ run, code, message, hint }]) => finding(code, { place: fileOnly(run.transcript), message, hint }));
}

interface RunProblem {
  readonly run: RecordedRun;
  readonly code: "failed-in-session" | "text-not-seen" | "text-cut";
  readonly message: string;
  readonly hint: string;
}

function problemOf(run: RecordedRun, invokedAs: string): readonly RunProblem[] {
  const when = `${run.name}${run.at === null ? "" : ` on ${day(run.at)}`}`;
  if (run.outcome === "failed") {
    const message = `${when}: the client records that the hook failed or was stopped: ${run.command}`;
    return [
      { run, code: "failed-in-session", message, hint: `Run ${invokedAs} doctor --perf to see how long it takes.` },
    ];
  }
  if (run.text === null) return [];
  if (run.seen === "none") {
    const message = `${when}: the hook ran, and its text is not seen in the transcript.`;
    return [{ run, code: "text-not-seen", message, hint: "Update Claude Code: some versions drop what a hook says." }];
  }
  if (run.seen === "cut") {
    const message = `${when}: the client passed on only the beginning of ${run.text.length} characters.`;
    return [{ run, code: "text-cut", message, hint: "Lower delivery.cap in context.yaml to at most 10000." }];
  }
  return [];
}

function compactions({ sessions }: DoctorFacts): readonly Finding[] {
  return sessions.unseenCompactions.map((transcript) =>
    finding("text-not-seen", {
      place: fileOnly(transcript),
      message: "The hook ran after the last compaction, and its text is not seen in the transcript.",
      hint: "Update Claude Code: some versions drop what a hook says after a compaction.",
    }),
  );
}

function loop({ sessions }: DoctorFacts): readonly Finding[] {
  if (sessions.loop === null) return [];
  const { transcript } = sessions.loop;
  return [
    finding("compaction-loop", {
      place: fileOnly(transcript),
      message: `${loopText(sessions.loop)}: what is loaded fills the window again.`,
      hint: "Lower budgets.compact in context.yaml, or list fewer files in the manifest.",
    }),
  ];
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}
