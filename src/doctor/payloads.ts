import { covers } from "./checks/limits.ts";
import type { HookEntry } from "./facts.ts";

export interface Occasion {
  /** A start's source, a compaction's trigger, a tool's name. */
  readonly name: string;
  readonly payload: string;
}

export interface PayloadInput {
  readonly root: string;
  /** A session of this project, to read; null where there is none. */
  readonly transcript: string | null;
  /** A path at which there is none: at a fresh start the client has not made the file yet. */
  readonly noTranscript: string;
}

/** Of no session: what is kept by session is not touched. */
const PROBE_SESSION = "context-doctor";

/** What the client sends at the occasions of an event, keys as in its own payloads (2.1.332). */
export function occasionsOf(
  { event, matcher }: Pick<HookEntry, "event" | "matcher">,
  input: PayloadInput,
): readonly Occasion[] {
  const { root, transcript, noTranscript } = input;
  const occasion = (name: string, path: string | null, keys: object): Occasion => {
    const common = { session_id: PROBE_SESSION, transcript_path: path ?? noTranscript, cwd: root };
    return { name, payload: JSON.stringify({ ...common, hook_event_name: event, ...keys }) };
  };
  switch (event) {
    case "SessionStart": {
      const sources = transcript === null ? ["startup"] : ["startup", "compact"];
      return sources
        .filter((source) => matcher === null || covers(matcher, source))
        .map((source) => occasion(source, source === "startup" ? null : transcript, { source, model: "claude" }));
    }
    case "PreCompact":
      // A manual one may be stopped, where the hook was asked to.
      return [occasion("auto", transcript, { trigger: "auto", custom_instructions: null })];
    case "PreToolUse":
    case "PostToolUse": {
      const tool = matcher?.split("|")[0] ?? "Read";
      const file = { file_path: `${root}/CLAUDE.md` };
      const result =
        event === "PostToolUse" ? { tool_response: { type: "text", file: { filePath: file.file_path } } } : {};
      const keys = {
        permission_mode: "default",
        tool_name: tool,
        tool_input: file,
        tool_use_id: "toolu_doctor",
        ...result,
      };
      return [occasion(tool, transcript, keys)];
    }
    default:
      return [occasion(event, transcript, {})];
  }
}
