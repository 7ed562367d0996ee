import type { Config } from "../../config/config.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import type { LifecycleState } from "../../lifecycle/states.ts";
import type { FileFact, RoleFacts } from "../../session-start/facts.ts";
import { readContextFile } from "../../stores/context-file-store.ts";
import { readMachine } from "../../stores/machine-store.ts";
import { contextFilePath, inRoot, machinePath, shownPath, skillPaths } from "../../stores/paths.ts";
import type { CommandContext } from "../command-context.ts";
import { isLeftCompacting } from "../lifecycle/owner-life.ts";
import { fileContent } from "./file-fact.ts";
import { roleChecklist } from "./role-checklist.ts";

export interface GatheredRole {
  readonly facts: RoleFacts;
  /** Whether all was read that is there: else the next start may find more, without a change of any file. */
  readonly whole: boolean;
}

/** What a start's document says of the role that the session works as. */
export function gatherRole(
  context: CommandContext,
  config: Config,
  role: RoleName,
  { source, mismatch, isLed }: { readonly source: string; readonly mismatch: string | null; readonly isLed: boolean },
): GatheredRole {
  const machine = readMachine(context.paths, role);
  const record = machine.ok ? (machine.value?.record ?? null) : null;
  const path = contextFilePath(context.paths, role);
  const content = fileContent(readContextFile(context.paths, role));
  const contextFile: FileFact = { path: shownPath(context.paths, path), absolutePath: path, content };
  const facts: RoleFacts = {
    name: role,
    // The first of the parallel hook commands reports the compaction's end while the others read: all say what it becomes.
    state: source === "compact" ? "recovering" : stateOf(record, mismatch === null, context),
    checklist: [
      ...(mismatch === null ? [] : [`${mismatch} What follows here is for the role's own agent.`]),
      ...roleChecklist(context, config, role, { content, isLed }),
    ],
    contextFile,
  };
  return { facts, whole: machine.ok && content.kind !== "unreadable" && content.kind !== "refused" };
}

/** So too where the first one frees its own role, which compacts by its state alone. */
function stateOf(record: MachineRecord | null, isOwn: boolean, { now }: CommandContext): LifecycleState | null {
  if (record === null) return null;
  return isOwn && isLeftCompacting(record, now()) ? "active" : record.state;
}

/** What `gatherRole` reads or asks for. */
export function roleFiles({ paths }: CommandContext, config: Config, role: RoleName): readonly string[] {
  return [
    machinePath(paths, role),
    contextFilePath(paths, role),
    ...skillPaths(role).map((path) => inRoot(paths, path)),
    inRoot(paths, config.recovery.architecture),
  ];
}
