import { plural } from "../../base/plural.ts";
import type { MachineChange } from "../../lifecycle/machine-change.ts";
import { watchMachines } from "../../stores/watch-machines.ts";
import type { CommandContext } from "../command-context.ts";
import { done, type Report } from "../report.ts";
import { checkRole } from "../role-argument.ts";
import { type FleetQuestion, fleetText, readFleet } from "./fleet.ts";
import { lostReport } from "./machine-report.ts";
import { parseFilter } from "./status-filter.ts";
import { stuckNotes } from "./status-text.ts";
import { turnText } from "./store-turn.ts";
import { transitionData, transitionText } from "./transition-line.ts";

export interface LinesOutput {
  /** Whether a program reads: then the table is left out. */
  readonly json: boolean;
  /** Writes a result; false where nobody reads any more. */
  readonly write: (text: string) => boolean;
  readonly tell: (note: string) => void;
  readonly stop: AbortSignal;
}

/** `lifecycle.status --watch` where no terminal shows it: the table once, then a line a transition, none left out. */
export async function watchLines(
  context: CommandContext,
  input: FleetQuestion & { readonly retryMs: number },
  output: LinesOutput,
): Promise<Report> {
  const role = input.role === undefined ? null : checkRole(context, input.role);
  if (role !== null && !role.ok) return role.error;
  // A role that is not there yet is watched for.
  const text = [role === null ? "" : `role=${role.value}`, input.filter ?? ""].join(" ").trim();
  const filter = text === "" ? null : parseFilter(text);
  if (filter !== null && !filter.ok) return filter.error;
  const line = output.json
    ? (change: MachineChange) => `${JSON.stringify(transitionData(change))}\n`
    : (change: MachineChange) => transitionText(change);
  let first = true;
  for await (const look of watchMachines(context.paths, {
    roles: role === null ? null : [role.value],
    signal: output.stop,
    retryMs: input.retryMs,
  })) {
    if (look.lost !== null) return lostReport(look.lost);
    if (look.turn !== null) output.tell(turnText(look.turn));
    if (first && look.turn?.kind !== "gone") {
      // After the first look: what changes while the table is made comes as a line.
      const fleet = await readFleet(context, { ...input, role: undefined, filter: text === "" ? undefined : text });
      if (!fleet.ok) return fleet.error;
      if (!output.json) output.write(fleetText(fleet.value));
      for (const note of [...fleet.value.notes, ...stuckNotes(fleet.value.roles, context.invokedAs)]) output.tell(note);
      output.tell(`Watching ${plural(look.machines.size, "role")}; Ctrl-C ends it.`);
      first = false;
    }
    const changes = look.changes.filter((change) => filter === null || filter.value.change(change));
    if (changes.length > 0 && !output.write(changes.map(line).join(""))) break;
  }
  return done("", {});
}
