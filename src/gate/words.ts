import { plural } from "../base/plural.ts";
import { printableLine } from "../base/printable.ts";
import { firstUnseen, together } from "./coverage.ts";
import { type GateState, MOST_DENIALS, type Required, unread } from "./state.ts";

/** The client shows a reason whole; the first files are enough to go on with. */
const MOST_LISTED = 30;

/** What the agent is told in place of its edit. `absolute` makes a path that its Read tool takes. */
export function denialReason(state: GateState, absolute: (path: string) => string): string {
  const files = unread(state);
  const lines = files.slice(0, MOST_LISTED).map((file) => `- ${printableLine(absolute(file.path))}${readOn(file)}`);
  const rest = files.length - lines.length;
  const left = MOST_DENIALS - state.denials;
  const again =
    left > 0
      ? `This is denial ${state.denials} of at most ${MOST_DENIALS}.`
      : `This is the last of ${MOST_DENIALS} denials: the next edit passes.`;
  const [have, them] = files.length === 1 ? ["has", "it"] : ["have", "them"];
  return [
    `The context was compacted: ${files.length} of ${plural(state.required.length, "required file")} ${have} not been read since. Read ${them} with the Read tool, then try the edit again:`,
    ...lines,
    ...(rest === 0 ? [] : [`- and ${rest} more, which the next denial lists`]),
    again,
    'A person can open this gate with a prompt that says "skip the gate".',
  ].join("\n");
}

function readOn({ given, read }: Required): string {
  const line = firstUnseen(together(given, read));
  return line === null || line === 1 ? "" : ` (read on from line ${line})`;
}

/** The one shape in which clients since 2.0 take a denial; other output would change what they ask the person. */
export function denialJson(reason: string): string {
  const output = {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: reason,
  };
  return `${JSON.stringify({ hookSpecificOutput: output })}\n`;
}

/** What is said when edits pass although files are unread. */
export function letGoNote(state: GateState): string {
  const paths = unread(state).map(({ path }) => path);
  const why = state.opened === "prompt" ? "a prompt opened the gate" : `the gate lets go after ${MOST_DENIALS} denials`;
  return `${why}; not read since the compaction: ${paths.join(", ")}`;
}
