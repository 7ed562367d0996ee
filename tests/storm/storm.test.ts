import { afterAll, describe, expect, test } from "vitest";
import { buildShim } from "../e2e/faults/fault.ts";
import { PROGRAM_ROOT } from "../helpers/program-under-test.ts";
import type { Line } from "./model.ts";
import { replay } from "./model.ts";
import type { Kept } from "./store.ts";
import { storm } from "./storm.ts";
import { groundOf, WEATHERS } from "./weather.ts";

// A few dozen processes at once on two roles; `npm run storm` goes on for as long as it is let.

const shim = buildShim();
afterAll(() => shim?.remove());

type Change = (kept: Kept, role: string) => Kept;
const ROLES = ["tester", "web-one", "scrum-master"] as const;

async function run(name: string, actions: number, change: Change = (kept) => kept) {
  const place = await WEATHERS[name]?.(groundOf(PROGRAM_ROOT));
  if (!place) throw new Error(`no weather ${name}`);
  const { store } = place.options;
  try {
    return await storm(`20260203 ${name}`, {
      ...place.options,
      name,
      store: { ...store, role: async (role) => change(await store.role(role), role) },
      roles: ROLES,
      actions,
      atOnce: 8,
      shim: shim?.path ?? null,
    });
  } finally {
    await place.end();
  }
}

test("whatever is killed, stopped or let go on at any moment, what was told to be done is there once, in its order", async () => {
  const { wrong, runs, transitions } = await run("mixed", 60);
  expect(wrong).toEqual([]);
  expect({ runs, moved: transitions > 10 }).toEqual({ runs: 60, moved: true });
});

/** A fault for each role, which the judgement has to see. */
const FAULTS: Readonly<Record<(typeof ROLES)[number], (kept: Kept) => Kept>> = {
  tester: (kept) => ({ ...kept, lines: kept.lines.slice(0, -1) }),
  "web-one": (kept) => ({ ...kept, lines: [...kept.lines, ...kept.lines.slice(-1)] }),
  "scrum-master": ({ snapshot, ...kept }) => ({
    ...kept,
    snapshot: snapshot === null || typeof snapshot === "string" ? snapshot : { ...snapshot, compactions: 99 },
  }),
};

test("the judgement bites: what is lost, done twice or of another day is seen", async () => {
  const { wrong } = await run("crowd", 6, (kept, role) =>
    ROLES.reduce((seen, name) => (name === role ? FAULTS[name](seen) : seen), kept),
  );
  for (const role of ROLES) expect(wrong.filter((text) => text.startsWith(`${role}: `))).not.toEqual([]);
});

describe("the model", () => {
  const line = (revision: number, event: string, from: string, to: string): Line => ({
    revision,
    at: "2026-02-03T12:15:07.120Z",
    event,
    from,
    to,
    by: "test",
    session_id: null,
  });

  test("goes the loop, counts compactions and tells an unsaved one", () => {
    const loop = [line(1, "COMPACT", "active", "compacting"), line(2, "COMPACTED", "compacting", "recovering")];
    const wanted = { state: "recovering", previous: "compacting", event: "COMPACTED", revision: 2, compactions: 1 };
    expect(replay(loop)).toEqual({ end: { ...wanted, unsaved: true }, wrong: [] });
  });

  test.each<[string, readonly Line[]]>([
    ["a gap", [line(2, "SAVE", "active", "saving")]],
    ["another state", [line(1, "CONTEXT_VALID", "saving", "saved")]],
    ["no edge", [line(1, "SAVE", "active", "saved")]],
    ["no event", [line(1, "JUMP", "active", "saving")]],
  ])("refuses %s", (_what, lines) => {
    expect(replay(lines).wrong).not.toEqual([]);
  });
});
