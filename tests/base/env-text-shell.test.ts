import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { type EnvItem, formatEnv, parseEnv } from "../../src/base/env-text.ts";
import { SHELLS as NAMED } from "../helpers/shells.ts";

const folder = mkdtempSync(join(tmpdir(), "context-env-text-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a real shell makes of the file: the variables' values, and that it ran nothing and said nothing. */
function sourced(shell: string, text: string, keys: readonly string[]): string[] {
  const file = join(folder, "state.env");
  writeFileSync(file, text);
  const script = `. ./state.env || exit 9; ${keys.map((key) => `printf '%s\\0' "$${key}"`).join("; ")}`;
  // bash reads its start-up file where standard input is a socket, as spawn's pipes are.
  const env = { PATH: process.env.PATH ?? "", HOME: folder };
  const [program = "", ...words] = shell.split(" ");
  const result = spawnSync(program, [...words, "-c", script], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  expect(result.stderr.toString()).toBe("");
  expect(result.status).toBe(0);
  expect(readdirSync(folder)).toEqual(["state.env"]);
  return result.stdout.toString("utf8").split("\0").slice(0, -1);
}

const SHELLS = ["sh", ...NAMED.map((words) => words.join(" "))];

const NASTY = [
  "$(touch x)",
  "`touch x`",
  "'; touch x; '",
  '"; touch x; "',
  "'$(touch x)'",
  "\\'; touch x #",
  "\n touch x\n",
  "a\r\nb",
  "\\",
  "\\\\'",
  "\\\n",
  "trailing newline\n",
  " # no comment",
  "#",
  "~root",
  "*",
  "{a,b}",
  "!!",
  "$IFS;touch$IFS x",
  "漢字 é 🚀 \u202e",
  "<>&|;()",
  "a=b",
  "-n",
  "",
  "\t\u0001\u001b[2J\u007f",
];

test("there is more than one shell to ask", () => {
  expect(SHELLS.length).toBeGreaterThan(1);
});

test.each(SHELLS)("%s reads each value as it was written, and runs nothing", (shell) => {
  const keys = NASTY.map((_, index) => `K${index}`);
  const items = NASTY.map((value, index): EnvItem => ({ kind: "pair", key: `K${index}`, value }));
  expect(sourced(shell, formatEnv(items), keys)).toEqual(NASTY);
});

test.each(SHELLS)("%s agrees with us on any value", (shell) => {
  const piece = fc.oneof(
    fc.constantFrom("'", '"', "\\", "$", "`", "\n", "\r", " ", "#", "(", ";", "touch x", "é"),
    fc.string({ unit: "binary" }),
  );
  const value = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join("").replaceAll("\0", ""));
  fc.assert(
    fc.property(fc.array(value, { minLength: 30, maxLength: 60 }), (values) => {
      const keys = values.map((_, index) => `K${index}`);
      const items = values.map((text, index): EnvItem => ({ kind: "pair", key: `K${index}`, value: text }));
      expect(sourced(shell, formatEnv(items), keys)).toEqual(values);
    }),
    { numRuns: 10 },
  );
});

test.each(SHELLS)("what we read in a hand-made file, %s reads too", (shell) => {
  const piece = fc.constantFrom("'", '"', "\\", "\\\n", "a", "b c", "\n", " ", "#", "\\$", '\\"', "''", ",", "%");
  const raw = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
  let read = 0;
  fc.assert(
    fc.property(fc.array(raw, { minLength: 40, maxLength: 40 }), (values) => {
      // Each is a file of its own to us: one that we refuse must not hide the others.
      const texts: string[] = [];
      const wanted: string[] = [];
      for (const [index, text] of values.entries()) {
        const line = `K${index}=${text}\n`;
        const parsed = parseEnv(line, (key) => key === `K${index}`);
        const [first, ...more] = parsed.ok ? parsed.value : [];
        if (first?.kind !== "pair" || more.length > 0) continue;
        texts.push(line);
        wanted.push(first.value);
      }
      read += wanted.length;
      const keys = texts.map((line) => line.slice(0, line.indexOf("=")));
      expect(sourced(shell, texts.join(""), keys)).toEqual(wanted);
    }),
    { numRuns: 10 },
  );
  expect(read).toBeGreaterThan(30);
});
