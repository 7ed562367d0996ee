import { isoText } from "../base/iso-text.ts";
import type { Config } from "../config/config.ts";
import { type Coverage, linesSeen, UNSEEN, WHOLE } from "../gate/coverage.ts";
import { type GateState, isPending, type Required } from "../gate/state.ts";
import type { RoleName } from "../lifecycle/role.ts";
import { fileSize } from "../platform/file-size.ts";
import type { SessionStartFacts } from "../session-start/facts.ts";
import type { Marks } from "../session-start/marks.ts";
import { forgetGate, startGate } from "../stores/gate-store.ts";
import type { CommandContext } from "./command-context.ts";
import { requiredFiles, roleReading } from "./required-reading.ts";

export interface RecoveryBegin {
  readonly sessionId: string;
  readonly transcriptPath: string | null;
  readonly role: RoleName | null;
  readonly facts: SessionStartFacts;
  /** What the delivered documents hold of each file; null where they hold none of any. */
  readonly marks: Marks | null;
}

/**
 * A compaction is over: what the role and the project's manifest want read is written down, less what the document holds
 * whole. Returns what deserves a line.
 */
export function beginRecovery(context: CommandContext, config: Config, begin: RecoveryBegin): readonly string[] {
  const { sessionId, transcriptPath, role, facts, marks } = begin;
  const project = facts.project;
  if (role === null && project === null) {
    forgetGate(context.paths, sessionId);
    return [];
  }
  // Without a manifest the document asks for no reading; what cannot be read cannot be asked for.
  const listed = (project?.manifest ?? null) === null ? [] : (project?.files ?? []);
  const required = requiredFiles(context, {
    role: role === null ? [] : roleReading(context, role, config.recovery.architecture),
    project: listed
      .filter(({ content }) => content.kind === "text" || content.kind === "listed")
      .map(({ absolutePath }) => absolutePath),
  }).map(
    ({ absolutePath, ...file }): Required => ({ ...file, given: marks === null ? UNSEEN : shown(marks, absolutePath) }),
  );
  const state: GateState = {
    sessionId,
    role,
    projectId: project?.id ?? null,
    transcriptPath,
    transcriptBytes: transcriptPath === null ? null : fileSize(transcriptPath),
    compactedAt: isoText(context.now()),
    required,
    denials: 0,
    deniedCall: null,
    repeats: 0,
    // Reading is what fills the context in a loop of compactions.
    opened: facts.loop === null ? null : "loop",
  };
  const started = startGate(context.paths, state, isPending(state), context.now());
  return started.ok ? [] : [`${started.error.path} ${started.error.message}.`];
}

function shown(marks: Marks, absolutePath: string): Coverage {
  const loaded = marks(absolutePath);
  switch (loaded.kind) {
    case "whole":
      return WHOLE;
    case "absent":
      return UNSEEN;
    case "cut":
      return linesSeen(1, loaded.line - 1, null);
    default:
      return loaded satisfies never;
  }
}
