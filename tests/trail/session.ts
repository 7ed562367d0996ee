import type { TrailOptions } from "../../src/trail/context.ts";
import type { Trail } from "../../src/trail/model.ts";
import { buildTrail } from "../../src/trail/trail.ts";
import { type Activity, activitiesOf } from "../../src/transcript/activity.ts";
import { readRows, rowsOfText } from "../../src/transcript/row.ts";

export const ROOT = "/home/dev/acme";
export const OPTIONS: TrailOptions = { root: ROOT, home: "/home/dev", cwd: null, since: "start", whole: true };

export function activitiesOfText(text: string): readonly Activity[] {
  return activitiesOf(readRows(rowsOfText(text)).entries);
}

export interface ResultOf {
  readonly says?: string;
  readonly failed?: boolean;
  /** No result is written. */
  readonly open?: boolean;
  /** `toolUseResult` */
  readonly note?: object;
  readonly record?: object;
}

/** A session written down step by step, a minute apart. */
export class Session {
  private readonly records: object[] = [];
  private calls = 0;

  add(record: object): this {
    const minute = String(this.records.length % 60).padStart(2, "0");
    const timestamp = `2026-01-03T14:${minute}:00.000Z`;
    this.records.push({ cwd: ROOT, isSidechain: false, timestamp, ...record });
    return this;
  }

  prompt(text: string): this {
    return this.add({ type: "user", message: { role: "user", content: text } });
  }

  says(text: string): this {
    return this.add({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] } });
  }

  interrupted(): this {
    return this.prompt("[Request interrupted by user]");
  }

  call(
    name: string,
    input: object,
    { says = "done", failed = false, open = false, note, record = {} }: ResultOf = {},
  ): this {
    this.calls += 1;
    const id = `toolu_${this.calls}`;
    this.add({ type: "assistant", message: { content: [{ type: "tool_use", id, name, input }] }, ...record });
    if (open) return this;
    const content = [{ type: "tool_result", tool_use_id: id, content: says, ...(failed ? { is_error: true } : {}) }];
    const beside = note === undefined ? {} : { toolUseResult: note };
    return this.add({ type: "user", message: { role: "user", content }, ...beside, ...record });
  }

  bash(command: string, result: ResultOf = {}): this {
    return this.call("Bash", { command }, result);
  }

  write(path: string, result: ResultOf = {}): this {
    return this.call("Write", { file_path: path, content: "x" }, result);
  }

  edit(path: string, result: ResultOf = {}): this {
    return this.call("Edit", { file_path: path, old_string: "a", new_string: "b" }, result);
  }

  read(path: string, result: ResultOf = {}): this {
    return this.call("Read", { file_path: path }, result);
  }

  compacted(): this {
    this.add({ type: "system", subtype: "compact_boundary", compactMetadata: { trigger: "auto" } });
    return this.add({ type: "user", isCompactSummary: true, message: { role: "user", content: "Summary." } });
  }

  text(): string {
    return this.records.map((record) => `${JSON.stringify(record)}\n`).join("");
  }

  activities(): readonly Activity[] {
    return activitiesOfText(this.text());
  }

  trail(options: Partial<TrailOptions> = {}): Trail {
    return buildTrail(this.activities(), { ...OPTIONS, ...options });
  }
}

export const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP what you are doing and wait.";
