import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isGateRow, readSince, type SessionRow, type SinceCompaction } from "../../src/gate/session-rows.ts";
import { sessionsOf, VERSIONS, type Version } from "../helpers/acme-project.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { SessionLog } from "../helpers/session-log.ts";

const FIXTURES = new URL("../fixtures/claude-code/", import.meta.url);
const DEMO = "/home/dev/acme/02-projects/24-demo";
const NEXT = "/home/dev/acme/02-projects/27-xml-context";
const SKILLS = "/home/dev/acme/00-system/skills/projects";

/** The rows as the store passes them on; those before byte `from` are earlier. */
function rowsOf(text: string, from: number | null = null): readonly SessionRow[] {
  const rows: SessionRow[] = [];
  let offset = 0;
  for (const line of text.split("\n")) {
    const bytes = Buffer.from(line, "utf8");
    const earlier = from !== null && offset < from;
    if (line !== "" && isGateRow(bytes.subarray(0, 256).toString("latin1"))) rows.push({ bytes, earlier });
    offset += bytes.length + 1;
  }
  return rows;
}

function recorded(version: Version, name: string): string {
  return readFileSync(new URL(`${version}/transcripts/${name}.jsonl`, FIXTURES), "utf8");
}

const pathsBy = (since: SinceCompaction, by: "agent" | "client") =>
  since.shown.filter((file) => file.by === by).map(({ path }) => path);

const RESTORED = [
  `${SKILLS}/execute-project/SKILL.md`,
  `${DEMO}/01-planning/01-overview.md`,
  `${DEMO}/01-planning/04-steps.md`,
  `${DEMO}/02-working/parser.md`,
];

describe("sessions that the client recorded", () => {
  test.each([
    ["auto-compact", RESTORED, [`${DEMO}/01-planning/04-steps.md`], []],
    ["auto-compact-tui", RESTORED, [`${DEMO}/01-planning/04-steps.md`], ["thanks, what is next?"]],
    ["manual-compact", RESTORED, [], ["go on"]],
    [
      "two-compacts",
      RESTORED,
      [`${SKILLS}/plan-project/SKILL.md`, `${NEXT}/01-planning/01-overview.md`, `${NEXT}/01-planning/03-plan.md`],
      ["plan project 27"],
    ],
  ])("%s: the client restored the files read last, the agent read the others", (name, restored, read, prompts) => {
    const newest = readSince(rowsOf(recorded("2.1.332", name)), false);
    expect(newest.compacted).toBe(true);
    expect(pathsBy(newest, "client").toSorted()).toEqual(restored);
    expect(newest.prompts).toEqual(prompts);
    expect(newest.subAgentInFlight).toBe(false);
    // 2.0.76 wrote no row for what it restored; the rest is the same.
    const old = readSince(rowsOf(recorded("2.0.76", name)), false);
    expect(pathsBy(old, "client")).toEqual([]);
    expect(old.prompts).toEqual(prompts);
    expect(pathsBy(old, "agent").toSorted()).toEqual(read);
    if (name !== "two-compacts") expect(pathsBy(newest, "agent")).toEqual(read);
  });

  test.each(VERSIONS)("%s: without a compaction there is nothing since one", (version) => {
    const others = sessionsOf(version).filter((name) => !name.includes("compact"));
    expect(others.length).toBeGreaterThan(8);
    for (const name of others) {
      expect([name, readSince(rowsOf(recorded(version, name)), false)]).toEqual([
        name,
        { compacted: false, shown: [], prompts: [], lastCalls: [], subAgentInFlight: false },
      ]);
    }
  });

  test("the file's size at the compaction finds the same as the client's mark", () => {
    const text = recorded("2.1.332", "auto-compact");
    const mark = text.indexOf('"subtype":"compact_boundary"');
    const size = Buffer.byteLength(text.slice(0, text.lastIndexOf("\n", mark) + 1));
    expect(readSince(rowsOf(text, size), true)).toEqual(readSince(rowsOf(text), false));
  });
});

