import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { bundleScript, remove, temporaryFolder } from "./scripts.ts";

test("work that is done in passing is not optimised, and what comes after it is", () => {
  const folder = temporaryFolder();
  const script = bundleScript(new URL("./fixtures/work-in-passing.ts", import.meta.url), folder);
  const said = execFileSync(process.execPath, ["--trace-opt", script], { encoding: "utf8" });
  remove(folder);
  expect(said).toContain("sums: true");
  expect(said).toContain("asUsual");
  expect(said).not.toContain("inPassing");
});
