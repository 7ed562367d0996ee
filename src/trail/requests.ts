import { placeOf, remarkOn, type Step, type TrailContext } from "./context.ts";
import type { Reference, Request } from "./model.ts";

/**
 * What the person asked for, newest first; the first one that was read stays whatever the trail's reach, and the last until
 * something newer is asked for: an agent may work on it through several compactions. The first is the session's
 * where all of that was read: a fork's transcript begins with the summary of what its parent did.
 */
export function requests(steps: readonly Step[], context: TrailContext, whole: boolean): readonly Request[] {
  const found: Request[] = [];
  let isFirst = whole;
  const last = steps.findLast(({ activity, main }) => main && requestIn(activity, context) !== null);
  for (const step of steps) {
    const { activity, inside, main } = step;
    if (!main || !(inside || found.length === 0 || step === last)) continue;
    if (activity.kind === "compact-summary") isFirst = false;
    const said = requestIn(activity, context);
    if (said === null) continue;
    const before = found.at(-1);
    // The client writes some of what was typed ahead twice; who says the same again asks for nothing else.
    const isAgain = before?.text === said.text && before.kind === said.kind;
    const again = isAgain ? found.pop() : undefined;
    found.push({ ...placeOf(activity), ...said, first: again?.first ?? isFirst });
    isFirst = false;
  }
  return found.reverse();
}

function requestIn(activity: Step["activity"], context: TrailContext): Pick<Request, "kind" | "text"> | null {
  if (activity.kind === "slash-command") {
    if (activity.builtIn && !WORKING.has(activity.name)) return null;
    return { kind: "command", text: context.clean(`/${activity.name} ${activity.args}`, LONGEST) };
  }
  if (activity.kind === "prompt") {
    const text = context.clean(activity.text, LONGEST);
    return text === "" ? null : { kind: "prompt", text };
  }
  const remark = activity.kind === "tool-call" ? remarkOn(activity) : null;
  return remark === null ? null : { kind: "remark", text: context.clean(remark, LONGEST) };
}

/** The client's own commands that hand the agent a piece of work. */
const WORKING: ReadonlySet<string> = new Set(["init", "review", "security-review", "pr-comments"]);

const LONGEST = 2_000;

/** Links and issue numbers that the person named, each once, newest first. */
export function references(steps: readonly Step[], context: TrailContext): readonly Reference[] {
  const found = new Map<string, Reference>();
  for (const { activity, main } of steps) {
    if (!main) continue;
    const text = activity.kind === "prompt" ? activity.text : activity.kind === "slash-command" ? activity.args : "";
    if (!MAY_REFER.test(text)) continue;
    const said = context.clean(text, LONGEST_LOOKED_AT);
    const links = [...said.matchAll(LINK)].map(([link]) => withoutClosing(link));
    const rest = said.replace(LINK, " ").replace(PASTED, " ");
    const issues = [...rest.matchAll(ISSUE)]
      .map(([issue]) => issue)
      .filter((issue) => !/^(?:UTF|SHA|ISO|MD|GPT)-/.test(issue));
    for (const link of links) add(found, { kind: "link", text: context.cleanLine(link, 500) });
    for (const issue of issues) add(found, { kind: "issue", text: issue });
  }
  return [...found.values()].reverse();
}

/** Without the marks of the sentence that it stands in. */
function withoutClosing(link: string): string {
  let end = link.length;
  const marks = link.includes("[") ? ").,;:!?*" : ").,;:!?*]";
  while (end > 0 && marks.includes(link.charAt(end - 1))) end -= 1;
  return link.slice(0, end);
}

function add(found: Map<string, Reference>, reference: Reference): void {
  found.delete(reference.text);
  found.set(reference.text, reference);
}

const MAY_REFER = /https?:\/\/|[#!][0-9]|[A-Z]-[0-9]/;
const LINK = /https?:\/\/[^\s<>"'`|\\^{}]{1,1000}/g;
// `#12`, `!12`, `owner/repo#12`, `ABC-12`. Bounded, so that a megabyte of letters costs one pass.
const ISSUE =
  /(?<![\w/#&!.-])(?:[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}#[0-9]{1,9}|[#!][0-9]{1,9}|[A-Z][A-Z0-9]{1,9}-[0-9]{1,7})(?![\w-])/g;
// How the client numbers what was pasted: "[Image #1]", "[Pasted text #2 +30 lines]".
const PASTED = /\[(?:Image|Pasted text|\.\.\.Truncated text) #[0-9]{1,4}[^\]\n]{0,40}\]/g;
const LONGEST_LOOKED_AT = 65_536;
