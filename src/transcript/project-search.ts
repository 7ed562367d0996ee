import { merged } from "../base/merged.ts";
import type { Activity } from "./activity.ts";
import { clueContext, confidenceIn, type DetectPlaces, isWork, objectionTo, objectionToClue } from "./clue-weight.ts";
import type { Entry } from "./entry.ts";
import { type ClueContext, readActivity } from "./evidence.ts";
import { isBulk, type ScoredClue, scoreProjects } from "./project-score.ts";
import { isSaid, isWorthParsing, readRows } from "./row.ts";
import { openSieve } from "./row-sieve.ts";
import { type Agreement, agree, isSettled, NO_AGREEMENT } from "./settled.ts";

/** The project in hand and how sure that is; what `detectProject` says of the same rows. */
export interface ProjectInHand {
  readonly project: string;
  readonly confidence: "high" | "medium" | "low";
}

/** A search that is shown a transcript's rows from its end to its start. */
export interface ProjectSearch {
  /** Whether a row that begins so is to be looked at; `isWorthParsing`, but that a prompt may go on from any row. */
  readonly wants: (head: string) => boolean;
  /** A row, one character a byte (Latin-1); false where no earlier row can change the answer. */
  readonly look: (row: string) => boolean;
  readonly answer: () => ProjectInHand | null;
  /** Whether a project was worked on, and not only named. */
  readonly worked: () => boolean;
}

/**
 * Finds the project in hand as `detectProject` does, without parsing what says nothing of it, and without the rest of a
 * transcript whose end is clear. Nothing else that `detectProject` tells can be had in this way.
 */
export function openProjectSearch(options: DetectPlaces): ProjectSearch {
  const context = clueContext(options);
  // Results of calls that are not reached yet: true where the call failed.
  let results = new Map<string, boolean>();
  const says = openSieve(context);
  const newestFirst: ScoredClue[] = [];
  let [compactionsAgo, index] = [0, 0];
  let agreement: Agreement | null = NO_AGREEMENT;
  // What a person spoke to, and where the search stood then: what else goes on from there was taken back (`readRows`).
  const spokenTo = new Map<string, SpokenTo>();
  const take = (activity: Activity): void => {
    const ago = compactionsAgo;
    // A boundary and the summary behind it are two here: all that counts is which clues stand in one stretch.
    if (!activity.sidechain && STRETCH_ENDS.has(activity.kind)) compactionsAgo += 1;
    index -= 1;
    const found = objectionTo(activity) === null ? counted(activity, context, { index, compactionsAgo: ago }) : [];
    newestFirst.push(...found);
    if (agreement !== null && found.length > 0) agreement = agree(agreement, found);
  };
  const isClear = (): boolean => agreement !== null && isSettled(agreement);
  const look = (text: string): boolean => {
    for (const [id, then] of spokenTo) {
      // A record that was written again went on from there before, and took nothing back.
      if (text.startsWith(id, PARENT_AT) && !text.includes(then.uuid)) {
        newestFirst.splice(then.clues);
        ({ compactionsAgo, agreement } = then);
        results = new Map(then.results);
        return true;
      }
      if (text.includes(id, PARENT_AT + id.length)) spokenTo.delete(id);
    }
    if (!isClear() && isWorthParsing(text)) {
      const id = text.includes('"type":"user"') && !text.includes('"tool_result"') ? PARENT.exec(text)?.[1] : undefined;
      if (id !== undefined || says(text) || someIn(text, results)) {
        // ASCII is spelled as it is: to decode the first row takes a fresh process a sixth of a millisecond.
        const isAscii = Buffer.byteLength(text) === text.length;
        const bytes = isAscii ? text : Buffer.from(text, "latin1");
        const { entries } = readRows([{ bytes, row: 0, terminated: true }]);
        for (const entry of entries.toReversed()) {
          if (entry.kind === "tool-result") results.set(entry.toolUseId, entry.isError);
          const activity = activityOf(entry, results);
          if (activity !== null) take(activity);
        }
        const uuid = isSaid(entries) ? (entries[0]?.uuid ?? null) : null;
        if (id !== undefined && uuid !== null)
          spokenTo.set(id, {
            ...{ uuid, clues: newestFirst.length, compactionsAgo, agreement },
            results: new Map(results),
          });
      }
    }
    return spokenTo.size > 0 || !isClear();
  };
  const wants = (head: string): boolean => spokenTo.size > 0 || isWorthParsing(head);
  const worked = (): boolean => newestFirst.some(isWork);
  return { wants, look, answer: () => answerFrom(newestFirst.toReversed()), worked };
}

interface SpokenTo {
  /** Of what the person said. */
  readonly uuid: string;
  readonly clues: number;
  readonly compactionsAgo: number;
  readonly agreement: Agreement | null;
  readonly results: ReadonlyMap<string, boolean>;
}

/** How the client begins a row that goes on from a record, and where that one's id stands. */
const PARENT = /^\{"parentUuid":"([\w-]+)"/;
const PARENT_AT = 15;

const STRETCH_ENDS: ReadonlySet<Activity["kind"]> = new Set(["compact-boundary", "compact-summary"] as const);

function counted(
  activity: Activity,
  context: ClueContext,
  place: { readonly index: number; readonly compactionsAgo: number },
): readonly ScoredClue[] {
  return readActivity(activity, context).clues.flatMap((clue) => {
    const { project, kind } = clue;
    return kind === "prompt" || objectionToClue(clue, context) !== null
      ? []
      : [{ project, kind, row: place.index, index: place.index, compactionsAgo: place.compactionsAgo }];
  });
}

/** The activity that an entry begins; a call with the result that was seen behind it. Null where it is none. */
function activityOf(entry: Entry, results: Map<string, boolean>): Activity | null {
  if (entry.kind === "tool-use") {
    const failed = results.get(entry.id);
    results.delete(entry.id);
    const outcome = failed === undefined ? "in-flight" : failed ? "failed" : "ok";
    return merged(entry, { kind: "tool-call", outcome, result: "", note: null, answeredAt: null });
  }
  return entry.kind === "tool-result" || entry.kind === "unknown" ? null : entry;
}

/** A call whose result failed is read whatever it does, and so is a second result of it. */
function someIn(text: string, results: ReadonlyMap<string, boolean>): boolean {
  for (const id of results.keys()) if (text.includes(id)) return true;
  return false;
}

function answerFrom(scored: readonly ScoredClue[]): ProjectInHand | null {
  const scores = scoreProjects(scored);
  const leader = isBulk(scores, scored) ? undefined : scores[0];
  if (leader === undefined) return null;
  return { project: leader.project, confidence: confidenceIn(leader.project, scored) };
}
