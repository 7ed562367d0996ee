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

type Kind = "a string" | "a number" | "a boolean" | "an array" | "an object";

/**
 * Settings of which another kind of value makes both 2.1.332 and 2.0.76 drop the file: measured, one by one, as well as
 * that they drop it for a comment and a trailing comma, and take a value of another kind under names that they do not know.
 */
const KINDS: readonly (readonly [path: readonly string[], kind: Kind])[] = [
  [["$schema"], "a string"],
  [["apiKeyHelper"], "a string"],
  [["model"], "a string"],
  [["outputStyle"], "a string"],
  [["cleanupPeriodDays"], "a number"],
  [["allowManagedHooksOnly"], "a boolean"],
  [["alwaysThinkingEnabled"], "a boolean"],
  [["disableAllHooks"], "a boolean"],
  [["enableAllProjectMcpServers"], "a boolean"],
  [["includeCoAuthoredBy"], "a boolean"],
  [["spinnerTipsEnabled"], "a boolean"],
  [["enabledPlugins"], "an object"],
  [["env"], "an object"],
  [["permissions"], "an object"],
  [["permissions", "allow"], "an array"],
  [["permissions", "ask"], "an array"],
  [["permissions", "deny"], "an array"],
  [["sandbox"], "an object"],
  [["statusLine"], "an object"],
];

/** The first such thing in a file; null where the client reads it. */
export function droppedBy({ json, source }: SettingsDocument): DroppedBy | null {
  const { extension, root } = json;
  if (extension !== null) {
    const position = positionAt(source, extension.offset);
    return { position, found: extension.what, expected: "plain JSON", way: "Take it out" };
  }
  const wrong = KINDS.flatMap(([path, kind]) => {
    const value = valueAt(root, path);
    return value === null || kindName(value) === kind ? [] : [{ value, path, kind }];
  });
  const [first] = wrong.toSorted((one, other) => one.value.start - other.value.start);
  if (first === undefined) return null;
  const { value, path, kind } = first;
  const found = `${kindName(value)} under "${path.join(".")}"`;
  return { position: positionAt(source, value.start), found, expected: kind, way: `Write ${kind}, or take it out` };
}

function valueAt(root: JsonNode | null, path: readonly string[]): JsonNode | null {
  let node = root;
  for (const name of path) node = memberOf(node, name)?.value ?? null;
  return node;
}
