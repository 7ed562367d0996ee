import { expect, test } from "vitest";
import { occasionsOf } from "../../src/doctor/payloads.ts";

const INPUT = { root: "/p", transcript: "/t/a.jsonl", noTranscript: "/tmp/none.jsonl" };
const COMMON = { session_id: "context-doctor", transcript_path: "/t/a.jsonl", cwd: "/p" };
const START = { ...COMMON, hook_event_name: "SessionStart", model: "claude" };
const STARTUP = { ...START, transcript_path: "/tmp/none.jsonl", source: "startup" };
const COMPACT = { ...START, source: "compact" };
const TOOL = {
  ...COMMON,
  permission_mode: "default",
  tool_name: "Edit",
  tool_input: { file_path: "/p/CLAUDE.md" },
  tool_use_id: "toolu_doctor",
};

test.each([
  ["SessionStart", null, INPUT, { startup: STARTUP, compact: COMPACT }],
  ["SessionStart", null, { ...INPUT, transcript: null }, { startup: STARTUP }],
  ["SessionStart", "compact", INPUT, { compact: COMPACT }],
  ["SessionStart", "resume", INPUT, {}],
  ["SessionStart", "startup-like|compact", INPUT, { compact: COMPACT }],
  ["SessionStart", ".*", INPUT, { startup: STARTUP, compact: COMPACT }],
  [
    "PreCompact",
    "manual",
    INPUT,
    { auto: { ...COMMON, hook_event_name: "PreCompact", trigger: "auto", custom_instructions: null } },
  ],
  ["PreToolUse", "Edit|Write", INPUT, { Edit: { ...TOOL, hook_event_name: "PreToolUse" } }],
  [
    "PostToolUse",
    null,
    { ...INPUT, transcript: null },
    {
      Read: {
        ...TOOL,
        hook_event_name: "PostToolUse",
        transcript_path: "/tmp/none.jsonl",
        tool_name: "Read",
        tool_response: { type: "text", file: { filePath: "/p/CLAUDE.md" } },
      },
    },
  ],
  ["Stop", null, INPUT, { Stop: { ...COMMON, hook_event_name: "Stop" } }],
] as const)("%s with the matcher %j is run as the client does", (event, matcher, input, expected) => {
  const found = occasionsOf({ event, matcher }, input).map(({ name, payload }) => [name, JSON.parse(payload)]);
  expect(Object.fromEntries(found)).toEqual(expected);
});
