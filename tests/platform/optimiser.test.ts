import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { bundleScript, remove, temporaryFolder } from "./scripts.ts";

test.each([
  ["by what Node's module is made of", ["trace"], []],
  ["by that module, where Node is started with a flag", [], ["--trace-opt"]],
])("work that is done in passing is not optimised, and what comes after it is: %s", (_, args, flags) => {
  const folder = temporaryFolder();
  const script = bundleScript(new URL("./fixtures/work-in-passing.ts", import.meta.url), folder);
  const env = { PATH: process.env.PATH ?? "" };
  const said = spawnSync(process.execPath, [...flags, script, ...args], { encoding: "utf8", env });
  remove(folder);
  expect(said.stdout).toContain("sums: true");
  expect(said.stdout).toContain("asUsual");
  expect(said.stdout).not.toContain("inPassing");
  // Node would warn of the look into it.
  expect(said.stderr).toBe("");
  expect(said.stdout).toContain("warns: true");
});
