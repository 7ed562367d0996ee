import { readFileSync } from "node:fs";
import { type Activity, activitiesOf } from "../../src/transcript/activity.ts";
import type { Detection, DetectOptions } from "../../src/transcript/detect-project.ts";
import { detectProject } from "../../src/transcript/detect-project.ts";
import { readRows, rowsOfText } from "../../src/transcript/row.ts";

export const ROOT = "/home/dev/acme";
export const FIXTURES = new URL("../fixtures/claude-code/", import.meta.url);
export const KNOWN: ReadonlySet<string> = new Set(["24-demo", "27-xml-context"]);
export const OPTIONS: DetectOptions = {
  root: ROOT,
  home: "/home/dev",
  projectsFolder: "02-projects",
  knownProjects: KNOWN,
};

export function fixture(version: string, name: string): string {
  return readFileSync(new URL(`${version}/transcripts/${name}.jsonl`, FIXTURES), "utf8");
}

export function activitiesOfText(text: string): readonly Activity[] {
  return activitiesOf(readRows(rowsOfText(text)).entries);
}

/** A session put together step by step; each call gets a result unless told otherwise. */
export class Session {
  private readonly records: object[] = [];
  private calls = 0;
  private readonly origin: object;

  constructor(origin: object = { cwd: ROOT, isSidechain: false }) {
    this.origin = origin;
  }

  add(record: object): this {
    this.records.push({ ...this.origin, ...record });
    return this;
  }

  prompt(text: string): this {
    return this.add({ type: "user", message: { role: "user", content: text } });
  }

  slash(name: string, args = ""): this {
    return this.prompt(
      `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`,
    );
  }

  call(name: string, input: object, outcome: "ok" | "failed" | "in-flight" = "ok", extra: object = {}): this {
    this.calls += 1;
    const id = `toolu_${this.calls}`;
    this.add({
      type: "assistant",
      message: { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
      ...extra,
    });
    if (outcome === "in-flight") return this;
    const result = { type: "tool_result", tool_use_id: id, content: "said", is_error: outcome === "failed" };
    return this.add({ type: "user", message: { role: "user", content: [result] }, ...extra });
  }

  read(path: string): this {
    return this.call("Read", { file_path: path });
  }

  edit(path: string): this {
    return this.call("Edit", { file_path: path });
  }

  bash(command: string): this {
    return this.call("Bash", { command });
  }

  skill(skill: string, args = ""): this {
    return this.call("Skill", { skill, args });
  }

  compacted(summary = "Summary: work went on."): this {
    this.add({ type: "system", subtype: "compact_boundary", compactMetadata: { trigger: "auto" } });
    return this.add({ type: "user", isCompactSummary: true, message: { role: "user", content: summary } });
  }

  text(): string {
    return this.records.map((record) => `${JSON.stringify(record)}\n`).join("");
  }

  activities(): readonly Activity[] {
    return activitiesOfText(this.text());
  }

  detect(options: Partial<DetectOptions> = {}): Detection {
    return detectProject(this.activities(), { ...OPTIONS, knownProjects: null, ...options });
  }
}
