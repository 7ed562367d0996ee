import { isArray, isObject, type JsonObject, stringAt } from "../base/json-value.ts";
import { merged } from "../base/merged.ts";
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
  /** The session that the record was made in: a fork's copy names its parent. `session_id` may name the one before `/clear`. */
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
  | ({ readonly kind: "task-notification" } & TaskNotification)
  /** The client's own: skipped by all who look for work. `type` is the record's, `subtype` what tells it apart. */
  | { readonly kind: "unknown"; readonly type: string; readonly subtype: string | null };

export type Entry = EntryOrigin & EntryBody;

/** The client's word on a sub-agent or a command in the background. */
export interface TaskNotification {
  /** The call that began it. */
  readonly toolUseId: string | null;
  readonly taskId: string | null;
  readonly status: string | null;
  readonly summary: string | null;
}

/** The entries of one parsed record: one for each content block, none for a value that is no record. */
export function entriesOf(record: unknown, row: number): readonly Entry[] {
  if (!isObject(record)) return [];
  const origin: EntryOrigin = {
    row,
    sidechain: record.isSidechain === true,
    cwd: stringAt(record, "cwd"),
    timestamp: stringAt(record, "timestamp"),
    uuid: stringAt(record, "uuid"),
    sessionId: stringAt(record, "requestSessionId") ?? stringAt(record, "sessionId"),
    gitBranch: stringAt(record, "gitBranch"),
  };
  return bodiesOf(record).map((body) => merged(origin, body));
}

/** Which answer of the model a record is a part of: each of its parts is a record of its own. */
export function messageId(record: JsonObject): string | null {
  return isObject(record.message) ? stringAt(record.message, "id") : null;
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
  const attachment = isObject(record.attachment) ? record.attachment : {};
  const attached = stringAt(attachment, "type");
  // What a person typed while the agent worked is no record of theirs, but stands beside one.
  if (type === "attachment" && attached === QUEUED && attachment.isMeta !== true) {
    const mode = stringAt(attachment, "commandMode") ?? "prompt";
    const origin = mode === "prompt" ? (attachment.origin ?? record.origin) : { kind: mode };
    return userTextBodies(userText(attachment.prompt), origin);
  }
  return [{ kind: "unknown", type, subtype: subtype ?? attached }];
}

/** The `type` of an attachment that is a prompt, or the end of a background task, delivered in the middle of a turn. */
const QUEUED = "queued_command";

function userBodies(record: JsonObject, content: unknown): readonly EntryBody[] {
  // In a fork of a fork 2.0.76 leaves the latter of these alone.
  if (record.isCompactSummary === true || record.isVisibleInTranscriptOnly === true)
    return [{ kind: "compact-summary", text: contentText(content) }];
  if (record.isMeta === true) return [{ kind: "unknown", type: "user", subtype: "meta" }];
  const blocks = blocksOf(content);
  // The note says nothing of which result it belongs to.
  const note = blocks.length === 1 ? resultNote(record.toolUseResult) : null;
  const results = blocks.flatMap((block) => toolResultBody(block, note));
  // Text beside a result is the client's remark on it, not a person's.
  return results.length > 0 ? results : userTextBodies(userText(content), record.origin);
}

/** What a user record says, without what the client puts before it or in blocks of its own: reminders, what the editor shows. */
function userText(content: unknown): string {
  const texts = isArray(content) ? content.map((block) => contentText([block])) : [contentText(content)];
  return texts
    .map(withoutClientElements)
    .filter((text) => text !== "")
    .join("\n");
}

function withoutClientElements(text: string): string {
  let rest = text;
  for (;;) {
    const tag = CLIENT_ELEMENT.exec(rest)?.[1];
    if (tag === undefined) return rest;
    const end = rest.indexOf(`</${tag}>`);
    if (end === -1) return "";
    rest = rest.slice(end + tag.length + 3).trimStart();
  }
}

const CLIENT_ELEMENT = /^\s{0,100}<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics)>/;

/** `origin` is the record's: newer clients say there who wrote it. */
function userTextBodies(text: string, origin: unknown): readonly EntryBody[] {
  const trimmed = text.trimStart();
  if (trimmed === "") return [{ kind: "unknown", type: "user", subtype: null }];
  if (/^<command-(?:name|message)>/.test(trimmed)) {
    const command = parseSlashCommand(trimmed);
    if (command !== null) return [{ kind: "slash-command", ...command }];
  }
  if (trimmed.startsWith("<task-notification>")) {
    const [toolUseId, taskId] = [tagText(trimmed, "tool-use-id"), tagText(trimmed, "task-id")];
    const [status, summary] = [tagText(trimmed, "status"), tagText(trimmed, "summary")];
    return [{ kind: "task-notification", toolUseId, taskId, status, summary }];
  }
  if (trimmed.startsWith("[Request interrupted by user")) {
    return [{ kind: "unknown", type: "user", subtype: INTERRUPTION }];
  }
  const writer = isObject(origin) ? stringAt(origin, "kind") : null;
  if (CLIENT_TEXT.test(trimmed) || (writer !== null && writer !== "human"))
    return [{ kind: "unknown", type: "user", subtype: "client-text" }];
  return [{ kind: "prompt", text }];
}

/** The `subtype` of a record in which the client says that the person stopped the agent. */
export const INTERRUPTION = "interruption";

/** The tools that wait for a sub-agent: its own, by its name today and before 2.1, and that of a skill which has one (`context: fork`). */
export const SUB_AGENT_TOOLS: ReadonlySet<string> = new Set(["Agent", "Task", "Skill"]);

// User records that the client writes without `isMeta`: output of local commands, shell mode, what other agents of a team
// say, and what 2.0.76 answers to a command that is the agent's alone.
const CLIENT_TEXT =
  /^(?:<local-command-|<bash-(?:input|stdout|stderr)>|<teammate-message[ >]|This slash command can only be invoked by Claude, not directly by users\.)/;

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
