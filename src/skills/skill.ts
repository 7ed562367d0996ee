/** Where a skill comes from: the system's own, a service it connects to, the user's own, or the project's for the client. */
export type SkillKind = "system" | "integration" | "user" | "project";

/** A skill that an agent can load by reading its `SKILL.md`. */
export interface Skill {
  readonly name: string;
  /** What it does and when to load it; empty where the file does not say. */
  readonly description: string;
  /** Of its `SKILL.md`, relative to the project's root, with forward slashes. */
  readonly path: string;
  /** The folder below `skills` that holds it; null for a skill directly below. */
  readonly category: string | null;
  readonly kind: SkillKind;
}
