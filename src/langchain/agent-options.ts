import type { BaseMessage } from "@langchain/core/messages";
import type { AgentEvent, Decision, HumanInputRequestedEvent } from "../thread/event.ts";
import type { SerializeOptions } from "../thread/serialize-thread.ts";
import type { ErrorSource } from "./errors.ts";
import type { ContextMode } from "./messages.ts";

/** What the agent needs of a chat model; every chat model of LangChain is one. */
export type ChatModel = {
  invoke(messages: BaseMessage[], options?: CallOptions): Promise<BaseMessage>;
  bindTools?(tools: ToolDescription[]): Pick<ChatModel, "invoke">;
};

/** What a model is told of a tool. */
export type ToolDescription = {
  readonly name: string;
  readonly description?: string | undefined;
  readonly schema: object;
};

/** What the agent needs of a tool; every tool of LangChain is one. */
export type AgentTool = ToolDescription & {
  invoke(call: ToolRequest, options?: ToolCallOptions): Promise<unknown>;
};

export type ToolRequest = {
  readonly type: "tool_call";
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
};

export type CallOptions = { signal?: AbortSignal };

/** The thread that a call belongs to, as LangChain hands it to a tool's function: its id, and its events up to the call. */
export type ToolCallOptions = CallOptions & {
  configurable?: { thread_id: string; events: readonly AgentEvent[] };
};

/** `true`: done and verified. `false`, or a text that tells the model what is missing: another iteration. */
export type StopVerdict = boolean | string;

export type AgentOptions = {
  readonly model: ChatModel;
  readonly tools?: readonly AgentTool[] | undefined;
  readonly instructions?: string | undefined;
  /** How earlier iterations reach the model; within one it sees its own messages, as long as the limit lets. `standard` by default. */
  readonly contextMode?: ContextMode | undefined;
  /** How the thread is written in the mode `xml`; of it, the limits hold in both modes. */
  readonly thread?: SerializeOptions | undefined;
  /** Most iterations of one run; 10 by default. */
  readonly maxIterations?: number | undefined;
  /** Most times that one iteration asks the model for calls; 50 by default. */
  readonly maxToolRounds?: number | undefined;
  /** How often a recoverable error of the model is tried again, one after the other; 3 by default. */
  readonly maxModelRetries?: number | undefined;
  /** Wait before the first of these, doubled each time, in milliseconds; 1000 by default. */
  readonly retryDelayMs?: number | undefined;
  readonly isRecoverable?: ((error: unknown, source: ErrorSource) => boolean) | undefined;
  /** Judges a text that the model ends an iteration with. Where it is left out, the first one is the result, unverified. */
  readonly stopWhen?:
    | ((result: string, events: readonly AgentEvent[]) => StopVerdict | Promise<StopVerdict>)
    | undefined;
  /** Called with each event once it is on the disk. */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
  /** Folder of the threads' logs, `session/threads` of the working directory by default; `null` keeps them nowhere. */
  readonly threadsFolder?: string | null | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Names new threads, and calls that the model did not name. */
  readonly newId?: (() => string) | undefined;
};

export type RunInput = {
  /** The thread to go on with; a new one where it is left out or has no log yet. */
  readonly threadId?: string | undefined;
  /** What the user says. */
  readonly input?: string | undefined;
  /** A person's answer to the thread's oldest open question. */
  readonly response?: string | undefined;
  readonly decision?: Decision | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly resume?:
    | {
        /** Runs calls that were interrupted again, instead of telling the model that they may or may not have happened. */
        readonly rerunInterrupted?: boolean | undefined;
      }
    | undefined;
};

export type RunEnd =
  /** `verified`: `stopWhen` said so. */
  | { readonly status: "completed"; readonly result: string; readonly verified: boolean }
  | { readonly status: "waiting"; readonly question: string; readonly request: HumanInputRequestedEvent }
  | { readonly status: "failed"; readonly error: string }
  | { readonly status: "max-iterations" }
  | { readonly status: "aborted" };

/** How a run ended, and the whole thread up to there. */
export type RunResult = RunEnd & { readonly threadId: string; readonly events: readonly AgentEvent[] };

export type Agent = {
  /**
   * Runs a thread until it is completed, fails, waits for a person, or has used its iterations. What goes wrong with the
   * thread's log is a failed run; it rejects only with what `onEvent` or `stopWhen` throws.
   */
  readonly run: (input: RunInput) => Promise<RunResult>;
  /** As `run`; yields each event once it is on the disk. Leaving the loop early aborts the run. */
  readonly stream: (input: RunInput) => AsyncGenerator<AgentEvent, RunResult, undefined>;
};
