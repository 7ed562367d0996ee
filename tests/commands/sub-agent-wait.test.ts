import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { compactsSubAgent } from "../../src/commands/sub-agent-wait.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { remove, temporaryFolder } from "../platform/scripts.ts";

test("a result that the client has not written down yet is waited for: the compaction behind it is the main line's", async () => {
  const folder = temporaryFolder();
  onTestFinished(() => remove(folder));
  const [transcript, rest] = [join(folder, "s.jsonl"), join(folder, "rest")];
  const open = { open: true, record: { version: "2.1.300" } };
  const log = new SessionLog(folder).prompt("go on").call("Task", { prompt: "Look around." }, open);
  writeFileSync(transcript, log.text());
  const content = [{ type: "tool_result", tool_use_id: "toolu_1", content: "done" }];
  writeFileSync(rest, `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`);
  const waiting = performance.now();
  expect(compactsSubAgent(transcript)).toBe(true);
  expect(performance.now() - waiting).toBeGreaterThan(500);

  const client = spawn("sh", ["-c", `sleep 0.1; cat "$1" >> "$2"`, "client", rest, transcript]);
  // As long as a busy machine needs to start that: it ends when the result is there.
  const looks = Array.from({ length: 1000 }, () => 50);
  const started = performance.now();
  expect(compactsSubAgent(transcript, looks)).toBe(false);
  expect(performance.now() - started).toBeLessThan(25_000);
  await once(client, "exit");
});
