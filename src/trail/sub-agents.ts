import type { Activity } from "../transcript/activity.ts";
import { isAgentCall } from "./background.ts";
import type { Call } from "./context.ts";

/**
 * A session's activities, and those of its sub-agents among them, each where its time is. Of sub-agents count who was called,
 * sent on or done where nothing was taken back, and whom these called; the latest are asked for first. Of a call that a person
 * stopped nothing in the session tells who was called: `calledBy` does.
 */
export function withWork(
  session: readonly Activity[],
  workOf: (id: string, caller: Activity) => readonly Activity[],
  calledBy: (caller: Call) => string | undefined,
): readonly Activity[] {
  const known = new Set<string>();
  const work: (readonly [time: string, activity: Activity])[] = [];
  const add = (caller: Activity, depth: number): void => {
    const isStopped = caller.kind === "tool-call" && caller.outcome === "failed" && isAgentCall(caller);
    const id = subAgentIn(caller) ?? (isStopped ? calledBy(caller) : null);
    if (id == null || depth > DEEPEST || known.has(id)) return;
    known.add(id);
    for (const activity of workOf(id, caller)) {
      work.push([activity.timestamp ?? "", { ...activity, sidechain: true }]);
      add(activity, depth + 1);
    }
  };
  // A sub-agent's own file holds its line alone.
  if (session.some(({ sidechain }) => !sidechain)) for (const activity of session.toReversed()) add(activity, 0);
  if (work.length === 0) return session;
  // The session keeps its order, whatever the clock.
  let latest = "";
  for (const activity of session) {
    const { timestamp } = activity;
    if (timestamp !== null && timestamp > latest) latest = timestamp;
    work.push([latest, activity]);
  }
  return work.sort(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, activity]) => activity);
}

/** No sub-agent calls others through more of them: of a chain of thousands the stack would run out. */
const DEEPEST = 100;

/** The client's id of the sub-agent that an activity calls, sends on or has the end of; its file has its name from that. */
function subAgentIn(activity: Activity): string | null {
  if (activity.kind === "task-notification") return activity.taskId;
  if (activity.kind !== "tool-call") return null;
  if (activity.name === "SendMessage") return /"resumedAgentId":"([^"]+)/.exec(activity.result)?.[1] ?? null;
  // Behind what it answered, which may hold such a line too.
  return isAgentCall(activity) ? ([...activity.result.matchAll(/^agentId: (\S+)/gm)].at(-1)?.[1] ?? null) : null;
}

/**
 * Tells of a sub-agent's rows, oldest first, the calls that may change files or call others, and their results, by their
 * text: to parse one takes ten times as long. The client writes a row for each.
 */
export function openWorkSieve(): (row: string) => boolean {
  const ids = new Set<string>();
  return (row) => {
    const result = valueBehind(row, '"tool_use_id":"');
    if (result !== null) return ids.has(result);
    const isWork = WORK.test(row) || (row.includes('"name":"Bash"') && CHANGING.test(row));
    const call = isWork ? valueBehind(row, '"type":"tool_use","id":"') : null;
    if (call !== null) ids.add(call);
    return call !== null;
  };
}

function valueBehind(row: string, key: string): string | null {
  const at = row.indexOf(key);
  return at === -1 ? null : row.slice(at + key.length, row.indexOf('"', at + key.length));
}

const WORK = /"name":"(?:Write|Edit|MultiEdit|NotebookEdit|Task|Agent|SendMessage|mcp__)/;
/** In all that `shell-effects.ts` takes for a change. */
const CHANGING = />(?! ?(?:&|\/dev\/))|\b(?:rm|unlink|tee|touch|sed|perl|patch|cp|mv|commit|restore|checkout|reset)\b/;
