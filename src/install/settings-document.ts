import { type Diagnostic, diagnosticAt } from "../base/diagnostic.ts";
import { invariant } from "../base/invariant.ts";
import { err, ok, type Result } from "../base/result.ts";
import { type SourceText, type Span, sourceText } from "../base/source-text.ts";
import { type JsonContainer, type JsonDocument, type JsonElement, kindName, memberOf, readJson } from "./json-tree.ts";

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
      `Found ${kindName(root)}, expected an object.`,
      "Write names and values in braces.",
    );
  }
  const doubled = root === null ? null : repeated(root, "hooks");
  if (doubled !== null)
    return refuse(
      "repeated-name",
      doubled,
      'The name "hooks" stands twice: the client reads the last one only.',
      MERGE,
    );
  const hooks = memberOf(root, "hooks")?.value ?? null;
  if (hooks !== null && hooks.kind !== "object") {
    return refuse(
      "not-hooks",
      hooks,
      `Found ${kindName(hooks)} under "hooks", expected an object.`,
      'Write an object that names events, or take "hooks" out.',
    );
  }
  if (hooks === null) return ok({ source, json: json.value, hooks });
  for (const event of hooks.elements) {
    const name = event.key ?? "";
    const place = repeated(hooks, name);
    if (place !== null)
      return refuse(
        "repeated-name",
        place,
        `The event "${name}" stands twice under "hooks": the client reads the last one only.`,
        MERGE,
      );
    if (event.value.kind !== "array") {
      const message = `Found ${kindName(event.value)} under the event "${name}", expected an array.`;
      return refuse("not-hooks", event.value, message, "Write an array of groups of hooks, or take the event out.");
    }
  }
  return ok({ source, json: json.value, hooks });
}

/** Settings that are known to be such: what was read once, or what was made of that. */
export function parsed(text: string): SettingsDocument {
  const document = readSettings(text);
  invariant(document.ok, "what was read once, and what we made of it, can be read");
  return document.value;
}

const MERGE = "Bring the two together.";

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
