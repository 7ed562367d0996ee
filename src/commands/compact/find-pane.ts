import { printableLine } from "../../base/printable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import { parseProcess } from "../../platform/process-identity.ts";
import { ancestorsOf } from "../../platform/terminal-front.ts";
import type { Pane } from "../../platform/tmux-panes.ts";
import { ownerLife } from "../lifecycle/owner-life.ts";
import type { Problem } from "../report.ts";

export interface FoundPane {
  readonly pane: Pane;
  /** What led to it, as the end of "found by". */
  readonly by: string;
}

export interface PaneSearch {
  readonly role: RoleName;
  readonly record: MachineRecord | null;
  /** What the context file says; free text. */
  readonly contextPane: string | null;
  /** `%4` or `session:window.pane`, where a person named one. */
  readonly named: string | undefined;
  /** How a command line to the tmux server begins. */
  readonly tmux: string;
}

/** The pane that the role's agent runs in: the one that was named, else by the best of what is known. */
export function findPane(panes: readonly Pane[], search: PaneSearch): Result<FoundPane, Problem> {
  const { role, record, contextPane, named, tmux } = search;
  if (named !== undefined) {
    const pane = panes.find((one) => one.id === named || one.addresses.includes(named));
    if (pane !== undefined) return ok({ pane, by: "--pane" });
    const hint = `Name one that is there, as %4 or session:window.pane. ${listText(panes)}`;
    return err({ code: "no-pane", message: `There is no pane ${printableLine(named)}.`, hint });
  }
  const process = record?.ownerProcess == null ? null : parseProcess(record.ownerProcess);
  if (record !== null && process !== null && ownerLife(record) === "running") {
    const above = ancestorsOf(process.pid);
    const pane = panes.find((one) => above.includes(one.pid));
    if (pane !== undefined) return ok({ pane, by: `the role's client, process ${process.pid}` });
    const message = `The client of ${role}, process ${process.pid}, runs in no pane of this tmux server.`;
    const hint = "If it runs under another server, name that server's socket with --socket.";
    return err({ code: "no-pane", message, hint });
  }
  const ways: readonly (readonly [by: string, fits: (pane: Pane) => boolean])[] = [
    ["the session that it belongs to", (pane) => record?.ownerPane === `${pane.id}@${pane.server}`],
    ["the pane's option @role", (pane) => pane.role === "same"],
    ["the context file", (pane) => isAt(pane, contextPane)],
    ["the pane's title", (pane) => pane.isTitled],
  ];
  for (const [by, fits] of ways) {
    const found = panes.filter(fits);
    const [pane] = found;
    if (pane === undefined) continue;
    if (found.length === 1) return ok({ pane, by });
    const message = `${found.length} panes are ${role}'s by ${by}: ${found.map(paneName).join(", ")}.`;
    return err({ code: "ambiguous-pane", message, hint: "Name the one that is meant with --pane." });
  }
  return err({
    code: "no-pane",
    message: `It is not known in which pane ${role} runs: neither a session, a pane's @role or title, nor the context file says it.`,
    hint: `Name it with --pane, or tell tmux: ${tmux} set-option -p -t %N @role ${role}. ${listText(panes)}`,
  });
}

/** `%4 (work:0.1)`. */
export function paneName({ id, addresses: [address] }: Pane): string {
  return address === undefined ? id : `${id} (${printableLine(address)})`;
}

/** `0.4 in cursorOrchestrator`, as `new` writes it, an address, or a pane's number. */
function isAt({ id, addresses }: Pane, written: string | null): boolean {
  if (written === null) return false;
  const text = written.trim().replace(/^`|`$/g, "");
  const [, place, session] = /^(\d+\.\d+) in (.+)$/.exec(text) ?? [];
  return text === id || addresses.includes(place === undefined ? text : `${session}:${place}`);
}

const MOST_LISTED = 12;

function listText(panes: readonly Pane[]): string {
  if (panes.length === 0) return "The server has no pane.";
  const more = panes.length > MOST_LISTED ? `, and ${panes.length - MOST_LISTED} more` : "";
  return `Panes: ${panes.slice(0, MOST_LISTED).map(paneName).join(", ")}${more}.`;
}
