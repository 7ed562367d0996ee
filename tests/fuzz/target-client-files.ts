import { printable, printableBlock } from "../../src/base/printable.ts";
import { readEvents } from "../../src/commands/thread/read-events.ts";
import { readSince } from "../../src/gate/session-rows.ts";
import { parsePayload, payloadWatch } from "../../src/hooks/payload.ts";
import { readJson } from "../../src/install/json-tree.ts";
import { projectScriptCommand, wantedHooks } from "../../src/install/our-hooks.ts";
import { editSettings } from "../../src/install/settings-edit.ts";
import { parseThread, serializeThread } from "../../src/thread/index.ts";
import { GUIDANCE_LIMIT, summariserGuidance } from "../../src/trail/guidance.ts";
import { renderTrail } from "../../src/trail/render.ts";
import { buildTrail } from "../../src/trail/trail.ts";
import { activitiesOf } from "../../src/transcript/activity.ts";
import { detectProject } from "../../src/transcript/detect-project.ts";
import { redact } from "../../src/transcript/redact.ts";
import { readRows, rowsOfText } from "../../src/transcript/row.ts";
import { shellPaths } from "../../src/transcript/shell-paths.ts";
import { must, mustBeEqual, mustBeWellFormed, mustBeXml } from "./oracles.ts";

const PLACES = { root: "/home/dev/acme", home: "/home/dev", projectsFolder: "02-projects", cwd: null } as const;

/** Whatever the rows hold, there is a detection, a trail in each format that its readers take, and guidance of bounded length. */
export function fuzzTranscript(text: string): void {
  const activities = activitiesOf(readRows(rowsOfText(text)).entries);
  detectProject(activities, PLACES);
  for (const since of ["start", "compaction"] as const) {
    const trail = buildTrail(activities, { ...PLACES, since, whole: since === "start" });
    mustBeXml(renderTrail(trail, { format: "xml", budget: 1500 }).text);
    JSON.parse(renderTrail(trail, { format: "json", budget: 1500 }).text);
    mustBeWellFormed(renderTrail(trail, { format: "md", budget: 1500 }).text);
    const currentTask = text.slice(0, 900);
    const guidance = summariserGuidance(trail, {
      projectId: "24-demo",
      phase: null,
      currentTask,
      openTasks: [],
      recoverCommand: "x",
    });
    must(guidance.length <= GUIDANCE_LIMIT, `guidance of ${guidance.length} characters`);
    mustBeWellFormed(guidance);
  }
  const rows = text.split("\n").map((line, index) => ({ bytes: Buffer.from(line), earlier: index % 3 === 0 }));
  readSince(rows, true);
  readSince(rows, false);
  checkEvents(text);
}

/** What it says of an array, which is whole too. */
const NO_OBJECT = "standard input is no JSON object";

/** What is whole is JSON, however it is cut. */
export function fuzzPayload(text: string): void {
  const bytes = Buffer.from(text);
  const read = parsePayload(bytes);
  const isWhole = payloadWatch();
  const half = bytes.subarray(0, bytes.length >> 1);
  for (const part of [half, bytes]) {
    const parsed = parsePayload(part);
    if (isWhole(part)) must(parsed.ok || parsed.error === NO_OBJECT, "whole, and no JSON");
  }
  if (read.ok && read.value !== null) {
    must(
      read.value.sessionId === null || /^[\w.-]{1,128}$/.test(read.value.sessionId),
      "a session id is a file's name",
    );
  }
}

const WANTED = wantedHooks(4, (hook) => projectScriptCommand(`.claude/hooks/${hook}.sh`, null));
const NONE: ReadonlySet<string> = new Set();

/** Registered twice is once; taking it out gives the bytes back, of what held nothing of ours. */
export function fuzzSettings(text: string): void {
  const request = { wanted: WANTED, rest: "remove", foreign: NONE } as const;
  const removal = { ...request, wanted: [] };
  const once = editSettings(text, request);
  if (!once.ok) return;
  const registered = once.value.text ?? "";
  must(readJson(registered).ok, "registered, and not to be read any more");
  const twice = editSettings(registered, request);
  mustBeEqual(twice.ok ? twice.value.text : twice.error, registered, "registered twice");
  const plain = editSettings(text, removal);
  if (!plain.ok || plain.value.text !== text) return;
  const removed = editSettings(registered, removal);
  mustBeEqual(removed.ok ? removed.value.text : removed.error, text, "registered and removed");
}

export function fuzzThread(text: string): void {
  checkEvents(text);
  const parsed = parseThread(text);
  if (parsed.ok) serializeThread(parsed.value.events);
}

/** Events become XML; of the full style the same events come back. */
function checkEvents(text: string): void {
  const read = readEvents(text);
  if (!read.ok) return;
  const { events } = read.value;
  mustBeXml(serializeThread(events));
  const full = serializeThread(events, { attributes: "full" });
  mustBeXml(full);
  const back = parseThread(full);
  const again = back.ok ? serializeThread(back.value.events, { attributes: "full" }) : back.error;
  mustBeEqual(again, full, "a thread read again");
}

/** Words of a shell, secrets and what a terminal is shown. */
export function fuzzWords(text: string): void {
  shellPaths(text.slice(0, 8000), PLACES.root, PLACES);
  const clean = redact(text);
  mustBeEqual(redact(clean), clean, "redacted twice");
  const shown = printableBlock(text);
  must(!/[\0-\x08\x0B-\x1F\x7F-\x9F\u202A-\u202E\u2066-\u2069]/.test(shown), "a control character is printed");
  mustBeEqual(printable(shown.replaceAll("\n", "")), shown.replaceAll("\n", ""), "made printable twice");
}
