import { isObject, type JsonObject, stringAt } from "../base/json-value.ts";
import { type Coverage, linesSeen, WHOLE } from "./coverage.ts";

/** What the gate reads of a PreToolUse or PostToolUse payload. */
export interface GateCall {
  readonly event: "PreToolUse" | "PostToolUse";
  readonly tool: string;
  /** The call's own id; null from a client that does not give it. */
  readonly id: string | null;
  /** The file that the tool is for; null where it names none. */
  readonly path: string | null;
  /** Set for calls of a sub-agent, by clients since 2.1; older ones do not say who calls. */
  readonly agentId: string | null;
  /** Of a read that took place: the lines it showed. */
  readonly shown: Coverage;
}

const EDITING: ReadonlySet<string> = new Set(["Edit", "Write", "NotebookEdit", "MultiEdit"]);

/** Null for a payload that is none of the two, or names no tool. */
export function gateCall(fields: ReadonlyMap<string, unknown>): GateCall | null {
  const event = fields.get("hook_event_name");
  const tool = fields.get("tool_name");
  if ((event !== "PreToolUse" && event !== "PostToolUse") || typeof tool !== "string") return null;
  const given = fields.get("tool_input");
  const input: JsonObject = isObject(given) ? given : {};
  const agent = fields.get("agent_id");
  const id = fields.get("tool_use_id");
  return {
    event,
    tool,
    id: typeof id === "string" ? id : null,
    path: stringAt(input, "file_path") ?? stringAt(input, "notebook_path"),
    agentId: typeof agent === "string" && agent !== "" ? agent : null,
    shown: linesShown(input, fields.get("tool_response")),
  };
}

/** A call that the gate may deny. */
export function isEdit({ event, tool }: GateCall): boolean {
  return event === "PreToolUse" && EDITING.has(tool);
}

/** A read that took place: a failed one brings no PostToolUse. */
export function isRead({ event, tool }: GateCall): boolean {
  return event === "PostToolUse" && tool === "Read";
}

/**
 * The lines that a Read showed, by its input and what the client notes of its result. A result without numbers is a
 * notebook, a picture, or the word that nothing changed since it was last shown.
 */
export function linesShown(input: JsonObject, response: unknown): Coverage {
  const file = isObject(response) && isObject(response.file) ? response.file : {};
  const { startLine, numLines, totalLines } = file;
  if (isCount(startLine) && isCount(numLines) && isCount(totalLines)) {
    return linesSeen(startLine, startLine + numLines - 1, totalLines);
  }
  if (!isCount(input.limit)) return WHOLE;
  const first = isCount(input.offset) ? input.offset : 1;
  return linesSeen(first, first + input.limit - 1, null);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