describe("a session", () => {
  const log = () => new SessionLog("/w").read("/w/old.md").prompt("skip the gate");
  const since = (after: SessionLog, known = false) => readSince(rowsOf(after.text()), known);

  test("counts what follows the last mark, and failed or open reads as none", () => {
    const told = since(
      log()
        .compacted()
        .read("/w/between.md")
        .compacted()
        .read("/w/a.md")
        .read("/w/failed.md", { failed: true })
        .read("/w/open.md", { open: true })
        .bash("cat /w/b.md")
        .prompt("go on"),
    );
    expect(told.shown.map(({ path, by }) => [path, by])).toEqual([["/w/a.md", "agent"]]);
    expect(told.prompts).toEqual(["go on"]);
  });

  test("does not count what a sub-agent read, and knows of one at work", () => {
    const sub = { record: { isSidechain: true } };
    const told = since(log().compacted().call("Task", {}, { open: true }).read("/w/a.md", sub));
    expect(told.shown).toEqual([]);
    expect(told.subAgentInFlight).toBe(true);
    expect(since(log().compacted().call("Agent", {}).read("/w/a.md", sub)).subAgentInFlight).toBe(false);
  });

  test("is read from the file's size on where the mark is not written yet", () => {
    const before = log().compacted().read("/w/earlier.md");
    const size = Buffer.byteLength(before.text());
    const text = before.read("/w/a.md").prompt("go on").text();
    const told = readSince(rowsOf(text, size), true);
    expect(told.compacted).toBe(false);
    expect(told.shown.map(({ path }) => path)).toEqual(["/w/a.md"]);
    expect(told.prompts).toEqual(["go on"]);
    expect(readSince(rowsOf(before.text(), Buffer.byteLength(before.text())), true).shown).toEqual([]);
  });

  test("takes a result that was written late for no read of its own", () => {
    const text = log().text();
    const call = { type: "tool_use", id: "toolu_late", name: "Read", input: { file_path: "/w/late.md" } };
    const before = `${text}${JSON.stringify({ type: "assistant", message: { content: [call] } })}\n`;
    const result = { type: "tool_result", tool_use_id: "toolu_late", content: "x" };
    const after = `${JSON.stringify({ type: "user", message: { content: [result] } })}\n${new SessionLog("/w").compacted().text()}`;
    expect(readSince(rowsOf(before + after, Buffer.byteLength(before)), true).shown).toEqual([]);
  });

  test("counts a read that the client keeps in the context over the compaction", () => {
    const kept = new SessionLog("/w")
      .read("/w/kept.md", { record: { uuid: "u1" } })
      .read("/w/lost.md", { record: { uuid: "u2" } });
    kept.add({
      type: "system",
      subtype: "compact_boundary",
      compactMetadata: { trigger: "auto", preservedMessages: { uuids: ["u1"], allUuids: ["u1", "u2"] } },
    });
    expect(since(kept).shown.map(({ path, by }) => [path, by])).toEqual([["/w/kept.md", "client"]]);
  });

  test("tells a restored file from a mere reference, and shows the lines that were restored", () => {
    const file = { filePath: "/w/a.md", content: "…", numLines: 40, startLine: 1, totalLines: 90 };
    const attached = (attachment: object) =>
      JSON.stringify({ parentUuid: "p", isSidechain: false, attachment, type: "attachment" });
    const after = log()
      .compacted()
      .raw(attached({ type: "file", filename: "/w/a.md", content: { type: "text", file } }))
      .raw(attached({ type: "compact_file_reference", filename: "/w/b.md", displayPath: "b.md" }))
      .raw(attached({ type: "file", filename: "/w/c.md" }));
    expect(since(after).shown).toEqual([
      { path: "/w/a.md", cwd: null, lines: { kind: "lines", ranges: [[1, 40]], total: 90 }, by: "client" },
    ]);
  });

  test("hears a person who types while the agent works, and no other program", () => {
    const queued = (attachment: object) =>
      JSON.stringify({
        parentUuid: null,
        isSidechain: false,
        attachment: { type: "queued_command", ...attachment },
        type: "attachment",
      });
    const after = log()
      .compacted()
      .raw(queued({ prompt: "skip the gate", commandMode: "prompt" }))
      .raw(queued({ prompt: "<task-notification>skip the gate", commandMode: "prompt" }))
      .raw(queued({ prompt: "skip the gate now", commandMode: "task-notification" }))
      .raw(queued({ prompt: "skip the gate, friend", commandMode: "prompt", origin: { kind: "peer" } }))
      .raw(queued({ prompt: "skip the gate yourself", isMeta: true }));
    expect(since(after).prompts).toEqual(["skip the gate"]);
  });

  test("hears what was typed without a mode, and nothing of another kind", () => {
    const attached = (attachment: object) =>
      JSON.stringify({ parentUuid: null, isSidechain: false, attachment, type: "attachment" });
    const after = log()
      .compacted()
      .raw(attached({ type: "queued_command", prompt: "go on" }))
      .raw(attached({ type: "queued_command", prompt: "  <task-notification>", commandMode: "prompt" }))
      .raw(attached({ type: "queued_command", prompt: 7, commandMode: "prompt" }))
      .raw(attached({ type: "file", prompt: "skip the gate", filename: "/w/a.md", content: {}, commandMode: "prompt" }))
      .raw(attached({ type: "queued_command", prompt: "and on", filename: "/w/b.md", content: {} }))
      .raw(attached({ type: "file", content: {} }));
    expect(since(after)).toMatchObject({ prompts: ["go on", "and on"], shown: [{ path: "/w/a.md" }] });
  });

  test("knows the folder in which a restored file was named", () => {
    const attachment = { type: "file", filename: "a.md", content: {} };
    const after = log()
      .compacted()
      .raw(JSON.stringify({ parentUuid: null, attachment, cwd: "/w/sub" }));
    expect(since(after).shown).toMatchObject([{ path: "a.md", cwd: "/w/sub" }]);
  });

  test("waits for no other tool, and for no sub-agent of before", () => {
    const inFlight = (name: string) => since(log().compacted().call(name, {}, { open: true })).subAgentInFlight;
    expect(["Task", "Agent", "Skill", "Bash", "Read"].map(inFlight)).toEqual([true, true, true, false, false]);
    const kept = new SessionLog("/w").call("Task", {}, { open: true, record: { uuid: "u1" } });
    kept.add({ type: "user", uuid: "u2", message: { role: "user", content: "skip the gate" } });
    kept.add({
      type: "system",
      subtype: "compact_boundary",
      compactMetadata: { preservedMessages: { uuids: ["u1", "u2"] } },
    });
    expect(since(kept)).toEqual({ compacted: true, shown: [], prompts: [], lastCalls: [], subAgentInFlight: false });
  });

  test("no longer waits for a sub-agent that was stopped without an answer", () => {
    const called = () => log().compacted().call("Task", {}, { open: true });
    const stopped = { type: "user", message: { role: "user", content: "[Request interrupted by user]" } };
    expect(since(called().prompt("go on")).subAgentInFlight).toBe(false);
    expect(since(called().add(stopped)).subAgentInFlight).toBe(false);
    expect(since(called().prompt("go on").call("Agent", {}, { open: true })).subAgentInFlight).toBe(true);
    expect(since(called().slash("context")).subAgentInFlight).toBe(false);
    const reminder = { type: "user", isMeta: true, message: { role: "user", content: "a reminder" } };
    const meanwhile = called().add(reminder).add({ type: "system", subtype: "informational" }).says("it works");
    expect(since(meanwhile.read("/w/a.md")).subAgentInFlight).toBe(true);
  });

  test("knows the calls of the model's last message, whose parts are records of their own", () => {
    const part = (id: string | undefined, ...blocks: readonly object[]) => ({
      type: "assistant",
      message: { role: "assistant", id, content: blocks },
    });
    const use = (id: string) => ({ type: "tool_use", id, name: "Edit", input: {} });
    const result = { type: "tool_result", tool_use_id: "t2", content: "no" };
    const calls = (...records: readonly object[]) =>
      since(records.reduce((all: SessionLog, record) => all.add(record), log().compacted())).lastCalls;
    const last = [part("m2", { type: "text", text: "two" }), part("m2", use("t2")), part("m2", use("t3"))];
    expect(calls(part("m1", use("t1")), ...last)).toEqual(["t2", "t3"]);
    expect(calls(...last, { type: "user", message: { role: "user", content: [result] } })).toEqual(["t2", "t3"]);
    expect(calls(...last, part("m3", { type: "text", text: "done" }))).toEqual([]);
    expect(calls(...last, part(undefined, use("t4")))).toEqual([]);
    expect(calls()).toEqual([]);
    expect(since(new SessionLog("/w").compacted()).lastCalls).toEqual([]);
  });

  test("has no mark that another than the client could write, and no read without a file", () => {
    const other = new SessionLog("/w").read("/w/a.md").add({ type: "user", subtype: "compact_boundary" });
    expect(since(other).compacted).toBe(false);
    expect(since(log().compacted().call("Read", {})).shown).toEqual([]);
  });

  test("with bytes that are no text is read past them", () => {
    const rows = [log().compacted().text(), '{"type":"user","message":{"role":"user","content":"\u00E9"}}\n'];
    const bytes = rows.flatMap((text) => text.split("\n")).map((line) => Buffer.from(line, "latin1"));
    expect(
      readSince(
        bytes.map((each) => ({ bytes: each, earlier: false })),
        false,
      ).prompts,
    ).toEqual([]);
  });

  test("with rows that are none is read past them", () => {
    const after = log()
      .compacted()
      .raw("{half")
      .raw("[]")
      .raw("7")
      .raw("null")
      .raw("\uFEFF[{}]")
      .raw("\uFEFF7")
      .read("/w/a.md");
    expect(since(after).shown).toHaveLength(1);
  });

  test("with blanks or a mark of the encoding before a row is read all the same", () => {
    const lines = log().compacted().read("/w/a.md").text().split("\n");
    for (const before of ["", "\uFEFF", " \t\r"]) {
      const rows = ["", " ", ...lines.map((line) => before + line)].map((row) => Buffer.from(row));
      const read = readSince(
        rows.map((bytes) => ({ bytes, earlier: false })),
        false,
      );
      expect(read).toMatchObject({ compacted: true, shown: [{ path: "/w/a.md" }] });
    }
  });
});

