import { type Document, isAlias, isMap, isScalar, isSeq, parseDocument } from "yaml";
import { printableLine } from "../base/printable.ts";
import { openUserConfig, readable, type UserConfig, unreadable } from "./open-user-config.ts";

/** Reads a configuration that the plain scan cannot take. Imported only where one is met: it loads `yaml`. */
export function parseUserConfigYaml(text: string): UserConfig {
  const block = openUserConfig(text);
  if ("pending" in block) return block;
  const document = parseDocument(block.raw, { prettyErrors: false, uniqueKeys: false, logLevel: "error" });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const [start, end] = fault.pos;
    const span = { start: Math.min(block.start + start, text.length), end: Math.min(block.start + end, text.length) };
    const message = `Expected YAML in the configuration, found a fault: ${printableLine(fault.message.slice(0, 200))}`;
    return unreadable(text, block.raw, span, message);
  }
  const tracker = child(document, document.contents, "learning_tracker");
  const completed = new Map<string, string>();
  const done = child(document, tracker, "completed");
  if (isMap(done)) {
    for (const { key, value } of done.items) {
      const name = scalarText(key);
      const said = scalarText(value);
      // Of a key that stands twice, the first holds.
      if (name !== null && said !== null && !completed.has(name)) completed.set(name, said);
    }
  }
  const list = child(document, tracker, "dismissed");
  const dismissed = isSeq(list) ? list.items.flatMap((item) => scalarText(item) ?? []) : [];
  return readable({ completed, dismissed });
}

/** The value of a key, through an alias; null where there is none. Nothing is expanded, so that aliases cannot multiply. */
function child(document: Document, parent: unknown, key: string): unknown {
  const node: unknown = isMap(parent) ? parent.get(key) : null;
  return isAlias(node) ? (node.resolve(document) ?? null) : node;
}

function scalarText(node: unknown): string | null {
  return isScalar(node) ? (node.source ?? null) : null;
}
