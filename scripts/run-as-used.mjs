// What the native program is for, a few times each: its parts are compiled for the ways that its code takes here.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeTranscript, makeWorkspace, payload } from "../tests/bench/workspace.mjs";

const SCRIPT = fileURLToPath(new URL("../bin/context.js", import.meta.url));
/** A role's context file, as people write them. */
const CONTEXT_FILE = fileURLToPath(new URL("../session/agents/maintainer.context.md", import.meta.url));

/** Runs a program in workspaces that it makes in a folder; an error where a command fails. */
export function runAsUsed(program, folder) {
  const cwd = makeWorkspace(join(folder, "workspace"), 60, 30);
  const transcript = makeTranscript(join(folder, "transcript.jsonl"), cwd, 2e6);
  const env = { PATH: process.env.PATH, HOME: folder, CONTEXT_NATIVE_SCRIPT: SCRIPT };
  const run = (words, input = "") => {
    const { status, signal, stderr } = spawnSync(program, words, { cwd, env, input, encoding: "utf8" });
    if (status !== 0) throw new Error(`${words.join(" ")} ended with ${signal ?? status}: ${stderr}`);
  };
  for (let round = 0; round < 2; round += 1) {
    rmSync(join(cwd, "session", ".cache"), { recursive: true, force: true });
    run(["session-start"], payload("SessionStart", transcript, { session_id: `cold-${round}`, source: "startup" }));
    run(["session-start"], payload("SessionStart", transcript, { session_id: `warm-${round}`, source: "startup" }));
    for (const guidance of [[], ["--guidance"]])
      run(["pre-compact", ...guidance], payload("PreCompact", transcript, { trigger: "auto" }));
    run(["session-start"], payload("SessionStart", transcript, { source: "compact" }));
    run(
      ["gate"],
      payload("PreToolUse", transcript, { tool_name: "Read", tool_input: { file_path: join(cwd, "a.ts") } }),
    );
  }
  cpSync(CONTEXT_FILE, join(cwd, "session", "agents", "maintainer.context.md"));
  for (const command of ["init", "save", "history"]) run([`lifecycle.${command}`, "maintainer"]);
  run(["lifecycle.status"]);
}
