import { join } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import type { AgentEvent } from "../thread/event.ts";
import type { Settings } from "./settings.ts";
import { isThreadId, THREAD_ID_RULE } from "./thread-id.ts";
import { appendToLog, copyOf, readLog } from "./thread-log.ts";
import { claimThread, type ThreadLogError } from "./thread-owner.ts";

/** An event without what the thread knows: the time and the iteration. */
export type NewEvent = AgentEvent extends infer E
  ? E extends AgentEvent
    ? Omit<E, "timestamp" | "iteration">
    : never
  : never;

/** A thread that this run alone may write. */
export type OpenThread = {
  readonly id: string;
  readonly events: readonly AgentEvent[];
  readonly iteration: () => number;
  /** Begins the next iteration. */
  readonly nextIteration: () => void;
  /** Writes events in one go; from then on they count, as they are returned. Nothing is written once the thread is closed. */
  readonly record: (...events: readonly NewEvent[]) => readonly AgentEvent[];
  readonly close: () => void;
};

/** Thrown by `record` where the log cannot be written: nothing goes on that cannot be remembered. */
export class LogFailure extends Error {
  override readonly name = "LogFailure";
}

/** Where threads without a log are kept, for as long as their agent lives; `busy` are those that run. */
export type ThreadMemory = { readonly threads: Map<string, AgentEvent[]>; readonly busy: Set<string> };

/** Opens a thread in its log, or in memory where it has none; the error says why it cannot be used now. */
export function openThread(
  threadId: string,
  settings: Settings,
  memory: ThreadMemory,
): Result<OpenThread, { readonly message: string }> {
  const { threadsFolder: folder } = settings;
  const store = folder === null ? inMemory(threadId, memory) : onDisk(threadId, folder);
  return store.ok ? ok(threadOf(threadId, store.value, settings)) : store;
}

type Store = {
  readonly events: AgentEvent[];
  readonly append: (events: readonly AgentEvent[]) => Result<readonly AgentEvent[], ThreadLogError>;
  readonly release: () => void;
};

function inMemory(threadId: string, { threads, busy }: ThreadMemory): Result<Store, { readonly message: string }> {
  if (busy.has(threadId)) return err({ message: `Thread ${threadId} is in use by another run of this agent.` });
  const events = threads.get(threadId) ?? [];
  threads.set(threadId, events);
  busy.add(threadId);
  return ok({ events, append: (added) => copyOf(threadId, added), release: () => busy.delete(threadId) });
}

function onDisk(threadId: string, folder: string): Result<Store, { readonly message: string }> {
  if (!isThreadId(threadId)) {
    const shown = JSON.stringify(threadId.slice(0, 120));
    return err({ message: `Thread id ${shown} is no file name; expected ${THREAD_ID_RULE}.` });
  }
  const path = join(folder, `${threadId}.jsonl`);
  const claimed = claimThread(path);
  if (!claimed.ok) return claimed;
  const opened = readLog(path);
  if (!opened.ok) {
    claimed.value();
    return opened;
  }
  return ok({
    events: opened.value.events,
    append: (events) => appendToLog(path, events),
    release: claimed.value,
  });
}

function threadOf(id: string, { events, append, release }: Store, { now, onEvent }: Settings): OpenThread {
  let iteration = events.reduce((most, event) => Math.max(most, event.iteration), 0);
  let closed = false;
  return {
    id,
    events,
    iteration: () => iteration,
    nextIteration: () => {
      iteration += 1;
    },
    record: (...added) => {
      if (closed || added.length === 0) return [];
      const timestamp = now();
      const appended = append(added.map((event) => ({ ...event, timestamp, iteration })));
      if (!appended.ok) throw new LogFailure(appended.error.message);
      events.push(...appended.value);
      for (const event of appended.value) onEvent(event);
      return appended.value;
    },
    close: () => {
      closed = true;
      release();
    },
  };
}
