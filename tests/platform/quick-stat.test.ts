import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { bundleScript, NOBODY, remove, temporaryFolder } from "./scripts.ts";

const folder = temporaryFolder();
afterAll(() => {
  chmodSync(join(folder, "shut"), 0o700);
  remove(folder);
});

const at = (name: string): string => join(folder, name);
writeFileSync(at("é file"), "text");
writeFileSync(at("old"), "");
utimesSync(at("old"), -1.5, -86_400.25);
mkdirSync(at("folder"));
symlinkSync("é file", at("link"));
symlinkSync("round", at("round"));
symlinkSync("nowhere", at("loose"));
mkdirSync(at("shut"));
writeFileSync(at("shut/in"), "");
chmodSync(at("shut"), 0);
const paths = [
  "é file",
  "old",
  "folder",
  "link",
  "round",
  "loose",
  "missing",
  "é file/below",
  "shut/in",
  "n".repeat(300),
];
const script = bundleScript(new URL("./fixtures/look-quickly.ts", import.meta.url), folder);

interface Looked {
  readonly asked: readonly string[];
  readonly inside: boolean;
  readonly lines: readonly string[];
  readonly stderr: string;
}

describe("a quick look", () => {
  const look = (how: string, env: NodeJS.ProcessEnv = {}): Looked => {
    const args = [script, how, ...paths.map(at), "/dev/null", "nul"];
    const options = { encoding: "utf8" as const, env: { PATH: process.env.PATH ?? "", ...env }, ...NOBODY };
    const { stdout, stderr } = spawnSync(process.execPath, args, options);
    return { ...JSON.parse(stdout), stderr };
  };

  test.each([
    ["by what Node's own is made of", "here", {}, ["fs"], true],
    ["by Node's own, where the numbers stand elsewhere", "elsewhere", {}, ["fs"], false],
    ["by Node's own, where Node is given options", "here", { NODE_OPTIONS: "--no-warnings" }, [], false],
  ])("tells of each path what statSync tells: %s", (_, how, env, asked, inside) => {
    const found = look(how, env);
    expect(found.asked).toEqual(asked);
    expect(found.inside).toBe(inside);
    expect(found.stderr).toBe("");
    expect(found.lines.slice(0, 4).every((line) => /^[\d.\- ]+ (true|false)$/.test(line))).toBe(true);
    expect(found.lines[0]).toMatch(/^4 .* true$/);
    expect(found.lines[2]).toMatch(/ false$/);
    expect(found.lines.slice(4)).toEqual([
      "ELOOP",
      "none",
      "none",
      // Node 20 and later ones differ.
      expect.stringMatching(/^(none|ENOTDIR)$/),
      "EACCES",
      "ENAMETOOLONG",
      expect.stringMatching(/^0 .* false$/),
      "ERR_INVALID_ARG_VALUE",
    ]);
  });
});
