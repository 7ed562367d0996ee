import type { RoleName } from "../../lifecycle/role.ts";
import { wayToWrite } from "../../platform/way-to-write.ts";
import type { MachineError } from "../../stores/machine-access.ts";
import { shownPath } from "../../stores/paths.ts";
import type { CommandContext } from "../command-context.ts";
import { type FailedReport, failed } from "../report.ts";

const WAY_TO_READ = "Give this user the rights to it, or take the link away";

/** What went wrong with a machine's file, and the way out. */
export function machineReport(context: CommandContext, role: RoleName, error: MachineError): FailedReport {
  const path = shownPath(context.paths, error.path);
  const message = `${path} ${error.message}.`;
  switch (error.problem) {
    case "locked":
      return failed(
        {
          code: "locked",
          message,
          hint: `Try again${error.nameless ? " in a minute: then it is taken over" : "; if no such process exists, remove that file"}.`,
        },
        { outcome: "locked" },
      );
    case "unreachable":
      return lostReport(error);
    case "newer-version":
      return failed({ code: "state-newer", message, hint: "Update this program; the file is left as it is." });
    case "unwritable":
    case "denied":
    case "failed":
      return failed({
        code: "state-inaccessible",
        message,
        hint: `Nothing was changed. ${error.problem === "unwritable" ? wayToWrite(error.code) : WAY_TO_READ}, and run it again.`,
      });
    case "corrupt":
    case "contradiction":
    case "unknown-state":
    case "not-text":
    case "too-large":
    case "not-a-file":
      return failed({
        code: `state-${error.problem}`,
        message,
        hint: `Nothing was changed. ${context.invokedAs} lifecycle.recover ${role} sets the file aside and begins in "active".`,
      });
    default:
      return error.problem satisfies never;
  }
}

/** What went wrong with a role's history, and the way out: its machine is none the worse for it. */
export function historyReport(context: CommandContext, role: RoleName, error: MachineError): FailedReport {
  if (error.problem !== "too-large" && error.problem !== "not-a-file") return machineReport(context, role, error);
  return failed({
    code: `history-${error.problem}`,
    message: `${shownPath(context.paths, error.path)} ${error.message}.`,
    hint: "Move it away: the history begins anew, and the machine goes on from where it is.",
  });
}

/** The store of the machines is out of reach, or was lost; `also` is a sentence about what that means here. */
export function lostReport({ path, message, refused }: MachineError, also?: string): FailedReport {
  const hint = refused
    ? "Mend that first: to try again does not help."
    : "Try again when it is there; without CONTEXT_STORE the machines are kept in files.";
  const text = `${path} ${message}.${also === undefined ? "" : ` ${also}`}`;
  return failed(
    { code: refused ? "store-refused" : "store-unreachable", message: text, hint },
    { outcome: "unreachable" },
  );
}
