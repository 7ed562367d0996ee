import { quote } from "../../base/quote.ts";
import { err, ok, type Result, valueOr } from "../../base/result.ts";
import { paneRole } from "../../lifecycle/pane-registry.ts";
import { isRoleName, type RoleName } from "../../lifecycle/role.ts";
import { parseProcess } from "../../platform/process-identity.ts";
import { readText } from "../../platform/read-text.ts";
import { frontOf, frontProgram } from "../../platform/terminal-front.ts";
import { type TmuxServer, tmuxInvoked } from "../../platform/tmux-client.ts";
import { listPanes, type Pane, paneText } from "../../platform/tmux-panes.ts";
import { listMachines, readMachine, recordOf } from "../../stores/machine-store.ts";
import { shownPath } from "../../stores/paths.ts";
import type { CommandContext } from "../command-context.ts";
import { ownerLife } from "../lifecycle/owner-life.ts";
import { ownPaneName } from "../owner-place.ts";
import type { Problem } from "../report.ts";
import { roleExists } from "../role-exists.ts";
import { paneName } from "./find-pane.ts";

/** Why nothing may be typed into a pane. */
export interface Objection extends Problem {
  /** It may pass by itself in a moment. */
  readonly passing?: true;
}

export interface Occupied {
  readonly server: TmuxServer;
  readonly role: RoleName;
  readonly pane: Pane;
}

const REGISTRY_MAX_BYTES = 1024 * 1024;

/** The pane as it is now, if the role's agent is what reads its keyboard; else why it is not. */
export async function checkOccupant(context: CommandContext, occupied: Occupied): Promise<Result<Pane, Objection>> {
  const { server, role } = occupied;
  const panes = await listPanes(server, role);
  if (!panes.ok) return err({ code: "tmux-failed", message: `tmux does not answer: ${panes.error.message}.` });
  const pane = panes.value.find(
    ({ id, pid, server: process }) =>
      id === occupied.pane.id && pid === occupied.pane.pid && process === occupied.pane.server,
  );
  const name = paneName(pane ?? occupied.pane);
  if (pane === undefined || pane.isDead) {
    return err({ code: "pane-gone", message: `Pane ${name} is gone, or its program has ended.`, hint: START_AGAIN });
  }
  if (ownPaneName(context.env) === `${pane.id}@${pane.server}`) {
    const message = `Pane ${name} is the one that this command runs in.`;
    const hint = `An agent cannot wait for itself: run ${context.invokedAs} lifecycle.save ${role}, then /compact.`;
    return err({ code: "own-pane", message, hint });
  }
  return (
    (await whoseElse(context, occupied, pane)) ??
    inFront(context, { server, role, pane }) ??
    (pane.inMode
      ? err({
          code: "copy-mode",
          message: `Pane ${name} is in copy mode, where keys do not reach the agent.`,
          hint: "Leave it (q), or let it be left with --leave-copy-mode.",
        })
      : ok(pane))
  );
}

const START_AGAIN = "Start the agent again, and have it save once: that records where it runs.";

/** Whether the pane is known under another role: by its option, the registry, or a title that is exactly a role's name. */
async function whoseElse(
  { env, paths }: CommandContext,
  { server, role }: Occupied,
  pane: Pane,
): Promise<Result<never, Objection> | null> {
  const another = (source: string, other: string): Result<never, Objection> =>
    err({
      code: "pane-of-another",
      message: `Pane ${paneName(pane)} is ${quote(other)} by ${source}, expected "${role}".`,
      hint: "Name the pane of the role with --pane, or mend what is wrong about this one.",
    });
  if (pane.role === "other") return another("its option @role", await paneText(server, pane, "#{@role}"));
  const registry = env.HIVEMIND_ROLES_FILE ? readText(env.HIVEMIND_ROLES_FILE, REGISTRY_MAX_BYTES) : null;
  for (const address of registry?.ok ? pane.addresses : []) {
    const registered = registry?.ok ? paneRole(registry.value.text, address) : null;
    if (registered !== null && registered !== role) return another(`${env.HIVEMIND_ROLES_FILE}`, registered);
  }
  if (pane.role === "same" || pane.isTitled) return null;
  const title = await paneText(server, pane, "#{pane_title}");
  return isRoleName(title) && roleExists(paths, title) ? another("its title", title) : null;
}

