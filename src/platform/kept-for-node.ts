import { ownProcess } from "./process-identity.ts";

/** The variable in which what was kept is handed on. */
export const KEPT_FOR_NODE = "CONTEXT_KEPT_FOR_NODE";

/** What is kept where this process is handed over to Node in the middle of a command: this one is Node's already. */
export function keepForNode(_text: () => string): void {}

/** Before the text: another process that inherits the environment is not meant, and a process keeps its number and its start. */
export function keptHead(): string {
  const { pid, started } = ownProcess();
  return `${pid}/${started ?? ""} `;
}

/** What the native program kept that this process was until it handed over; null where it was none, or kept nothing. */
export function keptForNode(env: Readonly<Record<string, string | undefined>>): string | null {
  const text = env[KEPT_FOR_NODE];
  if (text === undefined) return null;
  const head = keptHead();
  return text.startsWith(head) ? text.slice(head.length) : null;
}
