import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { formatGateState, type GateState } from "../../src/gate/state.ts";
import {
  forgetGate,
  gateFiles,
  lastGateState,
  listGateStates,
  readGateState,
  startGate,
  updateGateState,
} from "../../src/stores/gate-store.ts";
import type { ProjectPaths } from "../../src/stores/paths.ts";
import { remove } from "../platform/scripts.ts";
import { project } from "./projects.ts";

let paths: ProjectPaths;

beforeEach(() => {
  paths = project();
  mkdirSync(join(paths.cache, "gate"), { recursive: true });
  return () => remove(paths.root);
});

const BEGAN = Date.parse("2026-02-03T12:00:00.000Z");

/** A session that compacted so many seconds after the first. */
function compacted(sessionId: string, seconds: number): void {
  const at = new Date(BEGAN + seconds * 1000);
  const path = join(paths.cache, "gate", `${sessionId}.json`);
  const state = { sessionId, role: "tester", projectId: null, transcriptPath: null, transcriptBytes: null };
  const gate = {
    ...state,
    compactedAt: at.toISOString(),
    required: [],
    denials: 0,
    deniedCall: null,
    repeats: 0,
    opened: null,
  };
  writeFileSync(path, formatGateState(gate));
  utimesSync(path, at, at);
}

test("the newest compaction comes first, of whatever id its session is and however many there were", () => {
  // By their names those that are oldest come first.
  for (let count = 0; count < 620; count++) compacted(`s${String(count).padStart(4, "0")}`, count);
  // A status of hundreds of sessions took twice as long as of none: each was parsed, and one is asked for.
  const parses = vi.spyOn(JSON, "parse");
  const states = listGateStates(paths);
  expect(states).toHaveLength(500);
  expect(lastGateState(states, "tester")?.sessionId).toBe("s0619");
  expect(parses).toHaveBeenCalledTimes(1);
  parses.mockRestore();
  expect(lastGateState(states.slice(-1), null)?.sessionId).toBe("s0120");
  expect(lastGateState(states, "test")).toBeNull();
  expect(gateFiles(paths)).toHaveLength(501);
  expect(gateFiles(paths)).toContain(join(paths.cache, "gate", "s0619.json"));
});

test("a compaction that begins while a read is noted is not written over, and gets the read noted in its turn", () => {
  const state = (compactedAt: string, denials = 0): GateState => ({
    ...{ sessionId: "one", role: "tester", projectId: null, transcriptPath: null, transcriptBytes: null },
    ...{ compactedAt, required: [], denials, deniedCall: null, repeats: 0, opened: null },
  });
  startGate(paths, state("2026-02-03T12:00:00.000Z"), false, new Date(BEGAN));
  const seen: string[] = [];
  const updated = updateGateState(paths, "one", (current) => {
    seen.push(current.compactedAt);
    if (seen.length === 1) startGate(paths, state("2026-02-03T13:00:00.000Z"), false, new Date(BEGAN));
    return { state: { ...current, denials: current.denials + 1 }, result: current.compactedAt };
  });
  expect(updated).toEqual({ ok: true, value: "2026-02-03T13:00:00.000Z" });
  expect(readGateState(paths, "one")).toMatchObject({ value: { compactedAt: "2026-02-03T13:00:00.000Z", denials: 1 } });
});

test("a session that is forgotten while a read is noted stays forgotten", () => {
  compacted("one", 1);
  const updated = updateGateState(paths, "one", (current) => {
    forgetGate(paths, "one");
    return { state: { ...current, denials: 1 }, result: "noted" };
  });
  expect(updated).toEqual({ ok: true, value: null });
  expect(readGateState(paths, "one")).toEqual({ ok: true, value: null });
});

test("what is no state is passed over", () => {
  compacted("one", 1);
  writeFileSync(join(paths.cache, "gate", "two.json"), "{}");
  writeFileSync(join(paths.cache, "gate", "one.json.lock"), "{}");
  writeFileSync(
    join(paths.cache, "gate", "three.json"),
    `{"role":"tester","compacted_at":"${new Date().toISOString()}"}`,
  );
  symlinkSync(join(paths.cache, "gate", "one.json"), join(paths.cache, "gate", "four.json"));
  expect(listGateStates(paths).map(({ role }) => role)).toEqual(["tester", "tester"]);
  expect(lastGateState(listGateStates(paths), "tester")?.sessionId).toBe("one");
});