export const NOT_THE_CLIENT = "not-the-client";

/** The client's program as tmux names it: by its own name, or on some systems by its file's, which is a version. */
const CLIENT = /^(?:claude|\d+\.\d+\.\d+)$/;

/** Whether the recorded client, or where none is recorded a client, has the pane's keyboard. */
function inFront(context: CommandContext, { server, role, pane }: Occupied): Result<never, Objection> | null {
  // Read again each time: a save in between can have made another session the owner.
  const machine = readMachine(context.paths, role);
  if (!machine.ok) {
    const path = shownPath(context.paths, machine.error.path);
    return err({ code: "state-unreadable", message: `${path} ${machine.error.message}.` });
  }
  const record = machine.value?.record ?? null;
  const name = paneName(pane);
  const process = record?.ownerProcess == null ? null : parseProcess(record.ownerProcess);
  if (record !== null && process !== null) {
    const life = ownerLife(record);
    if (life === "ended") {
      const message = `The client of ${role}, process ${process.pid}, has ended; pane ${name} runs ${quote(pane.program)}.`;
      return err({ code: "agent-ended", message, hint: START_AGAIN });
    }
    if (life === "running") return objectionTo(process.pid, role, pane);
  }
  const other = ownerOf(context, role, pane);
  if (other !== null) {
    const message = `Pane ${name} is where a session of ${other} runs, expected ${role}.`;
    return err({ code: "pane-of-another", message, hint: "Name the pane of the role with --pane." });
  }
  if (record?.ownerPane != null && record.ownerPane !== `${pane.id}@${pane.server}` && pane.role !== "same") {
    const message = `The session of ${role} runs in pane ${record.ownerPane.replace("@", " of tmux server ")}, not in ${name}.`;
    const hint = `If it has moved, have the agent save once, or say so: ${tmuxInvoked(server)} set-option -p -t ${pane.id} @role ${role}.`;
    return err({ code: "pane-of-another", message, hint });
  }
  const program = frontProgram(pane) ?? pane.program;
  if (CLIENT.test(program) || CLIENT.test(pane.program)) return null;
  return err({
    code: NOT_THE_CLIENT,
    message: `Pane ${name} runs ${quote(program)}, expected the client, "claude".`,
    hint: START_AGAIN,
    passing: true,
  });
}

function objectionTo(pid: number, role: RoleName, pane: Pane): Result<never, Objection> | null {
  const front = frontOf(pid, pane);
  const client = `The client of ${role}, process ${pid},`;
  const where = `pane ${paneName(pane)}`;
  switch (front.kind) {
    case "in-front":
      return null;
    case "elsewhere":
      return err({
        code: "pane-of-another",
        message: `${client} does not run in ${where}, which runs ${quote(pane.program)}.`,
        hint: "Leave --pane out to have its pane found, or name the right one.",
      });
    case "behind":
      return err({
        code: "agent-behind",
        message: `${client} is in the background of ${where}; ${quote(pane.program)} has the keyboard.`,
        hint: "Bring it back with fg in that pane.",
      });
    case "stopped":
      return err({ code: "agent-behind", message: `${client} is stopped.`, hint: "Let it go on (SIGCONT)." });
    case "lent":
      return err({
        code: "keyboard-lent",
        message: `${quote(front.to)}, started by the agent, reads the keyboard of ${where}.`,
        hint: "Leave that program first.",
        passing: true,
      });
    case "unknown":
      return err({ code: "agent-ended", message: `${client} cannot be looked at.`, hint: START_AGAIN });
    default:
      return front satisfies never;
  }
}

/** Another role whose session was last seen in this pane and may still be there. */
function ownerOf(context: CommandContext, role: RoleName, pane: Pane): RoleName | null {
  for (const other of valueOr(listMachines(context.paths), [])) {
    if (other === role) continue;
    const record = recordOf(context.paths, other);
    if (record?.ownerPane === `${pane.id}@${pane.server}` && ownerLife(record) !== "ended") return other;
  }
  return null;
}
