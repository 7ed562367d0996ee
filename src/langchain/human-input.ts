import { type DynamicStructuredTool, tool } from "@langchain/core/tools";
import type {
  AgentEvent,
  AnswerFormat,
  HumanInputReceivedEvent,
  HumanInputRequestedEvent,
  RequestKind,
  Urgency,
} from "../thread/event.ts";
import { isRecord } from "../thread/outcome.ts";

export type HumanInputOptions = {
  readonly kind?: RequestKind | undefined;
  readonly context?: string | undefined;
  readonly urgency?: Urgency | undefined;
  readonly format?: AnswerFormat | undefined;
  readonly choices?: readonly string[] | undefined;
};

/** Thrown by a tool, it puts a question to a person: the run ends as waiting, and goes on with `run({response})`. */
export class HumanInputRequest extends Error {
  override readonly name = "HumanInputRequest";
  readonly question: string;
  readonly options: HumanInputOptions;

  constructor(question: string, options: HumanInputOptions = {}) {
    super(question);
    this.question = question;
    this.options = options;
  }
}

/** A tool, `ask_human` unless it is named, by which the model itself asks a person. */
export function humanInputTool(name = "ask_human"): DynamicStructuredTool {
  return tool(
    (input: unknown) => {
      const { question, choices } = isRecord(input) ? input : {};
      throw new HumanInputRequest(typeof question === "string" ? question : "", {
        kind: "question",
        ...(Array.isArray(choices) ? { format: "multiple_choice", choices: choices.map(String) } : {}),
      });
    },
    {
      name,
      description: "Asks a person a question. The answer comes as the next message.",
      schema: {
        type: "object",
        properties: {
          question: { type: "string", description: "The question, understood without anything else." },
          choices: { type: "array", items: { type: "string" }, description: "The answers to choose from, if any." },
        },
        required: ["question"],
      },
    },
  );
}

/** Requests that nobody answered yet, oldest first: each answer settles the oldest one that was open. */
export function openRequests(events: readonly AgentEvent[]): HumanInputRequestedEvent[] {
  const open: HumanInputRequestedEvent[] = [];
  for (const event of events) {
    if (event.type === "human_input_requested") open.push(event);
    if (event.type === "human_input_received") open.shift();
  }
  return open;
}

/**
 * A person's answer to the latest request of this very question, `null` where there is none: by it a tool that asked before
 * it did anything, and is called again, learns that it may.
 */
export function answerTo(events: readonly AgentEvent[], question: string): HumanInputReceivedEvent | null {
  const open: HumanInputRequestedEvent[] = [];
  let answer: HumanInputReceivedEvent | null = null;
  for (const event of events) {
    if (event.type === "human_input_requested") {
      open.push(event);
      if (event.question === question) answer = null;
    }
    if (event.type === "human_input_received" && open.shift()?.question === question) answer = event;
  }
  return answer;
}

/** The result of a call that asked a person: the call itself is done, the answer is a message of its own. */
export const ASKED = "The question was put to a person. The answer follows as a message.";
