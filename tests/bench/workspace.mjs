// Workspaces and transcripts for the benches, made anew each time.
import { randomUUID } from "node:crypto";
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** A workspace with so many skills and projects, as people have them. */
export function makeWorkspace(folder, skills, projects) {
  const write = (path, text) => {
    const target = join(folder, path);
    mkdirSync(join(target, ".."), { recursive: true });
    writeFileSync(target, text);
  };
  mkdirSync(join(folder, ".git"), { recursive: true });
  if (skills + projects === 0) return folder;
  write("00-system/core/orchestrator.md", `# Orchestrator\n\n${"Route the user to skills and projects.\n".repeat(60)}`);
  write("00-system/system-map.md", "# System map\n\n- 00-system: core\n");
  write("01-memory/goals.md", "# Goals\n\n- Ship it.\n");
  write("04-workspace/workspace-map.md", "# Workspace map\n\n- notes\n");
  const categories = ["projects", "learning", "system", "tools"];
  for (let index = 0; index < skills; index++) {
    const name = index === 0 ? "execute-project" : index === 1 ? "plan-project" : `skill-${index}`;
    const place =
      index % 3 === 2 ? `03-skills/pack-${index % 7}` : `00-system/skills/${categories[index < 2 ? 0 : index % 4]}`;
    write(
      `${place}/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: Does thing number ${index} well. Load when the user asks for thing ${index}.\n---\n\n# ${name}\n\n${"One step of the workflow.\n".repeat(40)}`,
    );
  }
  for (let index = 0; index < projects; index++) {
    const id = `${String(index + 10).padStart(2, "0")}-project-${index}`;
    const planning = `02-projects/${id}/01-planning`;
    write(
      `${planning}/01-overview.md`,
      `---\nproject_id: ${id}\nname: Project ${index}\nstatus: IN_PROGRESS\n---\n\n# Project ${index}\n\nOverview.\n`,
    );
    const boxes = Array.from(
      { length: 20 },
      (_, box) => `- [${box < index % 20 ? "x" : " "}] Task ${box} of project ${index}`,
    );
    write(
      `${planning}/04-steps.md`,
      `# Steps\n\n## Phase 1: Planning\n- [x] Plan\n\n## Phase 2: Build\n${boxes.join("\n")}\n`,
    );
    write(
      `${planning}/resume-context.md`,
      `---\nresume_schema_version: "1.0"\nlast_updated: "2026-01-03T15:30:00"\nproject_id: "${id}"\nproject_name: "Project ${index}"\ncurrent_phase: execution\nnext_action: execute-project\nfiles_to_load:\n  - 01-planning/01-overview.md\n  - 01-planning/04-steps.md\n---\n\n# Validation Gate\n\n- [ ] What is the next task?\n`,
    );
  }
  return folder;
}

/** Roles with a machine and a context file each, in every state. */
export function makeFleet(folder, count, contextText) {
  const machines = join(folder, "session", "stateMachines");
  const agents = join(folder, "session", "agents");
  for (const path of [machines, agents, join(folder, ".git")]) mkdirSync(path, { recursive: true });
  const states = ["active", "saving", "saved", "compacting", "recovering"];
  const now = new Date().toISOString();
  for (let index = 0; index < count; index++) {
    const role = `role-${index}`;
    const machine = `role_${index}`;
    const lines = [
      `# Lifecycle of agent role ${role}. Written by \`context\`; safe to source.`,
      "STATE_SCHEMA=1",
      `STATE_MACHINE=${machine}`,
      `STATE_ROLE=${role}`,
      `STATE_CURRENT=${states[index % states.length]}`,
      "STATE_PREVIOUS=saving",
      "STATE_EVENT=CONTEXT_VALID",
      `STATE_SINCE=${now}`,
      "STATE_COMPACTIONS=4",
      "STATE_UNSAVED=0",
      `STATE_CONTEXT_SHA256=${"9f86d081".repeat(8)}`,
      `STATE_SAVED_AT=${now}`,
      "STATE_SESSION_ID=b9ff7b48-ef86-4ef0-86d3-7835c69ec06b",
      `STATE_OWNED_SINCE=${now}`,
      "STATE_REVISION=17",
    ];
    writeFileSync(join(machines, `${machine}.states.env`), `${lines.join("\n")}\n`);
    writeFileSync(join(agents, `${role}.context.md`), contextText(role, 0));
  }
  return folder;
}

/** A transcript of at least so many bytes, whose last records work on the workspace's first project. */
export function makeTranscript(path, root, bytes, sparse = false) {
  let [count, parentUuid] = [0, null];
  /** Begins as the client's rows do: by that they are told from each other before they are parsed. */
  const record = (type, message, timestamp) => {
    const uuid = randomUUID();
    const row = { parentUuid, isSidechain: false, type, message, uuid, timestamp, userType: "external", cwd: root };
    parentUuid = uuid;
    return `${JSON.stringify({ ...row, sessionId: "bench", version: "2.1.332", gitBranch: "main" })}\n`;
  };
  const call = (id, file) => {
    return { type: "tool_use", id, name: count % 4 === 0 ? "Edit" : "Read", input: { file_path: file } };
  };
  const result = (id, content) => ({ type: "tool_result", tool_use_id: id, content });
  const turn = (file, size) => {
    count += 1;
    const id = `toolu_${count}`;
    const timestamp = new Date(1_700_000_000_000 + count * 1000).toISOString();
    return (
      record("assistant", { role: "assistant", content: [call(id, file)] }, timestamp) +
      record("user", { role: "user", content: [result(id, "a line of a file\n".repeat(size))] }, timestamp)
    );
  };
  const fd = openSync(path, "w");
  let size = 0;
  const write = (text) => {
    size += Buffer.byteLength(text);
    writeSync(fd, text);
  };
  write(record("user", { role: "user", content: "continue project 10" }));
  const tail = Array.from({ length: 300 }, () =>
    turn(join(root, "02-projects/10-project-0/02-working/file.ts"), 60),
  ).join("");
  if (sparse) {
    // A hole reads as zeros: one row of rubbish that a reader from the end never reaches.
    size = Math.max(size, bytes - Buffer.byteLength(tail) - 1);
    ftruncateSync(fd, size);
    writeSync(fd, "\n", size);
    writeSync(fd, tail, size + 1);
    closeSync(fd);
    return path;
  }
  while (size < bytes - Buffer.byteLength(tail)) {
    let block = "";
    while (block.length < 4 * 1024 * 1024 && size + block.length < bytes - Buffer.byteLength(tail))
      block += turn(join(root, "src/other.ts"), 80);
    write(block);
  }
  write(tail);
  closeSync(fd);
  return path;
}

export const payload = (event, transcript, more = {}) =>
  JSON.stringify({ session_id: "bench", transcript_path: transcript, hook_event_name: event, ...more });
