import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/base/token-estimate.ts";
import type { Trail } from "../../src/trail/model.ts";
import { renderTrail, type TrailFormat } from "../../src/trail/render.ts";
import { REFUSED, Session } from "./session.ts";

/** A session in which everything happens that a trail tells of. */
function everything(): Session {
  const failed = (says: string) => ({ failed: true, says });
  return new Session()
    .prompt("Build the parser,\nsee https://example.com/a and #12")
    .prompt("<command-name>/deploy</command-name>\n<command-args>staging ACME-7</command-args>")
    .call("TodoWrite", {
      todos: [
        { content: "Done", status: "completed" },
        { content: "Later", status: "pending" },
        { content: "Now <it>", status: "in_progress" },
      ],
    })
    .call("TaskCreate", { subject: "Extra" })
    .write("src/a.ts", { note: { type: "create" } })
    .edit("src/a.ts")
    .edit("src/b.ts", { record: { isSidechain: true } })
    .write("src/old.ts")
    .bash("mv src/old.ts src/new.ts")
    .bash("rm src/gone.ts && echo x > out.txt")
    .read("docs/x.md")
    .read("docs/x.md")
    .read("docs/y.md")
    .bash("make", failed("Exit code 2\nnoise\nerror: no rule"))
    .bash("make", failed("Exit code 2\nnoise\nerror: no rule"))
    .edit("src/c.ts", failed("<tool_use_error>String not found</tool_use_error>"))
    .call("mcp__db__query", { sql: "x" }, failed("one\ntwo\nthree\nfour"))
    .bash("git commit -m one", { says: "[main abc1234] one" })
    .bash("git commit -qm two", { says: "" })
    .bash("npm test", { says: " Tests  3 passed (3)" })
    .bash("npm test", failed("Exit code 1\n Tests  1 failed | 2 passed (3)"))
    .bash("pytest | tail")
    .call("AskUserQuestion", { questions: [{ question: "Which?" }] }, { note: { answers: { "Which?": "B" } } })
    .call("AskUserQuestion", { questions: [{ question: "Sure?" }] }, failed(`${REFUSED} the user said:\nno "way"`))
    .bash("npm i", failed(`${REFUSED} the user said: use pnpm`))
    .bash("npm run dev", { says: "Command running in background with ID: bash_1" })
    .call("Agent", { description: "Look" }, { note: { isAsync: true, agentId: "ag1" } })
    .bash("sleep 100", { open: true })
    .interrupted()
    .prompt("Go on")
    .says("Shall I stop?")
    .call("Task", { description: "Check" }, { open: true });
}

const fixture = (format: TrailFormat): string =>
  readFileSync(new URL(`fixtures/everything.${format}`, import.meta.url), "utf8");

describe("a session in which everything happens", () => {
  it.each(["md", "xml", "json"] as const)("is these bytes as %s", (format) => {
    expect(renderTrail(everything().trail(), { format, budget: 5_000 })).toEqual({
      text: fixture(format),
      omitted: {},
    });
  });

  it.each(["md", "xml", "json"] as const)("is whole as %s in just as many tokens as it takes", (format) => {
    const trail = everything().trail();
    const tokens = estimateTokens(fixture(format));
    expect(renderTrail(trail, { format, budget: tokens }).text).toBe(fixture(format));
    expect(renderTrail(trail, { format, budget: tokens - 1 }).text).not.toBe(fixture(format));
  });
});

/** How many entries of each section are shown, in the order of the text; `total` where only that is told. */
function shown(text: string, trail: Trail): string {
  if (text === "") return "nothing";
  const value: Record<string, unknown> = JSON.parse(text);
  const counts = Object.entries(value).flatMap(([name, list]) =>
    Array.isArray(list) ? [`${name} ${list.length}`] : [],
  );
  expect(trail.since).toBe("start");
  return [...counts, ...(text.includes('"total"') ? ["total"] : [])].join(", ");
}

