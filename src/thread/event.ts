/** What a person may answer to a request for approval. An event of another tool may have other words: it is passed on with them. */
export type Decision = "approve" | "reject" | "edit";
/** What a request to a person is about; of other tools' words the same holds, here and below. */
export type RequestKind = "question" | "approval" | "plan_review";
export type Urgency = "low" | "medium" | "high";
export type AnswerFormat = "free_text" | "yes_no" | "multiple_choice";

export const ROLES = ["user", "assistant", "system"] as const;
export type Role = (typeof ROLES)[number];

/** `timestamp` is in milliseconds since 1970; `iteration` counts rounds of the agent's outer loop, 0 before the first. */
export type EventBase = {
  readonly timestamp: number;
  readonly iteration: number;
  /** Stable name of the event; where there is none, its position in the thread stands for it. */
  readonly id?: string | undefined;
};

export type ToolCallEvent = EventBase & {
  readonly type: "tool_call";
  readonly toolName: string;
  readonly toolCallId: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly parallelGroup?: string | undefined;
};

export type ToolResultEvent = EventBase & {
  readonly type: "tool_result";
  readonly toolCallId: string;
  readonly result: unknown;
  readonly durationMs?: number | undefined;
  readonly parallelGroup?: string | undefined;
};

/** With a `toolCallId` it says that this call failed. */
export type ErrorEvent = EventBase & {
  readonly type: "error";
  readonly error: string;
  readonly toolCallId?: string | undefined;
  readonly recoverable: boolean;
};

export type HumanInputRequestedEvent = EventBase & {
  readonly type: "human_input_requested";
  readonly question: string;
  readonly kind?: string | undefined;
  readonly context?: string | undefined;
  readonly urgency?: string | undefined;
  readonly format?: string | undefined;
  readonly choices?: readonly string[] | undefined;
};

export type HumanInputReceivedEvent = EventBase & {
  readonly type: "human_input_received";
  readonly response: string;
  readonly decision?: string | undefined;
};

export type MessageEvent = EventBase & { readonly type: "message"; readonly role: Role; readonly content: string };

export type CompletionEvent = EventBase & {
  readonly type: "completion";
  readonly result: string;
  readonly verified: boolean;
};

export type SummaryEvent = EventBase & {
  readonly type: "summary";
  readonly summarizedIterations: readonly number[];
  readonly summary: string;
};

export type PlanEvent = EventBase & { readonly type: "plan"; readonly content: string };

export type ApprovalEvent = EventBase & {
  readonly type: "approval";
  readonly toolName: string;
  readonly toolCallId: string;
  readonly decision: string;
  readonly response?: string | undefined;
};

/** One thing that happened in an agent's thread. */
export type AgentEvent =
  | ToolCallEvent
  | ToolResultEvent
  | ErrorEvent
  | HumanInputRequestedEvent
  | HumanInputReceivedEvent
  | MessageEvent
  | CompletionEvent
  | SummaryEvent
  | PlanEvent
  | ApprovalEvent;

export type AgentEventType = AgentEvent["type"];

/** Every type of event; the compiler holds it against the union. */
export const EVENT_TYPES = Object.keys({
  tool_call: true,
  tool_result: true,
  error: true,
  human_input_requested: true,
  human_input_received: true,
  message: true,
  completion: true,
  summary: true,
  plan: true,
  approval: true,
} satisfies Record<AgentEventType, true>);
