import type { Diagnostic } from "../base/diagnostic.ts";
import { invariant } from "../base/invariant.ts";
import { ok, type Result } from "../base/result.ts";
import { insertElement, type NewElement, print, removeElement, styleOf } from "./json-edit.ts";
import { type JsonContainer, memberOf } from "./json-tree.ts";
import type { WantedHook } from "./our-hooks.ts";
import { isCustom, type RegisteredHook, registeredHooks } from "./registered-hooks.ts";
import { checkEdit } from "./settings-check.ts";
import { parsed, readSettings, type SettingsDocument } from "./settings-document.ts";

/**
 * `remove`: all go. `move`: another file has them from now on, and what a person has changed stays. The last two are about
 * the gate alone.
 */
export type Rest = "remove" | "move" | "keep" | "remove-gate" | "move-gate";

export interface SettingsRequest {
  /** What the file is to register. */
  readonly wanted: readonly WantedHook[];
  /** What becomes of our hooks at events of which nothing is wanted there. */
  readonly rest: Rest;
  /** Names of scripts in `.claude/hooks` that are not ours. */
  readonly foreign: ReadonlySet<string>;
}

export interface SettingsEdit {
  /** Null: there is to be no such file. */
  readonly text: string | null;
  /** Hooks of ours that a person has changed: they are left as they are. */
  readonly custom: readonly RegisteredHook[];
}

/**
 * Settings in which our hooks are as wanted, once each; every byte that is not ours stays. `text` is null where there is
 * no file. A second edit changes nothing; an edit for nothing but removal gives back the bytes from before the first.
 */
export function editSettings(text: string | null, request: SettingsRequest): Result<SettingsEdit, Diagnostic> {
  const before = readSettings(text ?? "");
  if (!before.ok) return before;
  const { foreign, rest, wanted } = request;
  const all = registeredHooks(before.value, foreign);
  const stale = new Set<string>();
  const missing: WantedHook[] = [];
  for (const event of new Set(wanted.map((hook) => hook.event))) {
    const hooks = wanted.filter((hook) => hook.event === event);
    const present = all.filter((hook) => hook.event === event);
    if (present.some(isCustom) && !present.some((hook) => !isCustom(hook))) continue;
    if (
      sameHooks(
        present.filter((hook) => !isCustom(hook)),
        hooks,
      )
    )
      continue;
    stale.add(event);
    missing.push(...hooks);
  }
  const drop = (hook: RegisteredHook): boolean => {
    if (!hook.plain) return false;
    if (stale.has(hook.event)) return !isCustom(hook);
    if (wanted.some(({ event }) => event === hook.event)) return false;
    return goes(hook, rest);
  };
  const cleaned = text === null ? null : without(text, drop, foreign);
  const edited = missing.length === 0 ? cleaned : withHooks(cleaned, missing);
  checkEdit(before.value, parsed(edited ?? ""), foreign, drop, missing);
  return ok({ text: edited, custom: all.filter((hook) => isCustom(hook) && !drop(hook)) });
}

function goes(hook: RegisteredHook, rest: Rest): boolean {
  switch (rest) {
    case "remove":
      return true;
    case "remove-gate":
      return hook.hook === "gate";
    case "move":
      return !isCustom(hook);
    case "move-gate":
      return hook.hook === "gate" && !isCustom(hook);
    case "keep":
      return false;
    default:
      return rest satisfies never;
  }
}

function sameHooks(present: readonly RegisteredHook[], wanted: readonly WantedHook[]): boolean {
  const commands = (hooks: readonly { readonly command: string }[]): string =>
    JSON.stringify(hooks.map(({ command }) => command).sort());
  return present.every(({ timed }) => timed) && commands(present) === commands(wanted);
}

/** One hook after the other, from the last: each removal reads the text anew. */
function without(text: string, drop: (hook: RegisteredHook) => boolean, foreign: ReadonlySet<string>): string | null {
  let current = text;
  for (;;) {
    const document = parsed(current);
    const hook = registeredHooks(document, foreign).findLast(drop);
    if (hook === undefined) return current;
    const next = withoutHook(document, hook);
    if (next === null) return null;
    current = next;
  }
}

