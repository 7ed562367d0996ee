import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openThreadLog } from "../../src/langchain.ts";
import { bundleScript, remove, run, temporaryFolder } from "../platform/scripts.ts";

/** More than ten lives of at most 140 ms each can do. */
const CALLS = 240;
const KILLS = 10;

let folder = "";
let script = "";
beforeAll(() => {
  folder = temporaryFolder();
  script = bundleScript(new URL("killed-agent.ts", import.meta.url), folder);
});
afterAll(() => remove(folder));

const log = () => join(folder, "threads", "t.jsonl");

/** The log's whole lines as they stand on the disk. */
function wholeLines(): string {
  if (!existsSync(log())) return "";
  const text = readFileSync(log(), "utf8");
  return text.slice(0, text.lastIndexOf("\n") + 1);
}

async function growth(path: string): Promise<void> {
  const size = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  for (const before = size(); size() === before; ) await setTimeout(2);
}

describe("an agent that is killed anywhere", () => {
  it("loses nothing that was logged, runs no call twice, and finishes", async () => {
    let before = "";
    let killed = 0;
    for (let life = 0; life < KILLS; life++) {
      const { child, said, ended } = run(process.execPath, [script, folder, String(CALLS)]);
      await said(1);
      // Half of the lives see a call begin, however slow the machine is.
      if (life % 2 === 1) await growth(join(folder, "effects"));
      await setTimeout(Math.random() * 140);
      child.kill("SIGKILL");
      if ((await ended).signal === "SIGKILL") killed++;
      const after = wholeLines();
      expect(after.startsWith(before)).toBe(true);
      before = after;
    }
    expect(killed).toBe(KILLS);
    const last = run(process.execPath, [script, folder, String(CALLS)]);
    expect(await last.ended).toMatchObject({ code: 0, stderr: "" });
    expect(last.lines).toEqual(["up", "completed"]);
    expect(wholeLines().startsWith(before)).toBe(true);

    const opened = openThreadLog(log());
    const events = opened.ok ? opened.value.events : [];
    const effects = readFileSync(join(folder, "effects"), "utf8").split("\n").slice(0, -1);
    expect(new Set(effects).size).toBe(effects.length);
    const asked = events.flatMap((event) => (event.type === "tool_call" ? [event.toolCallId] : []));
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.length).toBeGreaterThanOrEqual(CALLS);
    const done = events.flatMap((event) => (event.type === "tool_result" ? [event.toolCallId] : []));
    const unknown = events.flatMap((event) => (event.type === "error" ? [event.toolCallId] : []));
    expect([...done, ...unknown].sort()).toEqual([...asked].sort());
    // What has a result happened once; what happened without one was told to the model as interrupted.
    expect(effects.filter((id) => !done.includes(id)).every((id) => unknown.includes(id))).toBe(true);
    expect(done.every((id) => effects.includes(id))).toBe(true);
    expect(unknown.length).toBeGreaterThan(0);
    // Who is killed while it takes the lock leaves the lock's draft, for a minute at least: elsewhere its writer may live.
    const left = readdirSync(join(folder, "threads")).filter((name) => !/^\.t\.jsonl\.lock\..*\.tmp$/.test(name));
    expect(left).toEqual(["t.jsonl"]);
    for (const event of events) if (event.type === "error") expect(event.error).toContain("interrupted");
  });
});
