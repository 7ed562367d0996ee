import { resolve } from "node:path";
import { plural } from "../base/plural.ts";
import { err, type Result } from "../base/result.ts";
import { homeFolder } from "../platform/home-folder.ts";
import { findTranscript, readTranscript, type Transcript } from "../stores/transcript-store.ts";
import { partsBelow, resolvePath } from "../transcript/path-text.ts";
import { redact } from "../transcript/redact.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";
import { failed, type Report, usage } from "./report.ts";

const NAME_ONE = "Name a transcript of the client: a .jsonl file.";

/** The transcript that is named, else that of the session that runs this command; `way` is how one is named to it. */
export function sessionTranscript(
  context: CommandContext,
  name: string | undefined,
  way: string,
): Result<Transcript, Report> {
  if (name !== undefined) return openTranscript(context, name);
  const session = sessionOf(context);
  const hint = `Name the transcript: ${way}.`;
  if (session === null) return err(usage("No transcript is named, and no session runs this command.", hint));
  const path = findTranscript(context.env, session);
  if (path !== null) return openTranscript(context, path);
  const message = `The client has no transcript of session ${session}.`;
  return err(failed({ code: "transcript-missing", message, hint }));
}

/** A transcript that a person names; a report where it cannot be read, or is something else. */
function openTranscript(context: CommandContext, name: string): Result<Transcript, Report> {
  const transcript = openRows(context, name);
  if (!transcript.ok || !isNone(transcript.value)) return transcript;
  const rows = plural(transcript.value.rows, "row");
  const message = `${resolve(context.cwd, name)} holds no transcript: none of its ${rows} is a JSON object.`;
  return err(failed({ code: "transcript-invalid", message, hint: NAME_ONE }));
}

/** As `openTranscript`, for whoever goes on without it where no row of it is a record. */
export function openRows(context: CommandContext, name: string): Result<Transcript, Report> {
  const transcript = readTranscript(resolve(context.cwd, name), "whole");
  if (transcript.ok) return transcript;
  const { code, message } = transcript.error;
  return err(failed({ code: `transcript-${code}`, message: `${message}.`, hint: NAME_ONE }));
}

/** Whether the file is something else: there are rows, and not one of them is a record. */
export function isNone({ broken, partial, rows }: Transcript): boolean {
  return broken > 0 && broken + partial === rows;
}

/** What was passed over, and where nothing is left: an empty answer would look like a quiet session. */
export function transcriptNotes({ activities, broken, oversize, whole }: Transcript): readonly string[] {
  // A last row that is still being written is every session's that goes on.
  const parts = [
    broken === 0 ? "" : `${plural(broken, "broken row")}`,
    oversize === 0 ? "" : `${plural(oversize, "row")} too large to read`,
  ].filter((part) => part !== "");
  const notes = [
    ...(parts.length === 0 ? [] : [`Passed over: ${parts.join(", ")}.`]),
    ...(activities.length === 0 ? [NO_RECORDS] : []),
  ];
  return whole ? notes : [...notes, "The file is too large to read whole; only its end was read."];
}

/** What is said of a file that is no transcript. */
export const NO_RECORDS = "The file holds no record of a conversation.";

/** A sentence where the whole session took place elsewhere: what it did then counts for no project here. */
export function foreignNotes(context: CommandContext, { activities }: Transcript): readonly string[] {
  const { root } = context.paths;
  const resolved = (path: string): string => resolvePath(path, "/", { root, home: homeFolder(context.env) });
  const folders = new Set(activities.flatMap(({ cwd }) => cwd ?? []));
  const [first] = folders;
  if (first === undefined || [...folders].some((folder) => partsBelow(resolved(folder), resolved(root)) !== null)) {
    return [];
  }
  return [`This session took place in ${redact(first)}, not in ${root}. If that is the project, name it with --root.`];
}
