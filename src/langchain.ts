export { createAgent } from "./langchain/agent.ts";
export type {
  Agent,
  AgentOptions,
  AgentTool,
  CallOptions,
  ChatModel,
  RunEnd,
  RunInput,
  RunResult,
  StopVerdict,
  ToolCallOptions,
  ToolDescription,
  ToolRequest,
} from "./langchain/agent-options.ts";
export { type ErrorSource, isRecoverableByDefault, UnrecoverableError } from "./langchain/errors.ts";
export { answerTo, type HumanInputOptions, HumanInputRequest, humanInputTool } from "./langchain/human-input.ts";
export { type BuildMessagesOptions, buildMessages, type ContextMode } from "./langchain/messages.ts";
export { appendEvents, type OpenedLog, openThreadLog } from "./langchain/thread-log.ts";
export type { ThreadLogError } from "./langchain/thread-owner.ts";
export type { AgentEvent } from "./thread/event.ts";
