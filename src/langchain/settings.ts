import { randomUUID } from "node:crypto";
import type { AgentOptions, ChatModel } from "./agent-options.ts";
import { isRecoverableByDefault } from "./errors.ts";

/** An agent's options with every default in its place. */
export type Settings = WithDefaults<Omit<AgentOptions, "model" | "stopWhen" | "thread">> &
  Pick<AgentOptions, "stopWhen" | "thread"> & {
    /** The model, bound to the tools. */
    readonly model: Pick<ChatModel, "invoke">;
  };

type WithDefaults<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

/** Fills in the defaults and binds the model to the tools. */
export function settingsOf(options: AgentOptions): Settings {
  const tools = options.tools ?? [];
  return {
    model: boundModel(options.model, tools),
    tools,
    instructions: options.instructions ?? "",
    contextMode: options.contextMode ?? "standard",
    maxIterations: options.maxIterations ?? 10,
    maxToolRounds: options.maxToolRounds ?? 50,
    maxModelRetries: options.maxModelRetries ?? 3,
    retryDelayMs: options.retryDelayMs ?? 1000,
    isRecoverable: options.isRecoverable ?? isRecoverableByDefault,
    onEvent: options.onEvent ?? (() => {}),
    threadsFolder: options.threadsFolder === undefined ? "session/threads" : options.threadsFolder,
    now: options.now ?? Date.now,
    newId: options.newId ?? randomUUID,
    stopWhen: options.stopWhen,
    thread: options.thread,
  };
}

function boundModel(model: ChatModel, tools: Settings["tools"]): Pick<ChatModel, "invoke"> {
  const names = tools.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new TypeError(`Two tools are named ${JSON.stringify(repeated)}.`);
  if (tools.length === 0) return model;
  if (model.bindTools === undefined) throw new TypeError("The model takes no tools: it has no bindTools.");
  return model.bindTools([...tools]);
}
