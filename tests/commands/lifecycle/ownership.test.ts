import { describe, expect, test } from "vitest";
import { type Claim, ownership } from "../../../src/commands/lifecycle/ownership.ts";
import type { MachineRecord } from "../../../src/lifecycle/snapshot.ts";
import { ownProcess, processText } from "../../../src/platform/process-identity.ts";
import { CREATED, stored } from "../../lifecycle/records.ts";

const HERE = processText(ownProcess());
const ENDED = processText({ ...ownProcess(), started: "1" });
const ELSEWHERE = processText({ ...ownProcess(), host: "another-machine" });
const PANE = "%4@1234";

const owned = (more: Partial<MachineRecord> = {}) =>
  stored({ sessionId: "first", ownedSince: CREATED, ownerProcess: HERE, ownerPane: PANE, ...more }).record;

function ask(record: MachineRecord, more: Partial<Claim> = {}) {
  const place = { process: HERE, pane: PANE };
  return ownership(record, {
    sessionId: "second",
    place,
    source: null,
    policy: "refuse",
    takeOver: () => "./context lifecycle.save tester --take-over",
    now: new Date(CREATED),
    ...more,
  });
}

const OTHER_PROCESS = { process: processText({ ...ownProcess(), pid: process.ppid, started: "2" }), pane: PANE };

describe("another session gets the role by itself", () => {
  test.each<[string, MachineRecord, Partial<Claim>, string]>([
    ["in the owner's client, by a command", owned(), {}, "in the same client"],
    ["in the owner's client, after /clear", owned(), { source: "clear" }, "in the same client"],
    ["once the owner's client has ended", owned({ ownerProcess: ENDED }), {}, "whose client has ended"],
    [
      "by a plain start, once the owner's client has ended",
      owned({ ownerProcess: ENDED, ownerPane: "%9@1" }),
      { source: "startup", policy: "look" },
      "whose client has ended",
    ],
    [
      "after /clear in the owner's pane, where no process is known",
      owned({ ownerProcess: null }),
      { source: "clear", place: { process: null, pane: PANE } },
      "in the same pane",
    ],
  ])("%s", (_name, record, claim, why) => {
    const result = ask(record, claim);
    expect(result).toMatchObject({ ok: true, value: { foreign: null } });
    if (!result.ok) return;
    expect(result.value.facts).toMatchObject({ sessionId: "second", ownerBefore: "first" });
    expect(result.value.notes).toEqual([
      `oosh-expert was owned by session first since ${CREATED}, ${why}; session second takes it over.`,
    ]);
  });
});

describe("another session does not get it", () => {
  test.each<[string, MachineRecord, Partial<Claim>]>([
    ["from a client that runs elsewhere in the same pane", owned(), { source: "resume", place: OTHER_PROCESS }],
    ["where nothing is known of its own client", owned(), { source: "clear", place: { process: null, pane: PANE } }],
    ["from another host, which cannot tell", owned({ ownerProcess: ELSEWHERE }), { source: "clear" }],
    ["by a plain start in the pane", owned({ ownerProcess: null }), { source: "startup" }],
    ["by a compaction in the pane", owned({ ownerProcess: null }), { source: "compact" }],
    ["by a command in the pane", owned({ ownerProcess: null }), {}],
    ["in another pane", owned({ ownerProcess: null, ownerPane: "%5@1234" }), { source: "clear" }],
    [
      "in a pane of that number of another server",
      owned({ ownerProcess: null, ownerPane: "%4@99" }),
      { source: "clear" },
    ],
    [
      "with nothing known of either",
      owned({ ownerProcess: null, ownerPane: null }),
      { source: "clear", place: { process: null, pane: null } },
    ],
    ["back, after it was passed on in the same client", owned({ ownerBefore: "second" }), {}],
  ])("%s", (_name, record, claim) => {
    expect(ask(record, claim)).toMatchObject({ ok: false, error: { problem: { code: "owned-by-another" } } });
    const looked = ask(record, { ...claim, policy: "look" });
    expect(looked).toMatchObject({ ok: true, value: { facts: null, foreign: "first" } });
    expect(looked.ok && looked.value.notes[0]).toContain("session first");
    expect(looked.ok && looked.value.notes[0]).toContain("session second");
  });
});

test("a start that continues the earlier session gives it back: a person asked for it", () => {
  const back = ask(owned({ ownerBefore: "second" }), { source: "resume" });
  expect(back).toMatchObject({ ok: true, value: { facts: { sessionId: "second", ownerBefore: "first" } } });
});

test("the owner itself is recorded where it goes on, and nothing is recorded where nothing is new", () => {
  expect(ask(owned(), { sessionId: "first" })).toEqual({ ok: true, value: { facts: null, notes: [], foreign: null } });
  const moved = ask(owned({ ownerBefore: "zero" }), { sessionId: "first", place: OTHER_PROCESS });
  expect(moved).toMatchObject({
    ok: true,
    value: {
      facts: { sessionId: "first", ownedSince: CREATED, ownerProcess: OTHER_PROCESS.process, ownerBefore: "zero" },
    },
  });
  const unknown = ask(owned(), { sessionId: "first", place: { process: null, pane: null } });
  expect(unknown).toMatchObject({ ok: true, value: { facts: null } });
});
