import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../fuzz/random.ts";
import { contextText } from "../helpers/context-text.ts";
import { sha256 } from "./model.ts";

/** The files of a project that is stormed, and the agents who write them meanwhile. */
export interface ProjectFiles {
  readonly root: string;
  /** Writes a role's context file anew, as an agent's editor would. */
  readonly edit: (role: string) => void;
  /** Writes a good text, for the save that ends the storm. */
  readonly settle: (role: string) => void;
  /** Hashes of every good text that the role's file has had, or was given by `validate --fix`. */
  readonly goodHashes: (role: string) => ReadonlySet<string>;
  /** What is wrong with the role's file now that nobody writes it: the last edit has to be in it. */
  readonly lostEdit: (role: string) => string | null;
  readonly contextPath: (role: string) => string;
}

const PROJECT = "02-projects/24-demo/01-planning";
const STEPS = "# Demo - Steps\n\n## Phase 1: Planning\n- [x] Plan\n\n## Phase 2: Build\n- [ ] Build\n";
const MANIFEST = `---
resume_schema_version: "1.0"
last_updated: "2026-01-03T15:30:00"
project_id: "24-demo"
project_name: "Demo"
current_phase: planning
next_action: execute-project
files_to_load:
  - 01-planning/01-overview.md
---

Kept.
`;

export function makeProject(root: string, roles: readonly string[], random: Random): ProjectFiles {
  for (const folder of ["session/agents", PROJECT, "00-system"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(
    join(root, PROJECT, "01-overview.md"),
    "---\nproject_id: 24-demo\nstatus: IN_PROGRESS\n---\n\n# Demo\n",
  );
  writeFileSync(join(root, PROJECT, "04-steps.md"), STEPS);
  writeFileSync(join(root, PROJECT, "resume-context.md"), MANIFEST);
  const hashes = new Map<string, Set<string>>(roles.map((role) => [role, new Set()]));
  const edits = new Map<string, { readonly mark: string; readonly removed: boolean }>();
  const contextPath = (role: string) => join(root, "session", "agents", `${role}.context.md`);
  let count = 0;

  const write = (role: string, text: string): void => {
    const path = contextPath(role);
    if (random.below(2) === 0) writeFileSync(path, text);
    else {
      writeFileSync(`${path}.agent`, text);
      renameSync(`${path}.agent`, path);
    }
  };
  const edit = (role: string, kind = random.below(8)): void => {
    count += 1;
    const mark = `- edit ${count}.`;
    const good = contextText({ role, more: [mark] });
    edits.set(role, { mark, removed: kind === 7 });
    hashes.get(role)?.add(sha256(good));
    // A hyphen for the dash is mended by `validate --fix`.
    if (kind === 5) write(role, good.replace(" — Session", " - Session"));
    else if (kind === 6) write(role, good.replace("## Recovery Steps", "## Other"));
    else if (kind === 7) rmSync(contextPath(role), { force: true });
    else write(role, good);
  };
  for (const role of roles) edit(role);
  return {
    root,
    edit: (role) => edit(role),
    settle: (role) => edit(role, 0),
    contextPath,
    goodHashes: (role) => hashes.get(role) ?? new Set(),
    lostEdit: (role) => {
      const last = edits.get(role);
      if (last === undefined || last.removed) return null;
      const text = readFileSync(contextPath(role), "utf8");
      return text.includes(`${last.mark}\n`) ? null : `the edit "${last.mark}" is lost`;
    },
  };
}
