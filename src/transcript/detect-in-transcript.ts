import { activitiesOf } from "./activity.ts";
import { type Detection, detectProject } from "./detect-project.ts";
import { isWorthParsing, type Row, readRows, rowsOfText } from "./row.ts";

/** Where the projects are, and what else is known beside the transcript. Paths are texts: nothing is looked up. */
export interface TranscriptPlaces {
  /** The project's root, absolute. */
  readonly root: string;
  /** The folder that holds the projects, relative to the root: `02-projects`. */
  readonly projectsFolder: string;
  /** Ids of the project folders that exist; null or absent when that was not looked up, and every id counts. */
  readonly knownProjects?: ReadonlySet<string> | null | undefined;
  /** The person's home folder, for paths that begin with `~`. */
  readonly home?: string | null | undefined;
  /** The session's working directory, for records without one; outside the root it is taken for a worktree of it. */
  readonly cwd?: string | null | undefined;
  /** Other spellings of the root: a worktree elsewhere, the target of a link. Absolute. */
  readonly aliases?: readonly string[] | undefined;
  /** Further patterns of secrets, for the texts of the evidence; each takes time that is linear in the text. */
  readonly redactPatterns?: readonly RegExp[] | undefined;
}

/** The project in hand, and the rows that could not be read. */
export interface TranscriptDetection extends Detection {
  /** Rows that are no JSON object, or no UTF-8; the client's own rows are passed over unread. */
  readonly broken: number;
  /** 1 where a text ends in the middle of a row, as a file does that is being written; else 0. */
  readonly partial: number;
}

/**
 * Tells which project is in hand from what the client wrote down: the text of a transcript (JSON Lines), or its rows, oldest
 * first, as texts or bytes without their newlines. Bad rows are counted and passed over; nothing throws. What counts is work
 * on files, never a name in some text: of a long session the last rows decide.
 */
export function detectInTranscript(
  transcript: string | Iterable<string | Uint8Array>,
  { home = null, ...places }: TranscriptPlaces,
): TranscriptDetection {
  const rows = typeof transcript === "string" ? rowsOfText(transcript) : rowsOf(transcript);
  const { entries, broken, partial } = readRows(worthwhile(rows));
  return { ...detectProject(activitiesOf(entries), { home, ...places }), broken, partial };
}

function* rowsOf(rows: Iterable<string | Uint8Array>): Iterable<Row> {
  let row = 0;
  for (const bytes of rows) {
    if (typeof bytes === "string" ? bytes.trim() !== "" : bytes.length > 0) yield { bytes, row, terminated: true };
    row += 1;
  }
}

// Two of three rows are the client's own, and can repeat whole conversations.
function* worthwhile(rows: Iterable<Row>): Iterable<Row> {
  for (const row of rows) if (typeof row.bytes !== "string" || isWorthParsing(row.bytes.slice(0, HEAD))) yield row;
}

/** More than the longest beginning that `isWorthParsing` knows. */
const HEAD = 256;
