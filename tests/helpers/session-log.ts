export interface CallOptions {
  /** What the result says. */
  readonly says?: string;
  readonly failed?: boolean;
  /** No result is written. */
  readonly open?: boolean;
  /** Keys of the call's record. */
  readonly record?: object;
}

/** A session's records, written down as the client writes them, a minute apart. */
export class SessionLog {
  private readonly rows: string[] = [];
  private readonly cwd: string;
  private calls = 0;

  constructor(cwd: string) {
    this.cwd = cwd;
  }

  add(record: object): this {
    const minute = String(this.rows.length % 60).padStart(2, "0");
    const origin = { cwd: this.cwd, isSidechain: false, timestamp: `2026-01-03T14:${minute}:00.000Z` };
    return this.raw(JSON.stringify({ parentUuid: null, ...origin, ...record }));
  }

  /** A row that may be no record at all. */
  raw(row: string): this {
    this.rows.push(row);
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

  says(text: string): this {
    return this.add({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] } });
  }

  call(name: string, input: object, options: CallOptions = {}): this {
    const { says = "done", failed = false, open = false, record = {} } = options;
    this.calls += 1;
    const id = `toolu_${this.calls}`;
    const use = { type: "tool_use", id, name, input };
    this.add({ type: "assistant", message: { role: "assistant", content: [use] }, ...record });
    if (open) return this;
    const result = { type: "tool_result", tool_use_id: id, content: says, ...(failed ? { is_error: true } : {}) };
    return this.add({ type: "user", message: { role: "user", content: [result] }, ...record });
  }

  read(path: string, options: CallOptions = {}): this {
    return this.call("Read", { file_path: path }, options);
  }

  write(path: string, options: CallOptions = {}): this {
    return this.call("Write", { file_path: path, content: "x" }, options);
  }

  edit(path: string, options: CallOptions = {}): this {
    return this.call("Edit", { file_path: path, old_string: "a", new_string: "b" }, options);
  }

  bash(command: string, options: CallOptions = {}): this {
    return this.call("Bash", { command }, options);
  }

  compacted(summary = "Summary."): this {
    this.add({ type: "system", subtype: "compact_boundary", compactMetadata: { trigger: "auto" } });
    return this.add({ type: "user", isCompactSummary: true, message: { role: "user", content: summary } });
  }

  text(): string {
    return this.rows.map((row) => `${row}\n`).join("");
  }
}
