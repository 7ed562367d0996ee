import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { publint } from "publint";
import { expect, test } from "vitest";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));

test("the package's exports are as every tool expects them", async () => {
  const { messages } = await publint({ pkgDir: ".", strict: true, pack: "npm" });
  expect(messages).toEqual([]);
});

test("the package's types resolve for whoever imports it", () => {
  const args = ["--pack", ".", "--profile", "esm-only", "--format", "ascii"];
  const { status, stdout } = spawnSync("node_modules/.bin/attw", args, { encoding: "utf8" });
  expect(stdout).toContain("agent-context");
  expect(status, stdout).toBe(0);
});

test("the package holds what it needs to run, and nothing else", () => {
  const { stdout } = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { encoding: "utf8" });
  const packed = JSON.parse(stdout.slice(stdout.indexOf("[")));
  const files: string[] = packed[0].files.map((file: { path: string }) => file.path);
  const allowed = /^(?:bin|dist|schemas|docs)\/|^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
  expect(files.filter((path) => !allowed.test(path))).toEqual([]);
  expect(files).toContain("bin/context.js");
  expect(files).toContain("dist/bundle/cli-bin.cjs");
  expect(files).toContain("dist/lib/thread/index.js");
});

test("every dependency has its reason, and no reason is left without one", () => {
  for (const kind of ["dependencies", "devDependencies"]) {
    const reasons = manifest[`we-have-these-${kind}-because`];
    const named = Object.keys(manifest[kind]).filter((name) => !name.startsWith("@types/"));
    expect(Object.keys(reasons).sort()).toEqual(named.sort());
  }
});

test("versions are pinned, so that a clone of tomorrow runs what was tested", () => {
  for (const kind of ["dependencies", "devDependencies"]) {
    for (const [name, version] of Object.entries(manifest[kind])) expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
  }
});
