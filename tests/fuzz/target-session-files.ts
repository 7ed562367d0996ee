import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isSessionId } from "../../src/base/session-id.ts";
import { compactsSubAgent } from "../../src/commands/sub-agent-wait.ts";
import { readHookRows } from "../../src/doctor/hook-rows.ts";
import { deliveredIn } from "../../src/stores/delivered-documents.ts";
import { forkOrigin } from "../../src/stores/fork-origin.ts";
import { latestLeg } from "../../src/stores/session-chain.ts";
import { withSubAgents } from "../../src/stores/sub-agent-work.ts";
import { readTranscript } from "../../src/stores/transcript-store.ts";
import { need } from "../helpers/need.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { must, mustBeEqual } from "./oracles.ts";

const [OWN, OTHER, AGENT] = ["5e551041-own", "5e551041-other", "a586456355ca141e2"];
const folder = mkdtempSync(join(tmpdir(), "context-fuzz-sessions-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const FILE = join(folder, `${OWN}.jsonl`);
const NEXT = join(folder, `${OTHER}.jsonl`);
const AGENTS = join(folder, OWN, "subagents");
mkdirSync(AGENTS, { recursive: true });

/** What a session's file tells of the others beside it: whatever stands in it, none is looked for elsewhere. */
export function fuzzSessionFiles(text: string): void {
  const half = text.indexOf("\n", text.length >> 1) + 1;
  writeFileSync(FILE, text.slice(0, half));
  writeFileSync(NEXT, text.slice(half));
  writeFileSync(join(AGENTS, `agent-${AGENT}.jsonl`), text);
  writeFileSync(join(AGENTS, `agent-${AGENT}.meta.json`), text.slice(0, 400));
  const origin = forkOrigin(FILE, OWN);
  if (origin !== null) {
    must(isSessionId(origin.session) && origin.session !== OWN, "a fork comes from itself, or from nowhere");
    mustBeEqual(dirname(origin.path), folder, "where a fork's parent lies");
    must(/^\d{4}-\d\d-\d\dT/.test(origin.until), "a compaction without a time");
  }
  must([FILE, NEXT].includes(latestLeg(FILE)), "a session goes on in a file that is not there");
  for (const id of deliveredIn(FILE)) must(/^[0-9a-f]{8}\/\d{1,2}$/.test(id), "a document that is none of ours");
  compactsSubAgent(FILE, [0]);
  for (const { ms, at } of readHookRows(FILE, text.split("\n"), () => true).runs) {
    must(ms === null || ms >= 0, "a hook took less than no time");
    must(at === null || Number.isFinite(at), "a hook ran at no time");
  }
  const transcript = need(readTranscript(FILE, "window"));
  const all = withSubAgents(transcript);
  const own = new Set(transcript.activities);
  mustBeEqual(
    all.filter((activity) => own.has(activity)),
    transcript.activities,
    "a session's own work, among that of its sub-agents",
  );
  must(
    all.every((activity) => own.has(activity) || activity.sidechain),
    "a sub-agent's work is the main line's",
  );
}

/** A fork that begins behind a compaction, whose sub-agent wrote, and which was told a document of ours. */
export function forkedSession(): string {
  const told = `<nexus-context id="0a1b2c3d" part="1">\n  <session id="${OTHER}" source="compact"/>\n`;
  const hook = { hookName: "SessionStart:compact", hookEvent: "SessionStart" };
  const says = `Done.\nagentId: ${AGENT} (use SendMessage with to: '${AGENT}' to continue this agent)`;
  const usage = { input_tokens: 10, cache_read_input_tokens: 2000, output_tokens: 3 };
  const text = { role: "assistant", content: [{ type: "text", text: "ok" }], usage };
  const ran = { type: "hook_success", ...hook, command: "context session-start", durationMs: 12, exitCode: 0 };
  const launched = { status: "async_launched", agentId: AGENT };
  return new SessionLog("/home/dev/acme")
    .compacted()
    .add({ type: "attachment", attachment: { ...ran, stdout: JSON.stringify({ hookSpecificOutput: hook }) } })
    .add({ type: "attachment", attachment: { type: "hook_additional_context", content: [told], ...hook } })
    .add({ type: "assistant", requestSessionId: OTHER, version: "2.1.200", message: text })
    .prompt("and now?")
    .call("Agent", { description: "Write it", prompt: "Write it.", subagent_type: "x" }, { says })
    .call("Task", { description: "Look", prompt: "Look." }, { open: true, record: { version: "2.1.200" } })
    .add({ type: "user", toolUseResult: launched, message: { role: "user", content: "launched" } })
    .write("src/new.ts", { record: { isSidechain: true, agentId: AGENT } })
    .add({ type: "user", sessionId: OTHER, message: { role: "user", content: "go on" } })
    .text();
}
