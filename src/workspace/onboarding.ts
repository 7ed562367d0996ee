/** A lesson or setup that a new user is offered, with its skill's name and how long it takes. */
export interface OnboardingItem {
  readonly name: string;
  /** As people read it: `8`, or `8-10`. */
  readonly minutes: string;
}

/** Nexus's onboarding, in the order in which it is offered. */
export const ONBOARDING = [
  { name: "setup-memory", minutes: "8" },
  { name: "setup-workspace", minutes: "5-8" },
  { name: "learn-projects", minutes: "8-10" },
  { name: "learn-skills", minutes: "10-12" },
  { name: "learn-integrations", minutes: "10-12" },
  { name: "learn-nexus", minutes: "15-18" },
] as const satisfies readonly OnboardingItem[];

/** What `learning_tracker` in the user's configuration holds. */
export interface LearningTracker {
  /** `completed.*` as it stands there, by key; a key without a scalar is left out. */
  readonly completed: ReadonlyMap<string, string>;
  /** Names that the user does not want to be offered again. */
  readonly dismissed: readonly string[];
}

/** YAML 1.1 words for true, which other readers of this file take, beside YAML 1.2's one. */
const TRUE_WORDS: ReadonlySet<string> = new Set(["true", "yes", "on", "1"]);

/** The items that are neither done nor dismissed. A file that says nothing of an item leaves it pending. */
export function pendingOnboarding({ completed, dismissed }: LearningTracker): readonly OnboardingItem[] {
  const settled = new Set(dismissed.map(itemName));
  for (const [key, value] of completed) if (isDone(value)) settled.add(itemName(key));
  return ONBOARDING.filter(({ name }) => !settled.has(name));
}

function isDone(value: string): boolean {
  return TRUE_WORDS.has(value.trim().toLowerCase());
}

/** Keys of the file have underscores where skills have hyphens. */
function itemName(key: string): string {
  return key.trim().replaceAll("_", "-");
}
