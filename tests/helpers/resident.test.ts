import { afterEach, expect, test, vi } from "vitest";
import { addSession, makeAcme, preCompactPayload } from "./acme-project.ts";
import type { RunOptions } from "./run-program.ts";
import { startPayload } from "./session-start.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("a start in the process that stays answers as a start of its own does", () => {
  const acme = makeAcme();
  const transcript = addSession(acme, "slash-skill");
  acme.role("oosh-expert");
  acme.role("broken", "no title\n");
  const role = { HIVEMIND_ROLE: "oosh-expert" };
  const lines: (readonly [words: string, options?: Partial<RunOptions> & { transcript?: string }])[] = [
    ["help"],
    ["validate.all --json"],
    ["validate broken"],
    ["new oosh-expert"],
    ["projects --json"],
    ["skills", { cwd: acme.path("02-projects/24-demo") }],
    ["lifecycle.status --json"],
    ["lifecycle.save broken"],
    ["recover", { env: role }],
    ["detect", { transcript }],
    ["trail --format xml", { transcript }],
    ["trial"],
    ["-C /nowhere projects"],
    ["pre-compact", { env: role }],
    ["pre-compact", { input: preCompactPayload(acme, transcript) }],
    ["pre-compact --unknown", { input: "{}" }],
    ["session-start --print", { input: startPayload(acme, { transcript, source: "compact" }) }],
    ["session-start", { input: "[" }],
    ["gate", { input: "{}" }],
  ];
  const codes = new Set<number | null>();
  for (const [words, { transcript: file, ...options } = {}] of lines) {
    const args = [...words.split(" "), ...(file === undefined ? [] : [file])];
    // The first of three finds what the others do not: a role without a machine, say.
    const [, resident, own] = ["1", "", "1"].map((value) => {
      vi.stubEnv("CONTEXT_TEST_PROCESSES", value);
      const { code, signal, stdout, stderr } = acme.context(args, options);
      return { code, signal, stdout: settled(stdout), stderr: settled(stderr) };
    });
    expect(resident, words).toEqual(own);
    codes.add(own?.code ?? null);
  }
  expect([...codes].sort()).toEqual([0, 1, 2]);
});

/** Without the time and the process that a run stands in. */
function settled(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, "TIME").replace(/\b\d+ (?:s|ms)\b/g, "AGE");
}
