import { type Position, positionAt } from "../base/source-text.ts";
import { type JsonNode, kindName, memberOf } from "./json-tree.ts";
import type { SettingsDocument } from "./settings-document.ts";

/** What makes the client drop a whole settings file without a word. */
export interface DroppedBy {
  readonly position: Position;
  /** As in "found a comment". */
  readonly found: string;
  readonly expected: string;
  /** What to do there, an order without its full stop. */
  readonly way: string;
}

/**
 * Settings of which another kind of value makes both 2.1.332 and 2.0.76 drop the file: measured, one by one, as well as
 * that they drop it for a comment and a trailing comma, and take any value under names that they do not know.
 */
const KINDS: Readonly<Record<string, string>> = {
  "a string": "$schema apiKeyHelper model outputStyle",
  "a number": "cleanupPeriodDays",
  "a boolean":
    "allowManagedHooksOnly alwaysThinkingEnabled disableAllHooks enableAllProjectMcpServers includeCoAuthoredBy spinnerTipsEnabled",
  "an array": "permissions.allow permissions.ask permissions.deny",
  "an object": "enabledPlugins env permissions sandbox statusLine",
};

/** The first such thing in a file; null where the client reads it. */
export function droppedBy({ json, source }: SettingsDocument): DroppedBy | null {
  const { extension, root } = json;
  if (extension !== null) {
    const position = positionAt(source, extension.offset);
    return { position, found: extension.what, expected: "plain JSON", way: "Take it out" };
  }
  const wrong = Object.entries(KINDS).flatMap(([kind, names]) =>
    names.split(" ").flatMap((name) => {
      const value = valueAt(root, name.split("."));
      return value === null || kindName(value) === kind ? [] : [{ value, name, kind }];
    }),
  );
  const [first] = wrong.toSorted((one, other) => one.value.start - other.value.start);
  if (first === undefined) return null;
  const { value, name, kind } = first;
  const found = `${kindName(value)} under "${name}"`;
  return { position: positionAt(source, value.start), found, expected: kind, way: `Write ${kind}, or take it out` };
}

function valueAt(root: JsonNode | null, path: readonly string[]): JsonNode | null {
  let node = root;
  for (const name of path) node = memberOf(node, name)?.value ?? null;
  return node;
}
