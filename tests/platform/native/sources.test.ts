import { expect, test } from "vitest";
import { runProgram } from "../../helpers/run-program.ts";

test("the native program has every part that its sources take of ours and of Node's modules", () => {
  const ran = runProgram(process.execPath, ["scripts/build-native.mjs", "--sources"], { cwd: process.cwd() });
  expect(ran).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^\d{2} bundles have all/) });
});
