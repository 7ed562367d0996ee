import { isArray, isObject, type JsonObject, stringAt } from "./json-value.ts";
import { type ResultNote, resultNote } from "./result-note.ts";
import { parseSlashCommand, type SlashCommand, tagText } from "./slash-command.ts";

/** Where an entry stands, and what the client noted beside it; null for what the record does not say. */
export interface EntryOrigin {
  /** Ordinal of the record's row in what was read, from 0. */
  readonly row: number;
  /** Written by a sub-agent: it does not count for the main line. */
  readonly sidechain: boolean;
  /** The agent's working directory at the time. */
  readonly cwd: string | null;
  readonly timestamp: string | null;
  readonly uuid: string | null;
  /** The record's own session (`sessionId`; `session_id` may name the one before `/clear`). */
  readonly sessionId: string | null;
  readonly gitBranch: string | null;
}

/** What one content block of a record says. */
export type EntryBody =
  | { readonly kind: "prompt"; readonly text: string }
  | ({ readonly kind: "slash-command" } & SlashCommand)
  | { readonly kind: "tool-use"; readonly id: string; readonly name: string; readonly input: JsonObject }
  | {
      readonly kind: "tool-result";
      readonly toolUseId: string;
      readonly isError: boolean;
      readonly text: string;
      readonly note: ResultNote | null;
    }
  | { readonly kind: "assistant-text"; readonly text: string }
  | { readonly kind: "compact-boundary"; readonly trigger: string | null }
  | { readonly kind: "compact-summary"; readonly text: string }
  | { readonly kind: "task-notification"; readonly toolUseId: string | null; readonly status: string | null }
  /** The client's own: skipped by all who look for work. `type` is the record's, `subtype` what tells it apart. */
  | { readonly kind: "unknown"; readonly type: string; readonly subtype: string | null };

export type Entry = EntryOrigin & EntryBody;

/** The entries of one parsed record: one for each content block, none for a value that is no record. */
export function entriesOf(record: unknown, row: number): readonly Entry[] {
  if (!isObject(record)) return [];
  const origin: EntryOrigin = {
    row,
    sidechain: record.isSidechain === true,
    cwd: stringAt(record, "cwd"),
    timestamp: stringAt(record, "timestamp"),
    uuid: stringAt(record, "uuid"),
    sessionId: stringAt(record, "sessionId"),
    gitBranch: stringAt(record, "gitBranch"),
  };
  return bodiesOf(record).map((body) => ({ ...origin, ...body }));
}

function bodiesOf(record: JsonObject): readonly EntryBody[] {
  const type = stringAt(record, "type") ?? "";
  const message = isObject(record.message) ? record.message : {};
  if (type === "user") return userBodies(record, message.content);
  if (type === "assistant") return assistantBodies(message.content);
  const subtype = stringAt(record, "subtype");
  if (type === "system" && subtype === "compact_boundary") {
    const metadata = record.compactMetadata;
    return [{ kind: "compact-boundary", trigger: isObject(metadata) ? stringAt(metadata, "trigger") : null }];
  }
  const attachment = record.attachment;
  return [{ kind: "unknown", type, subtype: subtype ?? (isObject(attachment) ? stringAt(attachment, "type") : null) }];
}

function userBodies(record: JsonObject, content: unknown): readonly EntryBody[] {
  if (record.isCompactSummary === true) return [{ kind: "compact-summary", text: contentText(content) }];
  if (record.isMeta === true) return [{ kind: "unknown", type: "user", subtype: "meta" }];
  const blocks = blocksOf(content);
  // The note says nothing of which result it belongs to.
  const note = blocks.length === 1 ? resultNote(record.toolUseResult) : null;
  const results = blocks.flatMap((block) => toolResultBody(block, note));
  // Text beside a result is the client's remark on it, not a person's.
  return results.length > 0 ? results : userTextBodies(contentText(content));
}

function userTextBodies(text: string): readonly EntryBody[] {
  const trimmed = text.trimStart();
  if (trimmed === "") return [{ kind: "unknown", type: "user", subtype: null }];
  if (/^<command-(?:name|message)>/.test(trimmed)) {
    const command = parseSlashCommand(trimmed);
    if (command !== null) return [{ kind: "slash-command", ...command }];
  }
  if (trimmed.startsWith("<task-notification>")) {
    const toolUseId = tagText(trimmed, "tool-use-id");
    return [{ kind: "task-notification", toolUseId, status: tagText(trimmed, "status") }];
  }
  if (trimmed.startsWith("[Request interrupted by user")) {
    return [{ kind: "unknown", type: "user", subtype: INTERRUPTION }];
  }
  if (CLIENT_TEXT.test(trimmed)) return [{ kind: "unknown", type: "user", subtype: "client-text" }];
  return [{ kind: "prompt", text }];
}

/** The `subtype` of a record in which the client says that the person stopped the agent. */
export const INTERRUPTION = "interruption";

// User records that the client writes without `isMeta`: output of local commands, shell mode, reminders, and what 2.0.76
// answers to a command that is the agent's alone.
const CLIENT_TEXT =
  /^(?:<local-command-|<bash-(?:input|stdout|stderr)>|<system-reminder>|This slash command can only be invoked by Claude, not directly by users\.)/;

function assistantBodies(content: unknown): readonly EntryBody[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "assistant-text", text: content }];
  return blocksOf(content).flatMap((block): readonly EntryBody[] => {
    const type = stringAt(block, "type");
    if (type === "text") return [{ kind: "assistant-text", text: stringAt(block, "text") ?? "" }];
    const [id, name, input] = [stringAt(block, "id"), stringAt(block, "name"), block.input];
    if (type !== "tool_use" || id === null || name === null) return [];
    return [{ kind: "tool-use", id, name, input: isObject(input) ? input : {} }];
  });
}

function toolResultBody(block: JsonObject, note: ResultNote | null): readonly EntryBody[] {
  const toolUseId = stringAt(block, "tool_use_id");
  if (stringAt(block, "type") !== "tool_result" || toolUseId === null) return [];
  return [{ kind: "tool-result", toolUseId, isError: block.is_error === true, text: contentText(block.content), note }];
}

function blocksOf(content: unknown): readonly JsonObject[] {
  return isArray(content) ? content.filter(isObject) : [];
}

/** The text of a content that is a string, or blocks; what is no text (images) is left out. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!isArray(content)) return "";
  return content
    .flatMap((block) => {
      if (typeof block === "string") return [block];
      const text = isObject(block) ? stringAt(block, "text") : null;
      return text === null ? [] : [text];
    })
    .join("\n");
}
