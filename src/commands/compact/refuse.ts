import { suggest } from "../../base/suggest.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import { stuckReason } from "../../lifecycle/stuck.ts";
import type { TmuxProblem } from "../../platform/tmux-client.ts";
import type { CommandContext } from "../command-context.ts";
import { knownRoles } from "../known-roles.ts";
import { ownerLife } from "../lifecycle/owner-life.ts";
import { failed, type Problem, type Report } from "../report.ts";

/** Why a role is not to be compacted as it stands; null where it may be. */
export function refuse(context: CommandContext, role: RoleName, record: MachineRecord | null): Problem | null {
  if (record === null) return null;
  const stuck = stuckReason(record, context.now(), ownerLife(record));
  if (stuck !== null) {
    const why = stuck === "too-long" ? "for more than ten minutes" : "and its client has ended";
    return {
      code: "stuck",
      message: `${role} is stuck in "${record.state}" since ${record.since}, ${why}.`,
      hint: `Look at its pane, then bring it back: ${context.invokedAs} lifecycle.recover ${role}.`,
    };
  }
  if (record.state !== "compacting") return null;
  return {
    code: "compacting",
    message: `${role} is compacting since ${record.since ?? "an unknown time"}.`,
    hint: `Wait for it: ${context.invokedAs} lifecycle.wait ${role} --for recovering,active.`,
  };
}

/** A role that nobody has heard of. */
export function unknownRole(context: CommandContext, role: RoleName): Report {
  const known = knownRoles(context);
  const near = suggest(role, known);
  const hint = near === null ? `Roles that exist: ${known.join(", ") || "none"}.` : `Did you mean "${near}"?`;
  return failed({ code: "no-role", message: `There is no role ${role}, neither a context file nor a machine.`, hint });
}

/** What is wrong with tmux, and the way out. */
export function tmuxProblem({ kind, message }: TmuxProblem): Problem {
  switch (kind) {
    case "absent":
      return {
        code: "no-tmux",
        message: "tmux is not found on the PATH.",
        hint: "Install it, or save and type /compact by hand.",
      };
    case "no-server":
      return {
        code: "no-tmux-server",
        message: `No tmux server answers: ${message}.`,
        hint: "Start the agent in tmux, or name its server's socket with --socket.",
      };
    case "failed":
      return { code: "tmux-failed", message: `tmux does not do what it is asked: ${message}.` };
    default:
      return kind satisfies never;
  }
}
