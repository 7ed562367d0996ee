import type { ManifestPhase } from "./phases.ts";

/** What the steps file says, as far as a manifest repeats it. */
export interface StepsFacts {
  readonly closed: number;
  readonly total: number;
  /** The number of the phase in hand. */
  readonly currentSection: number;
  /** The first open box. */
  readonly currentTask: { readonly ordinal: number } | null;
  readonly phase: "empty" | "planning" | "execution" | "complete";
}

/** The values of a manifest that follow the work. */
export interface ManifestValues {
  readonly current_section?: number | undefined;
  /** The place of the first open box among all; one past the last where none is open. */
  readonly current_task?: number | undefined;
  readonly progress?: string | undefined;
  readonly current_phase?: ManifestPhase | undefined;
  readonly next_action?: string | undefined;
  /** ISO 8601. */
  readonly last_updated?: string | undefined;
}

/**
 * What a manifest has to say of these steps; nothing where there are none. `current` is its phase so far: `research` stays
 * while the boxes say planning, and `testing` while they say execution, since boxes cannot tell these apart.
 */
export function manifestValues(steps: StepsFacts, current: ManifestPhase | null = null): ManifestValues {
  const { closed, total, phase } = steps;
  if (phase === "empty" || total === 0) return {};
  const found = MANIFEST_PHASE[phase];
  const finer = current !== null && FINER.get(current) === found;
  return {
    current_section: steps.currentSection,
    current_task: steps.currentTask?.ordinal ?? total + 1,
    progress: `${closed}/${total} tasks complete`,
    current_phase: finer ? current : found,
    next_action: phase === "planning" ? "plan-project" : "execute-project",
  };
}

const MANIFEST_PHASE = {
  planning: "planning",
  execution: "execution",
  complete: "review",
} as const satisfies Record<Exclude<StepsFacts["phase"], "empty">, ManifestPhase>;

const FINER: ReadonlyMap<ManifestPhase, ManifestPhase> = new Map([
  ["research", "planning"],
  ["testing", "execution"],
]);

/**
 * The action that takes the place of `written`, or null where it stays: a person's own choice is kept, and only
 * `plan-…`, `execute-…` and nothing follow the phase. `plan-build` becomes `execute-build`.
 */
export function followingAction(written: string, wanted: string): string | null {
  if (written.trim() === "") return wanted;
  const verb = verbOf(written);
  if (verb === null || verb === verbOf(wanted)) return null;
  return verbOf(wanted) !== null && written.endsWith("-build") ? `${verbOf(wanted)}-build` : wanted;
}

function verbOf(action: string): "plan" | "execute" | null {
  return action.startsWith("plan-") ? "plan" : action.startsWith("execute-") ? "execute" : null;
}
