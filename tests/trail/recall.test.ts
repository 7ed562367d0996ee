import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/base/token-estimate.ts";
import { renderTrail, type TrailFormat } from "../../src/trail/render.ts";
import { buildTrail } from "../../src/trail/trail.ts";
import { activitiesOfText, OPTIONS, ROOT } from "./session.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures/claude-code", import.meta.url));
const BUDGET = 1_500;
const FORMATS: readonly TrailFormat[] = ["md", "xml", "json"];

const transcripts = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".jsonl"))
  .sort()
  .map((name) => ({ name, text: readFileSync(`${FIXTURES}/${name}`, "utf8") }));

interface Block {
  readonly type?: string;
  readonly id?: string;
  readonly name?: string;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly input?: { readonly file_path?: string; readonly notebook_path?: string };
}

/** The truth, without the code under test: files of editing calls that have a result which is no error. */
function filesWritten(text: string): readonly string[] {
  const calls = new Map<string, Block>();
  const files = new Set<string>();
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const record: { message?: { content?: unknown } } = JSON.parse(line);
    const content = record.message?.content;
    const blocks: readonly Block[] = Array.isArray(content) ? content : [];
    for (const block of blocks) {
      if (block.type === "tool_use" && block.id !== undefined) calls.set(block.id, block);
      const call = block.type === "tool_result" ? calls.get(block.tool_use_id ?? "") : undefined;
      const path = call?.input?.file_path ?? call?.input?.notebook_path;
      const edits = ["Write", "Edit", "MultiEdit", "NotebookEdit"].includes(call?.name ?? "");
      if (edits && path !== undefined && block.is_error !== true) files.add(path.replace(`${ROOT}/`, ""));
    }
  }
  return [...files].sort();
}

/** The files that a reader of the rendered text finds under "changed". */
function filesShown(text: string, format: TrailFormat): readonly string[] {
  if (format === "json") {
    const value: { files?: readonly { path: string }[] } = JSON.parse(text);
    return (value.files ?? []).map(({ path }) => path).sort();
  }
  const [open, line] =
    format === "md"
      ? [/## Files changed\n((?:- .*\n)*)/, /^- (?:created|edited|deleted) (.*?)(?: \(.*\))?$/gm]
      : [/<files>\n([\s\S]*?)<\/files>/, /<file [^>]*>([^<]*)<\/file>/g];
  const section = open.exec(text)?.[1] ?? "";
  return [...section.matchAll(line)].map(([, path = ""]) => path).sort();
}

describe("the trail of a transcript of the real client", () => {
  it("is measured on all of them, of which many changed files", () => {
    expect(transcripts).toHaveLength(35);
    expect(transcripts.filter(({ text }) => filesWritten(text).length > 0).length).toBeGreaterThan(20);
  });

  it.each(transcripts.flatMap(({ name, text }) => FORMATS.map((format) => ({ name, text, format }))))(
    "$name as $format holds each file that was changed, and no other, in 1 500 tokens",
    ({ text, format }) => {
      const trail = buildTrail(activitiesOfText(text), OPTIONS);
      const rendered = renderTrail(trail, { format, budget: BUDGET });
      expect(filesShown(rendered.text, format)).toEqual(filesWritten(text));
      expect(estimateTokens(rendered.text)).toBeLessThanOrEqual(BUDGET);
    },
  );

  it.each(transcripts)("$name gives the same bytes twice, and a value that JSON keeps", ({ text }) => {
    const once = buildTrail(activitiesOfText(text), OPTIONS);
    const twice = buildTrail(activitiesOfText(text), OPTIONS);
    expect(JSON.parse(JSON.stringify(once))).toEqual(once);
    for (const format of FORMATS) {
      expect(renderTrail(twice, { format, budget: 300 })).toEqual(renderTrail(once, { format, budget: 300 }));
    }
  });

  it("tells created from edited as the client does", () => {
    const { text } = transcripts.find(({ name }) => name === "2.1.332/transcripts/planning.jsonl") ?? { text: "" };
    const changes = buildTrail(activitiesOfText(text), OPTIONS).files.map(({ path, change }) => `${change} ${path}`);
    expect(changes).toContain("edited 02-projects/27-xml-context/01-planning/02-discovery.md");
    const work = transcripts.find(({ name }) => name === "2.1.332/transcripts/execution.jsonl")?.text ?? "";
    expect(buildTrail(activitiesOfText(work), OPTIONS).files.map(({ path, change }) => `${change} ${path}`)).toContain(
      "created 02-projects/24-demo/02-working/parser.md",
    );
  });

  it("tells what was done since the last compaction alone, and keeps the first request", () => {
    const { text } = transcripts.find(({ name }) => name === "2.0.76/transcripts/two-compacts.jsonl") ?? { text: "" };
    const trail = buildTrail(activitiesOfText(text), { ...OPTIONS, since: "compaction" });
    expect(trail.compactions).toBe(2);
    expect(trail.files.map(({ path }) => path)).toEqual(["02-projects/27-xml-context/01-planning/03-plan.md"]);
    expect(trail.requests.map(({ text: said, first }) => [said, first])).toEqual([
      ["plan project 27", false],
      ["continue project 24", true],
    ]);
  });

  it("has calls without a result in flight, not failed", () => {
    const { text } = transcripts.find(({ name }) => name.endsWith("at-precompact-unflushed.1.jsonl")) ?? { text: "" };
    const trail = buildTrail(activitiesOfText(text), OPTIONS);
    expect(trail.inFlight.map(({ tool, what, state }) => [tool, what, state])).toEqual([
      ["Read", "02-projects/24-demo/01-planning/03-plan.md", "running"],
      ["Bash", "echo LASTRESULT", "running"],
    ]);
    expect(trail.failures).toEqual([]);
  });

  it("has the sub-agent done once the client says so, and reads a sub-agent's own file", () => {
    const { text } = transcripts.find(({ name }) => name === "2.1.332/transcripts/subagent.jsonl") ?? { text: "" };
    expect(buildTrail(activitiesOfText(text), OPTIONS).inFlight).toEqual([]);
    // Up to the row before the notification it runs.
    const rows = text.split("\n");
    const cut = rows.findIndex((row) => row.includes("<task-notification>") && row.includes('"type":"user"'));
    const before = buildTrail(activitiesOfText(rows.slice(0, cut).join("\n")), OPTIONS);
    expect(before.inFlight).toMatchObject([{ kind: "sub-agent", what: "Look up notes", id: "a586456355ca141e2" }]);
    const own = transcripts.find(({ name }) => name.includes("/subagents/"))?.text ?? "";
    const trail = buildTrail(activitiesOfText(own), OPTIONS);
    expect(trail.requests).toMatchObject([{ text: "Read the notes of 27-xml-context", first: true }]);
    expect(trail.reads.length).toBeGreaterThan(0);
  });
});
