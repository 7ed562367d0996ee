import { printableLine } from "../../base/printable.ts";
import type { MachineChange } from "../../lifecycle/machine-change.ts";

/** A transition as one line for a person. */
export function transitionText({ role, from, to, event, revision, at, by }: MachineChange): string {
  const way = from === null ? `${to} (its machine is new)` : to === null ? `${from} -> gone` : `${from} -> ${to}`;
  const cause = event === null ? "" : `  ${event}${by === null ? "" : ` by ${printableLine(by)}`}`;
  return `${at === null ? "" : `${printableLine(at)}  `}${role}: ${way}${cause}  revision ${revision}\n`;
}

/** A transition as one line for a program; `lifecycle/status-schema.ts` is its shape. */
export function transitionData({ role, from, to, event, revision, at, by, sessionId }: MachineChange) {
  return { schema_version: 1, role, from, to, event, revision, time: at, by, session_id: sessionId };
}
