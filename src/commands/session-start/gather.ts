import type { Config } from "../../config/config.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { lookAt, noLooks, noteLook } from "../../platform/file-marks.ts";
import { stopOptimising } from "../../platform/optimiser.ts";
import type { SessionStartFacts } from "../../session-start/facts.ts";
import { hasMenu } from "../../session-start/startup-instruction.ts";
import { configPath } from "../../stores/paths.ts";
import type { WorkspaceScan } from "../../stores/rescan.ts";
import type { EarlierScan, StartLooks } from "../../stores/start-memo.ts";
import { canKeepDocument, startDocumentPath } from "../../stores/start-store.ts";
import { continuesWork } from "../../transcript/detect-mode.ts";
import type { CommandContext } from "../command-context.ts";
import type { Continued } from "./continued.ts";
import type { StartDecision, StartInput } from "./decide.ts";
import { decideNew } from "./decide-new.ts";
import { gatherStartup, NO_STARTUP } from "./startup-facts.ts";

export interface Gathered extends Pick<Continued, "clean" | "holds"> {
  readonly facts: SessionStartFacts;
  readonly start: StartDecision;
  /** What could not be read, a sentence each; what is wrong with files that were. */
  readonly notes: readonly string[];
  readonly faults: readonly string[];
  /** All that the facts depend on; null where it is more than files: a transcript, or the rights to read one. */
  readonly looks: StartLooks | null;
  /** What another start may go on from; null where it could not. */
  readonly scan: WorkspaceScan | null;
}

/** Everything that a start's document is made from, as the disk has it now. Stops V8 optimising: the caller lets it go on. */
export async function gatherStart(
  context: CommandContext,
  config: Config,
  input: StartInput & { readonly role: RoleName | null; readonly mismatch: string | null },
  earlier: EarlierScan | null = null,
): Promise<Gathered> {
  const { role } = input;
  // Reading transcripts is most of the code that a start may need, and what knows of roles most of the rest.
  const reader = continuesWork(input.source) ? await import("./continued.ts") : null;
  const roles = role === null ? null : await import("./role-facts.ts");
  const continued =
    reader === null ? nothingBefore(input.source) : await reader.gatherContinued(context, config, input);
  // Each file is read once: that is over before faster code for it is worth its making, be it two files or two thousand.
  stopOptimising();
  const { start } = continued;
  // Before any of it is read: what changes in between is then told from what was read.
  const looks: StartLooks = { shown: noLooks(), scanned: noLooks() };
  const roleFiles = roles === null || role === null ? [] : roles.roleFiles(context, config, role);
  for (const path of [configPath(context.paths), ...roleFiles]) noteLook(looks.shown, path, lookAt(path));
  const compact = start.decision.mode === "compact" && start.project !== null;
  const startup = compact ? null : await gatherStartup(context, config, input.live, looks, earlier);
  const isLed = compact || (start.decision.action === "display_menu" && hasMenu(startup?.facts ?? NO_STARTUP));
  const own = roles === null || role === null ? null : roles.gatherRole(context, config, role, { ...input, isLed });
  const { timestamp, ...before } = continued.facts;
  const facts: SessionStartFacts = {
    session: { id: input.sessionId, source: input.source, timestamp },
    decision: start.decision,
    program: context.invokedAs,
    role: own?.facts ?? noRole(input.mismatch),
    startup: startup?.facts ?? NO_STARTUP,
    ...before,
    tone: config.tone,
    budgets: config.budgets,
    delivery: config.delivery,
    documentPath: canKeepDocument(context.paths) ? startDocumentPath(context.paths, input.sessionId) : null,
  };
  const { clean, holds } = continued;
  const unread = start.transcriptProblem === null ? [] : [start.transcriptProblem];
  const notes = [...unread, ...continued.notes, ...(startup?.notes ?? [])];
  const faults = startup?.faults ?? [];
  const known = !compact && own?.whole !== false;
  return { facts, start, notes, faults, looks: known ? looks : null, scan: startup?.scan ?? null, clean, holds };
}

/** A role that may be another agent's is not taken: what is known of it is why. */
function noRole(mismatch: string | null): SessionStartFacts["role"] {
  return mismatch === null ? null : { name: null, state: null, checklist: [mismatch], contextFile: null };
}

function nothingBefore(source: string): Continued {
  return {
    start: decideNew(source),
    facts: { timestamp: null, project: null, resumption: null, systemFiles: [], workTrail: null, loop: null },
    notes: [],
    clean: (text) => text,
    holds: () => false,
  };
}
