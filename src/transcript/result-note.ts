import { isObject, stringAt } from "../base/json-value.ts";

/** What the client notes beside a tool's result (`toolUseResult`), as far as it tells more than the result's text. */
export interface ResultNote {
  /** Whether a write made the file or replaced it. */
  readonly change: "create" | "update" | null;
  /** Id of the command or sub-agent that goes on in the background. */
  readonly background: string | null;
  /** Where a background task stands. */
  readonly status: string | null;
  /** Id of a task that was put on the task list. */
  readonly task: string | null;
  /** The person's answer to each question. */
  readonly answers: ReadonlyMap<string, string>;
}

/** What the client noted beside a tool's result; null where that is no object. */
export function resultNote(value: unknown): ResultNote | null {
  if (!isObject(value)) return null;
  const type = stringAt(value, "type");
  const task = isObject(value.task) ? value.task : {};
  const launched = value.isAsync === true || stringAt(value, "status") === "async_launched";
  return {
    change: type === "create" || type === "update" ? type : null,
    background: stringAt(value, "backgroundTaskId") ?? (launched ? stringAt(value, "agentId") : null),
    status: stringAt(value, "status") ?? stringAt(task, "status"),
    task: stringAt(task, "id"),
    answers: new Map(
      Object.entries(isObject(value.answers) ? value.answers : {}).flatMap(([question, answer]) =>
        typeof answer === "string" ? [[question, answer] as const] : [],
      ),
    ),
  };
}
