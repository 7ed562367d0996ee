import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Texts kept in a folder, one a file, as JSON: half of a character would not survive otherwise. In the order of their names. */
export function readTexts(folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => String(JSON.parse(readFileSync(join(folder, name), "utf8"))));
}

/** Gives the file's path, whose name is made from the text. */
export function writeText(folder: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const json = `${JSON.stringify(text)}\n`;
  const path = join(folder, `${createHash("sha256").update(json).digest("hex").slice(0, 16)}.json`);
  writeFileSync(path, json);
  return path;
}
