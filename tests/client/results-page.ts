import { writeFileSync } from "node:fs";
import { arch, availableParallelism, release, type } from "node:os";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { VERSIONS } from "./harness/client-version.ts";
import type { HookTime } from "./harness/hook-times.ts";

/** Writes what came of a run as a page of Markdown: each scenario's result, and what the client says our hooks took. */
export class ResultsPage implements Reporter {
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules
      .toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1))
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => test.meta().clientVersion !== undefined);
    writeFileSync(this.file, pageText(tests, new Date()));
    console.log(`${this.file} is written.`);
  }
}

function pageText(tests: readonly TestCase[], now: Date): string {
  const times = tests.flatMap((test) => test.meta().hookTimes ?? []);
  return [
    "# With the real client",
    "",
    "What `npm run test:client` does: it has npm install the client, sets a project up with `context init --yes`, and runs the client",
    "in a network namespace that has nothing but loopback, against a stand-in for the model. Each scenario asserts on what the",
    "stand-in was sent.",
    "",
    "This page is written by `npm run test:client -- --page docs/real-client.md`.",
    "",
    ...table(
      ["run", ""],
      [
        ["date", now.toISOString().slice(0, 10)],
        ["clients", VERSIONS.map((version) => `Claude Code ${version}`).join(", ")],
        ["Node", process.version],
        ["machine", `${type()} ${release().split("-")[0]}, ${arch()}, ${availableParallelism()} cores`],
      ],
    ),
    "",
    "## Scenarios",
    "",
    ...table(
      ["scenario", "client", "result"],
      tests.map((test) => [
        `${test.module.relativeModuleId.replace(/^.*\//, "").replace(".test.ts", "")}: ${test.fullName.replaceAll(" > ", " ")}`,
        test.meta().clientVersion ?? "",
        test.result().state,
      ]),
    ),
    "",
    "## What the hooks took",
    "",
    "Milliseconds from the client's own records in its transcripts (`durationMs`): from the start of the shell to the end of the hook,",
    "one client at a time, its hook commands in parallel. Counted are hooks that printed something: others the client keeps no record",
    "of. 2.0.76 records no times; neither version records those of PreCompact.",
    "",
    ...table(["hook", "runs", "median", "longest"], timeRows(times), "r"),
    "",
  ].join("\n");
}

function timeRows(times: readonly HookTime[]): readonly (readonly string[])[] {
  const byHook = new Map<string, number[]>();
  for (const { hook, ms } of times) byHook.set(hook, [...(byHook.get(hook) ?? []), ms]);
  return [...byHook]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([hook, all]) => {
      const sorted = all.toSorted((one, other) => one - other);
      const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
      return [hook, String(all.length), String(median), String(sorted.at(-1) ?? 0)];
    });
}

/** The first column on the left; the others on the right where `numbers` says so. */
function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: "r" | "" = "",
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const rule = head.map((_, at) => (numbers === "r" && at > 0 ? "---:" : "---"));
  return [line(head), line(rule), ...rows.map(line)];
}
