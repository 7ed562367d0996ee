import { describe, expect, it } from "vitest";
import { cut } from "../../src/trail/cut.ts";
import { summariserGuidance } from "../../src/trail/guidance.ts";
import { renderTrail } from "../../src/trail/render.ts";
import { testCounts } from "../../src/trail/test-counts.ts";
import { buildTrail } from "../../src/trail/trail.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { OPTIONS, Session } from "./session.ts";

/** The best of many runs: other work on the machine only ever adds. */
function milliseconds(work: () => void): number {
  const times = Array.from({ length: 15 }, () => {
    const start = cpuTime();
    work();
    return cpuTime() - start;
  });
  return Math.min(...times);
}

describe("a trail", () => {
  it.each<readonly [string, (session: Session, at: number) => void]>([
    ["failures that nothing answers", (s, at) => s.bash(`make t${at}`, { failed: true }).bash(`make u${at}`)],
    ["failures that wait for one command", (s, at) => s.bash(`make && t${at}`, { failed: true })],
    [
      "test runs that failed",
      (s, at) => s.bash(`npx vitest run t${at}`, { failed: true }).bash(`npx vitest run u${at}`),
    ],
    ["files that go with their folder", (s, at) => s.write(`d/f${at}`).bash(`rm -rf ${at % 2 === 0 ? "d" : "e"}`)],
    ["looks at one run in the background", (s) => s.call("BashOutput", { bash_id: "b" }, { says: "<status>running" })],
  ])("of very many %s takes linear time, and what is made from it", (_name, step) => {
    const session = new Session().bash("server", { note: { backgroundTaskId: "b" } });
    for (let at = 0; at < 5_000; at += 1) step(session, at);
    const activities = session.activities();
    const start = cpuTime();
    const trail = buildTrail(activities, OPTIONS);
    renderTrail(trail, { format: "md", budget: 1_500 });
    summariserGuidance(trail, { projectId: null, phase: null, currentTask: null, openTasks: [], recoverCommand: null });
    // It takes up to one second; anything quadratic takes many.
    expect(cpuTime() - start).toBeLessThan(3_000);
  });

  it("of 500 rows is built in no time", () => {
    const session = new Session().prompt("build the parser");
    for (let at = 0; at < 83; at += 1) {
      session.edit(`src/part-${at % 20}/file.ts`);
      session.bash(`cd packages/app-${at % 7} && npm run build -- --filter=${at} 2>&1 | tail -20 > out-${at}.txt`, {
        says: `line of output ${at}\n`.repeat(60),
        failed: at % 9 === 0,
      });
      session.read(`docs/page-${at}.md`);
    }
    const activities = session.activities();
    // It takes some three; one that looks at every pair of rows takes seconds.
    expect(milliseconds(() => void buildTrail(activities, OPTIONS))).toBeLessThan(200);
  });

  it.each([
    ["letters", "a"],
    ["quotes", '"'],
    ["dots", "x."],
    ["slashes", "/"],
    ["links", "https://"],
    ["hash marks", "#1"],
    ["blanks", " "],
    ["newlines", "\n"],
    ["question marks", "?"],
    ["escapes", "\u001b["],
    ["brackets", "[main "],
    ["redirections", "> "],
    ["marks", "\u0301"],
    ["substitutions in quotes", '"$('],
    ["here-documents that do not end", "a <<E\n"],
    ["arithmetic that does not end", "((a\n"],
    ["tests that do not end", "[[ a > "],
    ["programs that start programs", "bundle exec "],
    ["workspaces", "yarn workspace "],
    ["exit codes", "echo $?;"],
    ["folders", "a/"],
    ["changes of folder", "cd a;"],
    ["commands that hang together", "a && "],
    ["background commands", "&lt;"],
    ["lines of dashes", "-----BEGIN PRIVATE KEY-----\n"],
    ["sub-shells", "( a )"],
    ["documents in place", "<<E "],
  ])("is built and rendered in linear time of 200 kB of %s", (_name, unit) => {
    const text = unit.repeat(Math.ceil(200_000 / unit.length));
    const start = cpuTime();
    const trail = new Session()
      .prompt(text)
      .says(`${text}?`)
      .edit(text)
      .bash(text, { says: text, failed: true })
      .bash("git commit -m x", { says: text })
      .bash("npm test", { says: text })
      .call("TodoWrite", { todos: [{ content: text, status: "pending" }] })
      .trail();
    renderTrail(trail, { format: "md", budget: 1_500 });
    testCounts(text);
    cut(text, 100_000);
    // Two megabytes of records to write, parse and read; anything quadratic takes many seconds.
    expect(cpuTime() - start).toBeLessThan(1_500);
  });

  it.each(["rm", "mv", "cp", "touch", "tee", "git rm", "git mv", "sed -i s/a/b/", "cat >x; rm"])(
    "is built in linear time where %s names twenty thousand files",
    (program) => {
      const names = Array.from({ length: 20_000 }, (_, at) => `d${at % 100}/a${at}`).join(" ");
      const start = cpuTime();
      const trail = new Session().bash(`${program} ${names}`).bash(`touch ${names}`).bash("rm -r d1 d2").trail();
      renderTrail(trail, { format: "md", budget: 1_500 });
      expect(cpuTime() - start).toBeLessThan(1_000);
    },
  );

  it.each([
    ["read", "<"],
    ["added to", ">>"],
  ])("is built in linear time where a command has twenty thousand files %s", (_name, sign) => {
    const names = Array.from({ length: 20_000 }, (_, at) => `a${at} ${sign}b${at}`).join(" ");
    const start = cpuTime();
    new Session().bash(`rm ${names}`).trail();
    expect(cpuTime() - start).toBeLessThan(1_000);
  });

  it("is built in linear time where a run of twenty thousand tests takes in another one, in another order", () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `tests/a${at}.test.ts`);
    const start = cpuTime();
    const trail = new Session()
      .bash(`npx vitest run -r ${names.join(" ")}`, { failed: true })
      .bash(`npx vitest run ${names.reverse().join(" ")} b.test.ts -r`, { says: "Tests  3 passed (3)" })
      .trail();
    expect(trail.failures).toEqual([]);
    expect(cpuTime() - start).toBeLessThan(1_000);
  });
});