/** Where an entry stands among the containers of its file. */
type EntryPlace = Pick<RegisteredHook, "events" | "eventIndex" | "groups" | "groupIndex" | "entries" | "entryIndex">;

/** The text without one entry, and without the containers that held nothing else; null where nothing is left of the file. */
export function withoutHook({ json, source }: SettingsDocument, hook: EntryPlace): string | null {
  if (hook.entries.elements.length > 1 || json.comments.some((comment) => isBeside(comment, hook))) {
    const left = removeElement(json, hook.entries, hook.entryIndex, "keep");
    invariant(left !== "emptied", "a list that is kept has a text");
    return left;
  }
  const ofGroup = removeElement(json, hook.groups, hook.groupIndex);
  if (ofGroup !== "emptied") return ofGroup;
  const ofEvent = removeElement(json, hook.events, hook.eventIndex);
  if (ofEvent !== "emptied") return ofEvent;
  const { root } = json;
  invariant(root?.kind === "object", "hooks stand in an object");
  const ofRoot = removeElement(
    json,
    root,
    root.elements.findIndex(({ key }) => key === "hooks"),
  );
  if (ofRoot !== "emptied") return ofRoot;
  const [head, tail] = [json.text.slice(0, root.start), json.text.slice(root.end)];
  const { newline } = source;
  if (tail === newline && json.comments.some(({ end }) => json.text.slice(end, root.start) === newline))
    return head.slice(0, -newline.length);
  const left = head + tail;
  // A file that was made for the hooks ends with a line break; one that was there and empty does not.
  return root.start === 0 && left === newline ? null : left;
}

/** Whether a comment stands in the hook's group and not in the hook itself: the group is not all ours. */
function isBeside(comment: { readonly start: number; readonly end: number }, hook: EntryPlace): boolean {
  const group = hook.groups.elements[hook.groupIndex];
  const entry = hook.entries.elements[hook.entryIndex];
  invariant(group !== undefined && entry !== undefined, "a hook stands in its containers");
  const inGroup = comment.start >= group.start && comment.end <= group.end;
  return inGroup && !(comment.start >= entry.start && comment.end <= entry.end);
}

function withHooks(text: string | null, hooks: readonly WantedHook[]): string {
  let current = text;
  for (const event of new Set(hooks.map((hook) => hook.event))) {
    const wanted = hooks.filter((hook) => hook.event === event);
    current = withGroup(current, event, hookGroup(wanted));
  }
  return current ?? "";
}

/** Hooks of one event as the client's settings hold them. */
export function hookGroup(hooks: readonly WantedHook[]): object {
  const matcher = hooks[0]?.matcher ?? null;
  invariant(
    hooks.every((hook) => hook.matcher === matcher),
    "the hooks of a group have one matcher",
  );
  const entries = hooks.map(({ command, timeout }) => ({ type: "command", command, timeout }));
  return matcher === null ? { hooks: entries } : { matcher, hooks: entries };
}

function withGroup(text: string | null, event: string, group: object): string {
  const { json, hooks, source } = parsed(text ?? "");
  const style = styleOf(json, source.newline);
  const { root } = json;
  if (root?.kind !== "object") {
    const made = print({ key: null, value: { hooks: { [event]: [group] } } }, "", style);
    if (text === null) return `${made}${style.newline}`;
    // Behind a comment that ends the text: the line break at the end says that both are ours.
    return json.comments.some(({ end }) => end === text.length)
      ? `${text}${style.newline}${made}${style.newline}`
      : `${text}${made}`;
  }
  const add = (container: JsonContainer, element: NewElement): string => insertElement(json, container, element, style);
  if (hooks === null) return add(root, { key: "hooks", value: { [event]: [group] } });
  const groups = memberOf(hooks, event)?.value;
  if (groups?.kind !== "array") return add(hooks, { key: event, value: [group] });
  return add(groups, { key: null, value: group });
}
