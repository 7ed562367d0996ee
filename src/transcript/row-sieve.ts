import type { ClueContext } from "./evidence.ts";

/**
 * Tells rows that can say something of the project in hand from those that cannot, by their text alone, one character a
 * byte: parsing one takes ten times as long. It holds what may point to a project, begin a stretch, or take a call back;
 * what is not sure is let through. An interruption, a prompt and the result of a call that went well are none of these.
 */
export function openSieve({
  projectsFolder,
  root,
  cwd,
}: Pick<ClueContext, "projectsFolder" | "root" | "cwd">): (row: string) => boolean {
  const folder = projectsFolder.split(/[/\\]/).findLast((part) => part !== "" && part !== ".") ?? "";
  // A name that JSON may spell in several ways, or a base that every relative path lies in the projects from.
  const everyCall = !PLAIN.test(folder) || root.includes(folder) || (cwd?.includes(folder) ?? false);
  const ofCalls = [folder, ...TALKING];
  return (row) => {
    if (row.includes('tool_use"') && (everyCall || ofCalls.some((word) => row.includes(word)))) return true;
    return hasFailure(row) || ANYWHERE.some((word) => row.includes(word));
  };
}

const PLAIN = /^[A-Za-z0-9._-]+$/;

/** The tools whose words may name a project: `Skill`, and those of `toolTalk`. */
const TALKING = ['"Skill"', '"Agent"', '"Task', '"TodoWrite"'];

/** Compactions, their summaries, and commands that a person typed. */
const ANYWHERE = [
  "compact_boundary",
  "isCompactSummary",
  "isVisibleInTranscriptOnly",
  "command-name",
  "command-message",
];

/** Whether a result may be one of a call that failed: anything but the plain `false` is. */
function hasFailure(row: string): boolean {
  for (let at = row.indexOf(IS_ERROR); at !== -1; at = row.indexOf(IS_ERROR, at + 1)) {
    if (!row.startsWith(FALSE, at + IS_ERROR.length)) return true;
  }
  return false;
}

const IS_ERROR = "is_error";
const FALSE = '":false';
