import { resolve } from "node:path";
import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import { tmuxInvoked } from "../../platform/tmux-client.ts";
import { listPanes } from "../../platform/tmux-panes.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { readMachine } from "../../stores/machine-store.ts";
import { type ContextCheck, checkContext, isGood } from "../check-context.ts";
import type { CommandContext } from "../command-context.ts";
import { machineReport } from "../lifecycle/machine-report.ts";
import { failed, type Report } from "../report.ts";
import { roleArgument } from "../role-argument.ts";
import { roleExists } from "../role-exists.ts";
import { findPane } from "./find-pane.ts";
import { holdPane } from "./hold-pane.ts";
import { askLine, type CompactInput, readLimits } from "./input.ts";
import { planned } from "./planned.ts";
import { refuse, tmuxProblem, unknownRole } from "./refuse.ts";
import { doneReport, type Round } from "./round.ts";
import { runRound } from "./run-round.ts";
import { openStepLog } from "./step-log.ts";
import type { Typist } from "./typing.ts";

export interface CompactOutput {
  /** Writes a step as it is done; a program gets them all at the end. */
  readonly write: (line: string) => void;
  readonly tell: (note: string) => void;
  readonly stop: AbortSignal;
  /** A round takes minutes: each step has a time of its own. */
  readonly clock: () => Date;
}

/** `lifecycle.compact <role>`: asks the agent in its pane to save, waits, types `/compact`, and waits until it is back. */
export async function lifecycleCompact(
  context: CommandContext,
  input: CompactInput,
  output: CompactOutput,
): Promise<Report> {
  const limits = readLimits(input);
  if (!limits.ok) return limits.error;
  const chosen = await roleArgument(context, input.role);
  if (!chosen.ok) return chosen.error;
  const { role } = chosen.value;
  for (const note of chosen.value.notes) output.tell(note);
  if (!roleExists(context.paths, role)) return unknownRole(context, role);
  const config = await loadConfig(context.paths);
  for (const note of config.notes) output.tell(note);
  const ask = askLine(context, role, config.value.compact.ask);
  if (!ask.ok) return ask.error;
  const machine = readMachine(context.paths, role);
  if (!machine.ok) return machineReport(context, role, machine.error);
  const record = machine.value?.record ?? null;
  const refusal = refuse(context, role, record);
  if (refusal !== null) return failed(refusal);
  const check = checkContext(context, role, record);

  const socket = input.socket === undefined ? null : resolve(context.cwd, input.socket);
  const server = { env: context.env, socket };
  const panes = await listPanes(server, role);
  if (!panes.ok) return failed(tmuxProblem(panes.error));
  const contextPane = check.kind === "checked" ? check.pane : null;
  const found = findPane(panes.value, { role, record, contextPane, named: input.pane, tmux: tmuxInvoked(server) });
  if (!found.ok) return failed(found.error);
  const { anyScreen, leaveCopyMode, dryRun } = input;
  const typist: Typist = { server, role, pane: found.value.pane, anyScreen, leaveCopyMode, stop: output.stop };
  const round: Round = {
    context,
    role,
    typist,
    found: found.value,
    ask: input.ask || !isSaved(record, check) ? ask.value : null,
    limits: limits.value,
    log: openStepLog(output.clock, output.write),
    tell: output.tell,
  };
  if (dryRun) return await planned(round);
  return holdPane(round, async () => (await runRound(round)) ?? doneReport(round));
}

/** `saved` stands for the file as it was saved; a file that was edited since is not. */
function isSaved(record: MachineRecord | null, check: ContextCheck): boolean {
  return record?.state === "saved" && isGood(check) && check.sha256 === record.contextSha256;
}