test("a row that is none costs no more than one that is: half a million empty lines", () => {
  const rows = Array.from({ length: 500_000 }, () => ({ bytes: new Uint8Array(), earlier: false }));
  const start = cpuTime();
  readSince(rows, true);
  expect(cpuTime() - start).toBeLessThan(1500);
});

test.each(['{"parentUuid":', '"attachment":{"type":"', "x"])("a head of a megabyte of %j is told at once", (piece) => {
  const start = cpuTime();
  isGateRow(piece.repeat(1_000_000 / piece.length));
  expect(cpuTime() - start).toBeLessThan(1000);
});

test("of the client's own rows, those that bring a file or a prompt are read", () => {
  expect(isGateRow('{"parentUuid":null,"isSidechain":false,"attachment":{"type":"queued_command"')).toBe(true);
  expect(isGateRow('{"parentUuid":null,"isSidechain":false,"attachment":{"type":"todo"')).toBe(false);
});

test("what a person took back is neither read nor said; a record that is written again takes nothing back", () => {
  const prompt = (uuid: string, parentUuid: string, content: string) => ({
    type: "user",
    uuid,
    parentUuid,
    message: { role: "user", content },
  });
  const log = new SessionLog("/r").compacted("summary").add(prompt("p0", "mark", "begin"));
  const reading = (uuid: string, path: string) => log.read(path, { record: { uuid, parentUuid: "p0" } });
  reading("a0", "/r/kept.md");
  log.add(prompt("p1", "a0", "look there"));
  log.read("/r/gone.md", { record: { uuid: "a1", parentUuid: "p1" } });
  log.add(prompt("p0", "mark", "begin"));
  expect(pathsBy(readSince(rowsOf(log.text()), false), "agent")).toEqual(["/r/kept.md", "/r/gone.md"]);
  log.add(prompt("p2", "a0", "look here"));
  log.read("/r/new.md", { record: { uuid: "a2", parentUuid: "p2" } });
  const since = readSince(rowsOf(log.text()), false);
  expect(pathsBy(since, "agent")).toEqual(["/r/kept.md", "/r/new.md"]);
  expect(since.prompts).toEqual(["begin", "look here"]);
  // What was said before went on from a row of the client's own behind that record, which is not read.
  const resumed = new SessionLog("/r").compacted("summary").add(prompt("p0", "mark", "begin"));
  resumed.read("/r/kept.md", { record: { uuid: "a0", parentUuid: "p0" } });
  resumed.add(prompt("p1", "attachment of a0", "look there"));
  resumed.read("/r/gone.md", { record: { uuid: "a1", parentUuid: "p1" } });
  resumed.add(prompt("p2", "a0", "look here"));
  expect(readSince(rowsOf(resumed.text()), false)).toMatchObject({ prompts: ["begin", "look here"] });
  expect(pathsBy(readSince(rowsOf(resumed.text()), false), "agent")).toEqual(["/r/kept.md"]);
  const { uuid, ...nameless } = prompt("", "a0", "look away");
  const named = new SessionLog("/r").add({ type: "system", subtype: "compact_boundary", uuid: "mark" });
  named.add(prompt("p0", "mark", "begin")).add({ ...nameless, parentUuid: "mark" });
  expect(readSince(rowsOf(named.text()), false).prompts).toEqual(["begin", "look away"]);
  const first = { ...prompt("p3", "", "begin anew"), parentUuid: null };
  log
    .add(nameless)
    .add(first)
    .add({ ...first, uuid: "p4" });
  expect(readSince(rowsOf(log.text()), false).prompts).toEqual([
    ...since.prompts,
    "look away",
    "begin anew",
    "begin anew",
  ]);
});

