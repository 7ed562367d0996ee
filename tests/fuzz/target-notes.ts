import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseKept } from "../../src/commands/lifecycle/kept-step.ts";
import { gateCall } from "../../src/gate/tool-call.ts";
import { advance } from "../../src/lifecycle/advance.ts";
import { formatDocument, parseDocument } from "../../src/lifecycle/machine-document.ts";
import { parseRole } from "../../src/lifecycle/role.ts";
import { formatMachine, newMachine } from "../../src/lifecycle/snapshot.ts";
import { isHeldBy, readHolding } from "../../src/platform/lock-owner.ts";
import { parseProcess, processText } from "../../src/platform/process-identity.ts";
import { lastDelivery } from "../../src/stores/delivery-store.ts";
import { parseHistoryLine } from "../../src/stores/machine-store.ts";
import { openMemo } from "../../src/stores/memo-file.ts";
import { projectPaths } from "../../src/stores/paths.ts";
import { parsePending } from "../../src/stores/pending-store.ts";
import { need } from "../helpers/need.ts";
import { must, mustBeEqual } from "./oracles.ts";

const root = mkdtempSync(join(tmpdir(), "context-fuzz-notes-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
const PATHS = projectPaths(root, {});
const DELIVERIES = join(PATHS.cache, "deliveries");
mkdirSync(DELIVERIES, { recursive: true });
const FILE = join(DELIVERIES, "s.pre-compact.1");
const ROLE = need(parseRole("oosh-expert"));

/** What processes of ours leave for others, and what may be carried to another machine: what is read is written and read again. */
export function fuzzNotes(text: string): void {
  const machines = parseDocument(text);
  if (machines.ok) {
    const again = parseDocument(formatDocument(machines.value));
    mustBeEqual(again.ok ? again.value : again.error, machines.value, "machines carried twice");
  }
  const step = parsePending(text);
  if (step !== null) mustBeEqual(parsePending(JSON.stringify({ version: 1, ...step })), step, "a step noted again");
  for (const line of text.split("\n")) {
    const entry = parseHistoryLine(line);
    if (entry !== null) mustBeEqual(parseHistoryLine(JSON.stringify(entry)), entry, "a transition written again");
  }
  const owner = parseProcess(text.trim());
  if (owner !== null) mustBeEqual(processText(owner), text.trim(), "a process written again");
  parseKept(text, ROLE, "lifecycle.save");
  writeFileSync(FILE, text);
  const mark = lastDelivery(PATHS, "s.pre-compact.");
  must(mark === null || typeof mark.event + typeof mark.at === "stringstring", "half a mark");
  // The lock of a host that is none, or of a process that is gone, is looked at the same way.
  const held = readHolding(FILE);
  must(held !== null && /^[\w-]+$/.test(held.token), "a lock without a name");
  if (held?.owner != null) must(isHeldBy(FILE, held.token), "a lock is held by another than it names");
  const memo = openMemo(FILE, 1);
  must(memo === null || memo.texts.length === 1, "a memo of other texts");
  memo?.open(2)?.rest();
  const call = gateCall(fieldsOf(text));
  if (call === null || call.shown.kind === "whole") return;
  let last = 0;
  for (const [from, to] of call.shown.ranges) {
    must(from > last && to >= from, "lines out of their order");
    last = to;
  }
}

function fieldsOf(text: string): ReadonlyMap<string, unknown> {
  try {
    return new Map<string, unknown>(Object.entries(Object(JSON.parse(text))));
  } catch {
    return new Map();
  }
}

/** One of each kind. */
export function notes(): readonly string[] {
  const machine = newMachine(ROLE, "2026-02-03T12:15:07.120Z");
  const cause = {
    at: new Date("2026-02-03T12:16:00Z"),
    by: "lifecycle.save",
    sessionId: "5e551041",
    contextBytes: 900,
  };
  const { record, history } = need(advance(machine.record, ["SAVE", "CONTEXT_VALID"], cause));
  const env = formatMachine({ ...machine, record });
  const identity = { pid: 2 ** 22 + 7, started: "4711", boot: "0a1b-2c", host: "elsewhere" };
  const step = {
    ...{ version: 1, role: ROLE, at: "2026-02-03T12:16:00Z", by: "session-start", session_id: "5e551041" },
    ...{ source: "compact", owner: "note", process: processText(identity), pane: null, create: true, from: null },
    ...{ events: ["COMPACTED"], context_sha256: null, saved_at: null, branch: "main", commit: null },
    context_bytes: 900,
  };
  const read = { tool_name: "Read", tool_input: { file_path: "/a.md", offset: 3, limit: 9 }, tool_use_id: "toolu_1" };
  const file = { filePath: "/a.md", content: "…", startLine: 3, numLines: 9, totalLines: 40 };
  return [
    formatDocument([{ record, history }]),
    history.map((entry) => `${JSON.stringify(entry)}\n`).join(""),
    JSON.stringify(step),
    JSON.stringify({ event: "auto", by: "/plugin", at: "2026-02-03T12:16:00Z" }),
    `${JSON.stringify({ ...identity, token: "4711-a" })}\n`,
    processText(identity),
    JSON.stringify({
      ...{ by: "lifecycle.save", created: false, before: env, start: env, after: env, way: ["saved"], notes: [] },
      foreignOwner: null,
    }),
    `a text\x008\x00${"\0".repeat(6)}{"a": 1}\n`,
    JSON.stringify({ hook_event_name: "PostToolUse", ...read, tool_response: { type: "text", file } }),
  ];
}
