import { scanFrontMatter, splitFrontMatter } from "../../src/base/frontmatter.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { formatGateState, parseGateState, unread } from "../../src/gate/state.ts";
import { parseOverview } from "../../src/projects/overview.ts";
import { readYaml } from "../../src/projects/read-yaml.ts";
import { parseSteps } from "../../src/projects/steps.ts";
import { readGate } from "../../src/resume/gate.ts";
import { readManifestFast } from "../../src/resume/manifest-fast.ts";
import { manifestValues } from "../../src/resume/manifest-values.ts";
import { migrateManifest } from "../../src/resume/migrate.ts";
import { isMigratable, parseManifest, startManifest } from "../../src/resume/parse-manifest.ts";
import { formatPrecompactState, parsePrecompactState } from "../../src/resume/precompact-state.ts";
import { updateManifest } from "../../src/resume/update.ts";
import { parseSkillFast } from "../../src/skills/parse-skill-fast.ts";
import { parseSkillYaml } from "../../src/skills/parse-skill-yaml.ts";
import { openUserConfig } from "../../src/workspace/open-user-config.ts";
import { parseUserConfigFast } from "../../src/workspace/parse-user-config-fast.ts";
import { parseUserConfigYaml } from "../../src/workspace/parse-user-config-yaml.ts";
import { must, mustBeEqual } from "./oracles.ts";

const VALUES = { current_section: 2, current_task: 7, progress: "6/9", current_phase: "execution" } as const;

/** Both readers agree; an update reads back, and a second one changes nothing; a migrated file is a manifest. */
export function fuzzManifest(text: string): void {
  const full = parseManifest(text);
  const fast = readManifestFast(text);
  if (fast !== null) {
    const { manifest } = full;
    must(manifest !== null, `only the fast reader takes it: ${JSON.stringify(full.diagnostics)}`);
    for (const key of ["project_id", "project_name", "current_phase", "next_action", "files_to_load"] as const) {
      mustBeEqual(fast[key], manifest?.[key], `${key} of both readers`);
    }
  }
  mustBeEqual(
    startManifest(text, false, full) ?? full.manifest,
    full.manifest ?? startManifest(text, full.isUsable),
    "what a start goes by",
  );
  const lines = text.split(/\r\n|\r|\n/).length;
  for (const question of readGate(text)?.questions ?? []) {
    must(question.text.trim() !== "" && question.line >= 1 && question.line <= lines, "a question that stands nowhere");
  }
  const values = { ...VALUES, last_updated: "2026-02-03T10:00:00Z" };
  const updated = updateManifest(text, values);
  if (updated.ok) {
    const again = updateManifest(updated.value.text, { ...values, last_updated: "2026-02-04T10:00:00Z" });
    mustBeEqual(again.ok ? again.value.text : again.error, updated.value.text, "updated twice");
  }
  const migrated = migrateManifest({
    legacyText: text,
    folderName: "24-demo",
    overviewName: "Demo",
    existingFiles: ["01-planning/01-overview.md"],
    now: "2026-02-03T10:00:00Z",
  });
  if (!migrated.ok) {
    must(!isMigratable(full.diagnostics), `it is said to migrate: ${JSON.stringify(migrated.error)}`);
    return;
  }
  must(parseManifest(migrated.value.text).manifest !== null, "what was migrated is no manifest");
}

/** The scan and the YAML reader say the same wherever both answer. */
export function fuzzOverview(text: string): void {
  parseOverview(text);
  parseOverview(text, readYaml);
  const parts = splitFrontMatter(text);
  if (parts.kind !== "found") return;
  const scanned = scanFrontMatter(parts.raw);
  const read = readYaml(parts.raw);
  if (scanned === null || "at" in read) return;
  for (const [key, value] of scanned) {
    if (!Array.isArray(value)) mustBeEqual(value, read.get(key) ?? null, `front matter "${key}"`);
  }
}

export function fuzzSteps(text: string): void {
  const steps = parseSteps(text);
  must(steps.closed >= 0 && steps.closed <= steps.total, `${steps.closed} of ${steps.total} boxes are closed`);
  manifestValues(steps, "research");
}

export function fuzzSkill(text: string): void {
  const fast = parseSkillFast(text, { folderName: "learn-projects" });
  const yaml = parseSkillYaml(text, { folderName: "learn-projects" });
  if (fast !== "needs-yaml") mustBeEqual(fast, yaml, "both readers of a skill");
}

export function fuzzUserConfig(text: string): void {
  openUserConfig(text);
  const fast = parseUserConfigFast(text);
  const yaml = parseUserConfigYaml(text);
  if (fast !== "needs-yaml") mustBeEqual(fast, yaml, "both readers of the user's configuration");
}

export function fuzzConfig(text: string): void {
  const { value, problems } = parseConfig(text);
  must(Array.isArray(value.redact) && problems.every((problem) => problem !== ""), "half a configuration");
}

/** Of a state that is read, writing and reading again gives the same. */
export function fuzzState(text: string): void {
  const state = parsePrecompactState(text);
  if (state.ok) {
    const again = parsePrecompactState(formatPrecompactState(state.value));
    // Metadata and a long session id are left out of what would be too long.
    const { confidence, active_project_id } = state.value;
    const found = again.ok ? [again.value.confidence, again.value.active_project_id] : again.error;
    mustBeEqual(found, [confidence, active_project_id], "a state written and read again");
  }
  const gate = parseGateState(text);
  if (gate.ok) {
    const again = parseGateState(formatGateState(gate.value));
    mustBeEqual(again.ok ? again.value : again.error, gate.value, "a gate's state written and read again");
    must(unread(gate.value).length <= gate.value.required.length, "more is unread than is required");
  }
}
