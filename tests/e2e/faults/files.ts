import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { expect } from "vitest";
import { machineName, parseRole } from "../../../src/lifecycle/role.ts";
import { parseMachine } from "../../../src/lifecycle/snapshot.ts";

/** Every file below `root` and its content; temporary ones and locks too. */
export function filesBelow(root: string, folder = root): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) for (const [key, text] of filesBelow(root, path)) found.set(key, text);
    else if (stat?.isFile() && name !== "context") found.set(relative(root, path), readFileSync(path, "utf8"));
  }
  return found;
}

const LEFT = /\.tmp$|\.lock(?:\.heir-.*)?$/;

/** Each file is as it was, or whole: what a killed writer leaves is a name of its own beside it. */
export function expectWhole(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  what: string,
): void {
  for (const [path, text] of before) {
    if (!LEFT.test(path) && !/_resume\.md$|gate\.pending/.test(path))
      expect(after.has(path), `${what}: ${path} is gone`).toBe(true);
    if (text !== "" && after.has(path)) expect(after.get(path), `${what}: ${path} is empty`).not.toBe("");
  }
  for (const [path, text] of after) {
    if (text === before.get(path) || LEFT.test(path)) continue;
    expect(() => mustBeWhole(path, text), `${what}: ${path}: ${text.slice(0, 300)}`).not.toThrow();
  }
}

function mustBeWhole(path: string, text: string): void {
  if (path.endsWith(".states.env")) {
    const role = parseRole((/([a-z_]+)\.states\.env$/.exec(path)?.[1] ?? "").replaceAll("_", "-"));
    const machine = role.ok ? parseMachine(text, machineName(role.value)) : role;
    if (!machine.ok) throw new Error("no machine");
  } else if (path.endsWith(".json")) JSON.parse(text);
  // The last line of a log may be half of one; the next writer cuts it off.
  else if (path.endsWith(".jsonl")) for (const line of text.split("\n").slice(0, -1)) JSON.parse(line);
  else if (text !== "" && !/\n$|<\/nexus-context>$/.test(text)) throw new Error("ends in the middle of a line");
}

export function leftovers(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files.keys()].filter((path) => LEFT.test(path));
}
