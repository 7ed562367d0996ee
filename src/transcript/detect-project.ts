import type { Activity } from "./activity.ts";
import { activityText } from "./activity-text.ts";
import { clueContext, confidenceIn, type DetectPlaces, objectionTo, objectionToClue, workOn } from "./clue-weight.ts";
import { type ClueContext, type EvidenceKind, readActivity } from "./evidence.ts";
import { isBulk, type ProjectScore, type ScoredClue, scoreProjects } from "./project-score.ts";

export type Confidence = "high" | "medium" | "low";

export interface DetectOptions extends DetectPlaces {
  /** A person's own patterns of secrets, for the texts of the evidence. */
  readonly redactPatterns?: readonly RegExp[] | undefined;
  /** False leaves `evidence` empty, where nobody reads it. */
  readonly withEvidence?: boolean;
}

/** One thing that was weighed. `text` is redacted and short; `row` is the record's ordinal in what was read, from 0. */
export interface Evidence {
  readonly row: number;
  readonly kind: EvidenceKind;
  readonly project: string;
  readonly text: string;
  readonly counted: boolean;
  readonly why: string;
}

export interface OtherSkill {
  readonly name: string;
  readonly row: number;
}

export interface Detection {
  readonly project: string | null;
  readonly confidence: Confidence | null;
  /** Another skill took over after the last work on the project. */
  readonly switched: boolean;
  readonly switchedBy: OtherSkill | null;
  /** A person wrote something after the last work on the project. */
  readonly talkedSince: boolean;
  /** The last other skill that was started at all, project or not. */
  readonly otherSkill: OtherSkill | null;
  /** Three or more projects without a clear lead: `project` is null. */
  readonly bulk: boolean;
  readonly scores: readonly ProjectScore[];
  readonly runnerUp: ProjectScore | null;
  readonly evidence: readonly Evidence[];
}

interface Weighed {
  readonly scored: ScoredClue[];
  readonly evidence: Evidence[];
  readonly skills: (OtherSkill & { readonly index: number; readonly names: ReadonlySet<string> })[];
}

/** The project in hand, from what the agent did: calls on its files, the project skills, commands with an id. */
export function detectProject(activities: readonly Activity[], options: DetectOptions): Detection {
  const { scored, evidence, skills } = weigh(activities, clueContext(options), options);
  const scores = scoreProjects(scored);
  const bulk = isBulk(scores, scored);
  const leader = bulk ? undefined : scores[0];
  const lastSkill = skills.at(-1);
  const otherSkill = lastSkill === undefined ? null : { name: lastSkill.name, row: lastSkill.row };
  if (leader === undefined) {
    const runnerUp = scores[0] ?? null;
    const none = { project: null, confidence: null, switched: false, switchedBy: null, talkedSince: false };
    return { ...none, otherSkill, bulk, scores, runnerUp, evidence };
  }
  const lastWork = workOn(leader.project, scored).at(-1)?.index ?? -1;
  const after = skills.find(({ index, names }) => index > lastWork && lastWork !== -1 && !names.has(leader.project));
  const switchedBy = after === undefined ? null : { name: after.name, row: after.row };
  return {
    project: leader.project,
    confidence: confidenceIn(leader.project, scored),
    switched: switchedBy !== null,
    switchedBy,
    talkedSince: activities.some(({ kind, sidechain }, index) => kind === "prompt" && !sidechain && index > lastWork),
    otherSkill,
    bulk,
    scores,
    runnerUp: scores[1] ?? null,
    evidence,
  };
}

function weigh(
  activities: readonly Activity[],
  context: ClueContext,
  { withEvidence = true, redactPatterns = [] }: DetectOptions,
): Weighed {
  const weighed: Weighed = { scored: [], evidence: [], skills: [] };
  const stretches = compactionsAgoOf(activities);
  for (const [index, activity] of activities.entries()) {
    const { clues, otherSkill } = readActivity(activity, context);
    if (clues.length === 0 && otherSkill === null) continue;
    const against = objectionTo(activity);
    const row = activity.row;
    for (const clue of clues) {
      const why = against ?? objectionToClue(clue, context);
      if (why === null && clue.kind !== "prompt") {
        const { project, kind } = clue;
        weighed.scored.push({ project, kind, index, row, compactionsAgo: stretches[index] ?? 0 });
      }
      if (withEvidence) {
        const { kind, project } = clue;
        weighed.evidence.push({
          row,
          kind,
          project,
          // Of hundreds a start shows twenty, and to look for secrets takes longer than all the rest.
          get text() {
            return activityText(activity, redactPatterns);
          },
          counted: why === null,
          why: why ?? clue.why,
        });
      }
    }
    if (otherSkill !== null && against === null) {
      weighed.skills.push({ name: otherSkill, row, index, names: new Set(clues.map(({ project }) => project)) });
    }
  }
  return weighed;
}

/** For each activity, the compactions between it and the end. A boundary and the summary behind it are one compaction. */
function compactionsAgoOf(activities: readonly Activity[]): readonly number[] {
  let ago = 0;
  let summaryBelow = false;
  const reversed = activities.toReversed().map((activity) => {
    const own = ago;
    if (activity.sidechain) return own;
    if (activity.kind === "compact-summary") {
      ago += 1;
      summaryBelow = true;
    } else if (activity.kind === "compact-boundary") {
      if (!summaryBelow) ago += 1;
      summaryBelow = false;
    } else summaryBelow = false;
    return own;
  });
  return reversed.reverse();
}
