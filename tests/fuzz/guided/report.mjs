import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Room for the longest input that is made, and the length before it: who looks on from outside reads a hung one there. */
const ROOM = 4 + 2 * 400_000;

export function sharedInput() {
  return new Uint8Array(new SharedArrayBuffer(ROOM));
}

/** Writes what is being read, as a finding, and says where. */
export function hungInput(current, folder) {
  const bytes = Buffer.from(current);
  const json = `${JSON.stringify(bytes.toString("utf16le", 4, 4 + bytes.readInt32LE(0)))}\n`;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `hang-${createHash("sha256").update(json).digest("hex").slice(0, 16)}.json`);
  writeFileSync(path, json);
  return `--input ${path}`;
}

/** The number of findings. */
export function printGuided({ rows, found, slowest }, { seed, missing }) {
  const inputs = rows.reduce((sum, row) => sum + row.inputs, 0);
  console.log(`${inputs} inputs, seed ${seed}; blocks of the source that a target reads with:`);
  for (const row of rows) {
    const rate = Math.round(row.inputs / Math.max(row.ms / 1000, 0.001));
    console.log(
      `  ${row.name.padEnd(13)} ${row.bySeeds} by the seeds, ${row.all} in all, of ${row.of}; ` +
        `${row.inputs} inputs, ${row.kept} kept, ${rate} a second`,
    );
    if (!missing) continue;
    for (const { name, lines } of row.missing) if (lines.length > 0) console.log(`    ${name}:${lines.join(",")}`);
  }
  console.log(`slowest: ${Math.round(slowest.ms)} ms (${slowest.name}, ${slowest.characters} characters)`);
  for (const { name, message, file } of found) console.log(`\n${name}: ${message}\n  --target ${name} --input ${file}`);
  return found.length;
}
