import type { AgentEvent } from "../thread/event.ts";
import type { Agent, AgentOptions, RunInput, RunResult } from "./agent-options.ts";
import type { ThreadMemory } from "./open-thread.ts";
import { runThread } from "./run-thread.ts";
import { type Settings, settingsOf } from "./settings.ts";

/**
 * An agent over a LangChain chat model: iterations outside, tool calls inside, every event on the disk before anything
 * builds on it. A run that was killed goes on with `run({threadId})`: its calls are not run again, but told to the model
 * as interrupted. Throws a `TypeError` where two tools share a name, or the model takes no tools.
 */
export function createAgent(options: AgentOptions): Agent {
  const settings = settingsOf(options);
  const memory: ThreadMemory = { threads: new Map(), busy: new Set() };
  return {
    run: (input) => runThread(settings, memory, input),
    stream: (input) => streamThread(settings, memory, input),
  };
}

async function* streamThread(
  settings: Settings,
  memory: ThreadMemory,
  input: RunInput,
): AsyncGenerator<AgentEvent, RunResult, undefined> {
  const left = new AbortController();
  const { signal } = left;
  const abort = () => left.abort(input.signal?.reason);
  if (input.signal?.aborted) abort();
  input.signal?.addEventListener("abort", abort, { once: true });
  const queue: AgentEvent[] = [];
  let wake = () => {};
  const onEvent = (event: AgentEvent) => {
    queue.push(event);
    wake();
    settings.onEvent(event);
  };
  let ended = false;
  const run = runThread({ ...settings, onEvent }, memory, { ...input, signal }).finally(() => {
    ended = true;
    wake();
  });
  // Whoever reads slowly hears of a failure when the events before it are read.
  run.catch(() => {});
  try {
    while (!ended || queue.length > 0) {
      const event = queue.shift();
      if (event !== undefined) yield event;
      else if (!ended)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    return await run;
  } finally {
    input.signal?.removeEventListener("abort", abort);
    left.abort();
    await run.catch(() => {});
  }
}
