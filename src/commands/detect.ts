import { plural } from "../base/plural.ts";
import { printableLine } from "../base/printable.ts";
import { table } from "../base/table.ts";
import { loadConfig } from "../stores/config-store.ts";
import { shownPath } from "../stores/paths.ts";
import { listProjectIds, projectsFolder } from "../stores/project-store.ts";
import type { Transcript } from "../stores/transcript-store.ts";
import type { Activity } from "../transcript/activity.ts";
import { type Detection, detectProject, type Evidence } from "../transcript/detect-project.ts";
import type { ProjectScore } from "../transcript/project-score.ts";
import { redact } from "../transcript/redact.ts";
import type { CommandContext } from "./command-context.ts";
import { type ForkProject, forkProject, forkText } from "./fork-project.ts";
import { foreignNotes, sessionTranscript, transcriptNotes } from "./open-transcript.ts";
import { isDetected, lookForProject } from "./other-roots.ts";
import { ownPatterns } from "./redact-patterns.ts";
import { done, type Report } from "./report.ts";

export interface DetectInput {
  readonly transcript: string | undefined;
}

/** `detect [--transcript <file>]`: which project is in hand, and everything that speaks for or against it. */
export async function detect(context: CommandContext, input: DetectInput): Promise<Report> {
  const transcript = sessionTranscript(context, input.transcript, "--transcript <file>");
  if (!transcript.ok) return transcript.error;
  const config = await loadConfig(context.paths);
  const ids = listProjectIds(context.paths, config.value);
  const none =
    ids.length === 0
      ? [`There is no project in ${shownPath(context.paths, projectsFolder(context.paths, config.value))}.`]
      : [];
  const own = ownPatterns(config.value);
  // As a start does, whose answer this explains.
  const look = (activities: readonly Activity[]): Detection =>
    lookForProject(
      context,
      config.value,
      { cwd: null, knownProjects: new Set(ids) },
      (places) => detectProject(activities, { ...places, redactPatterns: own.patterns }),
      isDetected,
    );
  const detected = look(transcript.value.activities);
  const fork = forkProject(transcript.value, detected, look);
  const notes = [
    ...config.notes,
    ...own.notes,
    ...none,
    ...foreignNotes(context, transcript.value),
    ...transcriptNotes(transcript.value),
  ];
  const shown = withoutSecrets(fork?.detection ?? detected, own.patterns);
  const told = { asked: transcript.value, fork };
  return done(detectText(context, told, shown), detectData(context, told, shown), notes);
}

/** The transcript that was asked about, and where that is a fork's what is gone by instead. */
interface Told {
  readonly asked: Transcript;
  readonly fork: ForkProject | null;
}

/** Names are as much a transcript's words as the texts beside them: a folder or a skill can be called by a token. */
function withoutSecrets(detection: Detection, patterns: readonly RegExp[]): Detection {
  const clean = (text: string): string => redact(text, patterns);
  const { switchedBy, evidence } = detection;
  return {
    ...detection,
    switchedBy: switchedBy === null ? null : { ...switchedBy, name: clean(switchedBy.name) },
    evidence: evidence.map((item) => ({ ...item, project: clean(item.project), text: clean(item.text) })),
  };
}

function detectText(context: CommandContext, { asked, fork }: Told, detection: Detection): string {
  const { transcript } = fork ?? { transcript: asked };
  const { project, confidence, switchedBy, runnerUp, bulk, scores, evidence } = detection;
  const verdict =
    project === null
      ? bulk
        ? "No project: several were worked on, without a clear lead."
        : "No project in hand."
      : `${project} (confidence ${confidence})`;
  const lines = [
    verdict,
    ...(fork === null ? [] : [printableLine(`Known ${forkText(fork)}: ${transcript.path}`)]),
    `Root: ${printableLine(context.paths.root)}`,
    ...(switchedBy === null
      ? []
      : [`Another skill took over: ${printableLine(switchedBy.name)}, line ${transcript.lineOfRow(switchedBy.row)}`]),
    ...(runnerUp === null ? [] : [`Runner-up: ${runnerUp.project}`]),
  ];
  const counted = evidence.filter((item) => item.counted);
  const others = evidence.filter((item) => !item.counted);
  return [
    `${lines.join("\n")}\n`,
    scores.length === 0 ? "" : `\n${scoreTable(scores)}`,
    counted.length === 0 ? "" : `\nCounted:\n${evidenceTable(transcript, counted)}`,
    others.length === 0 ? "" : `\nNot counted:\n${evidenceTable(transcript, others)}`,
  ].join("");
}

function scoreTable(scores: readonly ProjectScore[]): string {
  const header = ["PROJECT", "SCORE", "WRITES", "READS", "SKILL CALLS", "MENTIONS"];
  const rows = scores.map((score) => [
    score.project,
    score.score.toFixed(2),
    String(score.writes),
    String(score.reads),
    String(score.skillCalls),
    String(score.mentions),
  ]);
  return table([header, ...rows]);
}

/** The newest lines say most: the older ones are counted. */
const SHOWN_EVIDENCE = 30;

function evidenceTable(transcript: Transcript, evidence: readonly Evidence[]): string {
  const shown = evidence.slice(-SHOWN_EVIDENCE);
  const rows = shown.map((item) => [
    `line ${transcript.lineOfRow(item.row)}`,
    item.project,
    item.kind,
    printableLine(item.text),
    `(${item.why})`,
  ]);
  const left = evidence.length - shown.length;
  return `${left === 0 ? "" : `${plural(left, "older one")} left out; --json has all of them.\n`}${table(rows)}`;
}

function detectData(context: CommandContext, { asked, fork }: Told, detection: Detection): Record<string, unknown> {
  const { transcript } = fork ?? { transcript: asked };
  const { project, confidence, switched, switchedBy, runnerUp, bulk, scores, evidence } = detection;
  return {
    root: context.paths.root,
    transcript: asked.path,
    // Lines are of that one's transcript.
    fork_of: fork?.session ?? null,
    project,
    confidence,
    switched,
    switched_by: switchedBy === null ? null : { name: switchedBy.name, line: transcript.lineOfRow(switchedBy.row) },
    bulk,
    runner_up: runnerUp?.project ?? null,
    scores: scores.map(({ compactionsAgo, skillCalls, lastIndex: _, lastRow, ...score }) => ({
      ...score,
      skill_calls: skillCalls,
      compactions_ago: compactionsAgo,
      last_line: transcript.lineOfRow(lastRow),
    })),
    evidence: evidence.map(({ row, ...item }) => ({ line: transcript.lineOfRow(row), ...item })),
    rows: { broken: asked.broken, oversize: asked.oversize, partial: asked.partial },
  };
}