/** What is shown within each budget, where it changes. */
function steps(trail: Trail, budgets: readonly number[]): readonly string[] {
  return budgets.map((budget) => {
    const { text } = renderTrail(trail, { format: "json", budget });
    expect(estimateTokens(text)).toBeLessThanOrEqual(budget);
    return `${budget}: ${shown(text, trail)}`;
  });
}

describe("a trail within a budget", () => {
  it("shows the most useful first, and more with more room", () => {
    const budgets = [
      0, 3, 5, 10, 15, 20, 40, 60, 80, 120, 160, 199, 200, 250, 300, 400, 500, 600, 700, 800, 900, 1_000, 1_100, 1_200,
      1_300,
    ];
    expect(steps(everything().trail(), budgets)).toEqual([
      "0: nothing",
      "3: ",
      "5: ",
      "10: ",
      "15: total",
      "20: total",
      "40: todos 1, total",
      "60: todos 3, total",
      "80: todos 3, failures 1, total",
      "120: todos 3, failures 2, requests 1, total",
      "160: todos 3, failures 4, files 1, total",
      "199: todos 3, failures 4, files 2, total",
      "200: todos 3, failures 1, files 2",
      "250: todos 3, failures 1, files 3, requests 1",
      "300: todos 3, failures 1, files 3, requests 1, commits 1",
      "400: todos 3, failures 1, files 3, requests 3, in_flight 1, commits 1",
      "500: todos 3, failures 2, files 3, requests 3, in_flight 2, commits 1, tests 1",
      "600: todos 3, failures 2, files 3, requests 3, in_flight 1, commits 1, tests 1, questions 1, references 2",
      "700: todos 3, failures 2, files 3, requests 4, in_flight 1, commits 2, tests 1, questions 2, references 2, stops 1, shell_files 1",
      "800: todos 3, failures 3, files 3, requests 3, in_flight 1, commits 2, tests 2, questions 2, references 2, stops 1, shell_files 2, reads 2, commands 1",
      "900: todos 3, failures 3, files 3, requests 5, in_flight 2, commits 2, tests 2, questions 2, references 3, stops 1, shell_files 3, reads 2",
      "1000: todos 3, failures 4, files 3, requests 4, in_flight 2, commits 2, tests 2, questions 2, references 3, stops 1, shell_files 3, reads 2, commands 2",
      "1100: todos 3, failures 4, files 3, requests 5, in_flight 4, commits 2, tests 2, questions 2, references 3, stops 2, shell_files 3, reads 2, commands 2",
      "1200: todos 3, failures 4, files 3, requests 5, in_flight 4, commits 2, tests 2, questions 2, references 3, stops 2, shell_files 3, reads 2, commands 2",
      "1300: todos 3, failures 4, files 3, requests 5, in_flight 4, commits 2, tests 2, questions 2, references 3, stops 2, shell_files 3, reads 2, commands 5",
    ]);
  });

  it("gives each section its share of many", () => {
    const session = new Session();
    for (let at = 0; at < 60; at += 1) {
      session
        .prompt(`request ${at} with some words to it`)
        .edit(`src/part-${at}/file.ts`)
        .read(`docs/page-${at}.md`)
        .bash(`make target-${at}`, { failed: true, says: "Exit code 2" })
        .bash(`git commit -m c${at}`, { says: `[main abc${at + 1000}] commit number ${at}` });
    }
    expect(steps(session.trail(), [100, 200, 400, 800, 1_600, 3_200])).toEqual([
      "100: failures 4, total",
      "200: failures 1, files 6, requests 1",
      "400: failures 2, files 11, requests 2, commits 1, reads 1",
      "800: failures 3, files 24, requests 3, commits 1, reads 2, commands 2",
      "1600: failures 6, files 47, requests 8, commits 3, reads 6, commands 2",
      "3200: failures 30, files 60, requests 15, commits 6, reads 12, commands 4",
    ]);
  });
});