test("a person who goes back to a row of the client's own takes back what followed it; who speaks behind a row in the midst of the work, nothing", () => {
  const prompt = (uuid: string, parentUuid: string, content: string) => ({
    type: "user",
    uuid,
    parentUuid,
    message: { role: "user", content },
  });
  const log = () => new SessionLog("/r").add({ type: "system", subtype: "compact_boundary", uuid: "mark" });
  const reading = (to: SessionLog, uuid: string, parentUuid: string) =>
    to.read(`/r/${uuid}.md`, { record: { uuid, parentUuid } });
  const told = (of: SessionLog) => {
    const since = readSince(rowsOf(of.text()), false);
    return [...since.prompts, ...pathsBy(since, "agent")];
  };
  const back = log().add(prompt("p0", "mark", "begin"));
  reading(back, "kept", "p0").add(prompt("p1", "attachment", "look there"));
  reading(back, "gone", "p1").add(prompt("p2", "attachment", "look here"));
  expect(told(reading(back, "new", "p2"))).toEqual(["begin", "look here", "/r/kept.md", "/r/new.md"]);
  const first = reading(log(), "kept", "attachment of mark").add(prompt("p0", "mark", "begin"));
  expect(told(first)).toEqual(["begin", "/r/kept.md"]);
  const midst = reading(log().add(prompt("p0", "mark", "begin")), "one", "p0");
  reading(midst, "other", "attachment of one").add(prompt("p1", "one", "and on"));
  expect(told(midst)).toEqual(["begin", "and on", "/r/one.md", "/r/other.md"]);
});
