import { planMessages } from "../thread/build-messages.ts";
import type { RunEnd, RunInput, RunResult } from "./agent-options.ts";
import { openRequests } from "./human-input.ts";
import { settleInterrupted } from "./interrupted.ts";
import { LogFailure, type OpenThread, openThread, type ThreadMemory } from "./open-thread.ts";
import { runIteration } from "./run-iteration.ts";
import { runTurn } from "./run-turn.ts";
import type { Settings } from "./settings.ts";

/** Opens the thread, runs it, and closes it whatever happens. */
export async function runThread(settings: Settings, memory: ThreadMemory, input: RunInput): Promise<RunResult> {
  const threadId = input.threadId ?? settings.newId();
  const opened = openThread(threadId, settings, memory);
  if (!opened.ok) return { status: "failed", error: opened.error.message, threadId, events: [] };
  const thread = opened.value;
  try {
    const end = await runOpen(settings, thread, input);
    return { ...end, threadId, events: [...thread.events] };
  } catch (error) {
    if (!(error instanceof LogFailure)) throw error;
    return { status: "failed", error: error.message, threadId, events: [...thread.events] };
  } finally {
    thread.close();
  }
}

async function runOpen(settings: Settings, thread: OpenThread, input: RunInput): Promise<RunEnd> {
  const refusal = refusalOf(thread, input);
  if (refusal !== null) return { status: "failed", error: refusal };
  const again = settleInterrupted(thread, input.resume?.rerunInterrupted ?? false);
  if (again.length > 0) {
    const { fatal } = await runTurn(settings, thread, again, input.signal);
    if (fatal !== null) return { status: "failed", error: fatal };
  }
  takeInput(thread, input);
  const last = thread.events.at(-1);
  if (last?.type === "completion") return { status: "completed", result: last.result, verified: last.verified };
  return waitingEnd(thread) ?? (await iterate(settings, thread, input.signal));
}

/** Why this input does not fit the thread; nothing was recorded yet. */
function refusalOf({ events }: OpenThread, { input, response, decision }: RunInput): string | null {
  const [request] = openRequests(events);
  if (response !== undefined) return request === undefined ? "The thread has no open question to respond to." : null;
  if (decision !== undefined) return "A decision needs a response beside it.";
  if (input === undefined) return events.length === 0 ? "The thread is empty; expected an input." : null;
  if (request === undefined) return null;
  return `The thread waits for a response to its question, found an input. The question: ${request.question}`;
}

function takeInput(thread: OpenThread, { input, response, decision }: RunInput): void {
  if (response !== undefined) thread.record({ type: "human_input_received", response, decision });
  if (input !== undefined) thread.record({ type: "message", role: "user", content: input });
}

function waitingEnd({ events }: OpenThread): RunEnd | null {
  const [request] = openRequests(events);
  return request === undefined ? null : { status: "waiting", question: request.question, request };
}

async function iterate(settings: Settings, thread: OpenThread, signal: AbortSignal | undefined): Promise<RunEnd> {
  for (let count = 0; count < settings.maxIterations; count++) {
    if (signal?.aborted) return { status: "aborted" };
    // Providers refuse a conversation that ends with the model's own message, or go on inside of it.
    if (planMessages(thread.events).at(-1)?.role === "assistant") tell(thread, GO_ON);
    thread.nextIteration();
    const end = await runIteration(settings, thread, signal);
    switch (end.kind) {
      case "failed":
        return { status: "failed", error: end.error };
      case "aborted":
        return { status: "aborted" };
      case "waiting": {
        const waiting = waitingEnd(thread);
        if (waiting !== null) return waiting;
        break;
      }
      case "text": {
        const completed = await judge(settings, thread, end.text);
        if (completed !== null) return completed;
        break;
      }
      case "rounds":
        break;
      default:
        end satisfies never;
    }
  }
  return { status: "max-iterations" };
}

/** Completes the thread, or tells the model what is missing. */
async function judge({ stopWhen }: Settings, thread: OpenThread, result: string): Promise<RunEnd | null> {
  const verdict = stopWhen === undefined ? true : await stopWhen(result, thread.events);
  if (verdict === true) {
    const verified = stopWhen !== undefined;
    thread.record({ type: "completion", result, verified });
    return { status: "completed", result, verified };
  }
  tell(thread, verdict === false || verdict.trim() === "" ? NOT_DONE : verdict);
  return null;
}

function tell(thread: OpenThread, content: string): void {
  thread.record({ type: "message", role: "user", content });
}

const GO_ON = "Go on from here.";
const NOT_DONE = "The task is not done yet. Go on.";
