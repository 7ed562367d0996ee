import { existsSync, readdirSync, readFileSync } from "node:fs";
import { makeWorkspace, type Workspace } from "./workspace.ts";

/** The two projects that the recorded sessions work on; the boxes of Phase 1 are closed in both. */
export const ACME_PROJECTS = { "24-demo": "Demo", "27-xml-context": "XML Context Restructure" } as const;

export const STEPS: string = [
  "## Phase 1: Planning",
  "- [x] Write overview",
  "- [x] Write plan",
  "",
  "## Phase 2: Build",
  "- [x] Set up",
  "- [ ] Parse the transcript",
  "- [ ] Write the state file",
  "- [ ] Test",
  "",
].join("\n");

export function manifestText(id: string, files: readonly string[] = PLANNING_FILES): string {
  return [
    "---",
    'resume_schema_version: "1.0"',
    'last_updated: "2026-01-03T15:30:00"',
    `project_id: "${id}"`,
    'project_name: "Demo"',
    "current_phase: execution",
    "next_action: execute-project",
    "files_to_load:",
    ...files.map((file) => `  - ${file}`),
    "---",
    "",
  ].join("\n");
}

const PLANNING_FILES = ["01-planning/01-overview.md", "01-planning/04-steps.md"];

/** A workspace with the project in which the client's fixtures were recorded. */
export function makeAcme(): Workspace {
  const workspace = makeWorkspace();
  workspace.write("00-system/core/orchestrator.md", "# Orchestrator\n");
  workspace.write("03-skills/weekly-report/SKILL.md", "---\nname: weekly-report\ndescription: Weekly.\n---\n");
  for (const [id, title] of Object.entries(ACME_PROJECTS)) addProject(workspace, id, title);
  return workspace;
}

export function addProject(workspace: Workspace, id: string, title = id): void {
  const planning = `02-projects/${id}/01-planning`;
  const overview = `---\nproject_id: ${id}\nname: ${title}\nstatus: IN_PROGRESS\n---\n\n# ${title}\n`;
  workspace.write(`${planning}/01-overview.md`, overview);
  workspace.write(`${planning}/03-plan.md`, `# ${title} - Plan\n\nApproach.\n`);
  workspace.write(`${planning}/04-steps.md`, `# ${title} - Steps\n\n${STEPS}`);
  workspace.write(`${planning}/resume-context.md`, manifestText(id));
}

/** The steps with so many boxes closed. */
export function stepsWith(closed: number): string {
  let box = 0;
  return `# Steps\n\n${STEPS.replace(/- \[[ x]\]/g, () => `- [${++box <= closed ? "x" : " "}]`)}`;
}

const FIXTURES = new URL("../fixtures/claude-code/", import.meta.url);
const RECORDED_ROOT = "/home/dev/acme";

export const VERSIONS = ["2.1.332", "2.0.76"] as const;
export type Version = (typeof VERSIONS)[number];

/** Names of a version's recorded sessions. */
export function sessionsOf(version: Version): readonly string[] {
  return readdirSync(new URL(`${version}/transcripts/`, FIXTURES))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.slice(0, -".jsonl".length))
    .sort();
}

export function hasSession(version: Version, name: string): boolean {
  return existsSync(new URL(`${version}/transcripts/${name}.jsonl`, FIXTURES));
}

/** A recorded session as if it had taken place in `root`. */
export function sessionText(version: Version, name: string, root: string): string {
  const text = readFileSync(new URL(`${version}/transcripts/${name}.jsonl`, FIXTURES), "utf8");
  return text.replaceAll(RECORDED_ROOT, () => JSON.stringify(root).slice(1, -1));
}

/** Puts a recorded session beside the project's own files; its path. */
export function addSession(workspace: Workspace, name: string, version: Version = "2.1.332"): string {
  return workspace.write(`client/${version}/${name}.jsonl`, sessionText(version, name, workspace.root));
}

export interface ExpectedDetection {
  readonly project: string | null;
  readonly confidence: "high" | "medium" | null;
  readonly switched: boolean;
}

/** What is to be found in each recorded session of a version. */
export function expectedDetections(version: Version): ReadonlyMap<string, ExpectedDetection> {
  const all: Record<string, ExpectedDetection> = JSON.parse(readFileSync(new URL("expected.json", FIXTURES), "utf8"));
  const rows = Object.entries(all).filter(([name]) => hasSession(version, name));
  return new Map(
    rows.map(([name, row]) => {
      // That client refused the project skill as a command: the custom command came first, and nothing after the work.
      return version === "2.0.76" && name === "slash-skill" ? [name, { ...row, switched: false }] : [name, row];
    }),
  );
}

/** A PreCompact payload as the client sends it. */
export function preCompactPayload(
  workspace: Workspace,
  transcript: string | null,
  more: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({
    session_id: "5e551041-0000-4000-8000-000000000001",
    ...(transcript === null ? {} : { transcript_path: transcript }),
    cwd: workspace.root,
    hook_event_name: "PreCompact",
    trigger: "auto",
    custom_instructions: null,
    ...more,
  });
}
