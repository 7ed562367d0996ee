/** The keys of the Agent Skills specification (agentskills.io/specification). */
export const SPECIFIED_KEYS: ReadonlySet<string> = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
]);

/** Keys that Claude Code reads beside those; no fault in a file that is written for it. */
export const CLIENT_KEYS: ReadonlySet<string> = new Set([
  "when_to_use",
  "argument-hint",
  "arguments",
  "disable-model-invocation",
  "user-invocable",
  "disallowed-tools",
  "model",
  "effort",
  "context",
  "agent",
  "hooks",
  "paths",
  "shell",
]);
