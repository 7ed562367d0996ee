import { type Diagnostic, diagnosticAt } from "../base/diagnostic.ts";
import { invariant } from "../base/invariant.ts";
import { err, ok, type Result } from "../base/result.ts";
import { type Position, positionAt, type SourceText, type Span, sourceText } from "../base/source-text.ts";
import { type JsonContainer, type JsonDocument, type JsonElement, memberOf, readJson, stringOf } from "./json-tree.ts";
import { type OurCommand, ourCommand, usualMatcher } from "./our-hooks.ts";

/** A settings file of the client that can be changed safely: an object, or nothing at all. */
export interface SettingsDocument {
  readonly source: SourceText;
  readonly json: JsonDocument;
  /** The `hooks` object's events, where there is one. */
  readonly hooks: JsonContainer | null;
}

/** Reads a settings file; a finding with its place where it is no JSON, or not of the shape that hooks need. */
export function readSettings(text: string): Result<SettingsDocument, Diagnostic> {
  const source = sourceText(text);
  const refuse = (code: string, span: Span, message: string, hint: string) =>
    err(diagnosticAt(source, { code, severity: "error", span, message, hint }));
  const json = readJson(text);
  if (!json.ok) {
    const { offset, message } = json.error;
    return refuse(
      "not-json",
      { start: offset, end: offset },
      `Not JSON: ${message}.`,
      "Mend it there; it is left as it is.",
    );
  }
  const { root } = json.value;
  if (root !== null && root.kind !== "object") {
    return refuse(
      "not-settings",
      root,
      `Found ${kindOf(root)}, expected an object.`,
      "Settings are names and values in braces.",
    );
  }
  const doubled = root === null ? null : repeated(root, "hooks");
  if (doubled !== null) return refuse("repeated-name", doubled, 'The name "hooks" stands twice.', MERGE);
  const hooks = memberOf(root, "hooks")?.value ?? null;
  if (hooks !== null && hooks.kind !== "object") {
    return refuse(
      "not-settings",
      hooks,
      `Found ${kindOf(hooks)} under "hooks", expected an object.`,
      "It names events.",
    );
  }
  if (hooks === null) return ok({ source, json: json.value, hooks });
  for (const event of hooks.elements) {
    const name = event.key ?? "";
    const place = repeated(hooks, name);
    if (place !== null) return refuse("repeated-name", place, `The event "${name}" stands twice under "hooks".`, MERGE);
    if (event.value.kind !== "array") {
      const message = `Found ${kindOf(event.value)} under the event "${name}", expected an array.`;
      return refuse("not-settings", event.value, message, "It lists groups of hooks.");
    }
  }
  return ok({ source, json: json.value, hooks });
}

const MERGE = "The client reads the last one only; bring the two together.";

function kindOf(node: { readonly kind: string; readonly value?: unknown }): string {
  if (node.kind === "array") return "an array";
  if (node.kind === "object") return "an object";
  return node.value === null ? "null" : `a ${typeof node.value}`;
}

/** Where a name stands for the second time. */
function repeated({ elements }: JsonContainer, key: string): Span | null {
  const all = elements.filter((element) => element.key === key);
  const second = all[1];
  return second === undefined ? null : { start: second.start, end: second.start + JSON.stringify(key).length };
}

/** The list of an event's groups of hooks. */
export function groupsOf(event: JsonElement): JsonContainer {
  invariant(event.value.kind === "array", "settings are read where each event lists its groups");
  return event.value;
}

/** A hook of ours that a settings file registers, and the containers it stands in. */
export interface RegisteredHook extends OurCommand {
  readonly event: string;
  readonly command: string;
  /** Whether the client would run it as this program registers it: a command with a limit, at every start of the event. */
  readonly timed: boolean;
  readonly matcher: string | null;
  readonly position: Position;
  readonly events: JsonContainer;
  readonly eventIndex: number;
  readonly groups: JsonContainer;
  readonly groupIndex: number;
  readonly entries: JsonContainer;
  readonly entryIndex: number;
}

/** A line that does more, or a group that is limited to other calls or starts: somebody meant it so. */
export function isCustom({ event, hook, matcher, plain }: RegisteredHook): boolean {
  return !plain || alternatives(matcher) !== alternatives(usualMatcher(event, hook));
}

/** A matcher of the same names in another order is the same one. */
function alternatives(matcher: string | null): string | null {
  return matcher === null ? null : matcher.split("|").sort().join("|");
}

/** Every hook of ours in a settings file, in its order. */
export function registeredHooks(
  { hooks, source }: SettingsDocument,
  foreign: ReadonlySet<string>,
): readonly RegisteredHook[] {
  if (hooks === null) return [];
  const found: RegisteredHook[] = [];
  for (const [eventIndex, event] of hooks.elements.entries()) {
    const groups = groupsOf(event);
    for (const [groupIndex, group] of groups.elements.entries()) {
      const entries = memberOf(group.value, "hooks")?.value;
      if (entries?.kind !== "array") continue;
      for (const [entryIndex, entry] of entries.elements.entries()) {
        const command = stringOf(memberOf(entry.value, "command")?.value);
        const ours = command === null ? null : ourCommand(command, foreign);
        if (command === null || ours === null) continue;
        found.push({
          ...ours,
          event: event.key ?? "",
          command,
          timed: isTimed(entry),
          matcher: matcherOf(group),
          position: positionAt(source, entry.start),
          ...{ events: hooks, eventIndex, groups, groupIndex, entries, entryIndex },
        });
      }
    }
  }
  return found;
}

function isTimed({ value }: JsonElement): boolean {
  const timeout = memberOf(value, "timeout")?.value;
  const seconds = timeout?.kind === "scalar" ? timeout.value : null;
  return stringOf(memberOf(value, "type")?.value) === "command" && typeof seconds === "number" && seconds > 0;
}

/** What a group is limited to; null where the client runs it always. */
function matcherOf({ value }: JsonElement): string | null {
  const matcher = stringOf(memberOf(value, "matcher")?.value);
  return matcher === "" || matcher === "*" ? null : matcher;
}
