import { isArray, isObject, type JsonObject, stringAt } from "../base/json-value.ts";
import type { Call, TrailContext } from "./context.ts";
import type { Todo } from "./model.ts";

/** The to-do list as the last calls left it: `TodoWrite` replaces it whole, `TaskCreate` and `TaskUpdate` change one entry. */
export function todoList(calls: readonly Call[], context: TrailContext): readonly Todo[] {
  let written: readonly Todo[] = [];
  const tasks = new Map<string, Todo>();
  for (const call of calls) {
    if (call.outcome === "failed") continue;
    if (call.name === "TodoWrite") {
      const items = call.input.todos;
      if (isArray(items)) written = items.filter(isObject).flatMap((item) => todoOf(item, "content", context));
    } else if (call.name === "TaskCreate") {
      const id = call.note?.task ?? /#([0-9]{1,9})\b/.exec(call.result)?.[1] ?? `${tasks.size + 1}`;
      for (const todo of todoOf(call.input, "subject", context)) tasks.set(id, todo);
    } else if (call.name === "TaskUpdate") update(tasks, call.input, context);
    else if (call.name === "TaskList") list(tasks, call.result, context);
  }
  return [...written, ...tasks.values()];
}

/** The client's own list: it tells of tasks too that were made before what was read. */
function list(tasks: Map<string, Todo>, result: string, context: TrailContext): void {
  for (const [, id = "", status, text] of result.matchAll(LISTED)) {
    for (const todo of todoOf({ subject: text, status }, "subject", context)) tasks.set(id, todo);
  }
}

// "#3 [in_progress] Write the parser (dev) [blocked by #2]"
const LISTED =
  /^#([0-9]{1,9})\.? \[(pending|in_progress|completed)\] ([^\n]{1,500}?)(?: \[blocked by [#0-9, ]{1,200}\])?$/gm;

function update(tasks: Map<string, Todo>, input: JsonObject, context: TrailContext): void {
  const id = stringAt(input, "taskId") ?? stringAt(input, "id");
  const before = id === null ? undefined : tasks.get(id);
  if (id === null || before === undefined) return;
  if (input.status === "deleted") tasks.delete(id);
  else
    for (const todo of todoOf({ subject: before.text, status: before.status, ...input }, "subject", context))
      tasks.set(id, todo);
}

function todoOf(item: JsonObject, key: string, context: TrailContext): readonly Todo[] {
  const text = context.cleanLine(stringAt(item, key) ?? "", 500);
  return text === "" ? [] : [{ text, status: statusOf(item.status) }];
}

function statusOf(status: unknown): Todo["status"] {
  return status === "completed" || status === "in_progress" ? status : "pending";
}
