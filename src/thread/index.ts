export { type PlanOptions, planMessages } from "./build-messages.ts";
export { countForbidden, escapeXml, escapeXmlAttribute } from "./escape-xml.ts";
export type {
  AgentEvent,
  AgentEventType,
  AnswerFormat,
  ApprovalEvent,
  CompletionEvent,
  Decision,
  ErrorEvent,
  EventBase,
  HumanInputReceivedEvent,
  HumanInputRequestedEvent,
  MessageEvent,
  PlanEvent,
  RequestKind,
  Role,
  SummaryEvent,
  ToolCallEvent,
  ToolResultEvent,
  Urgency,
} from "./event.ts";
export type { Outcome } from "./outcome.ts";
export { isAgentEvent, parseAgentEvent } from "./parse-event.ts";
export { type ParsedThread, parseThread, type ThreadGap } from "./parse-thread.ts";
export type { ThreadError } from "./read-elements.ts";
export { type SerializeOptions, serializeThread } from "./serialize-thread.ts";
export { type StreamOptions, serializeThreadStream } from "./serialize-thread-stream.ts";
export { serializeValue } from "./serialize-value.ts";
export type { AssistantMessage, PlannedCall, ThreadMessage } from "./thread-message.ts";
