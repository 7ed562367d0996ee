import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { formatGateState } from "../../src/gate/state.ts";
import { gateFiles, listGateStates } from "../../src/stores/gate-store.ts";
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
    deniedMessage: null,
    repeats: 0,
    opened: null,
  };
  writeFileSync(path, formatGateState(gate));
  utimesSync(path, at, at);
}

test("the newest compaction comes first, of whatever id its session is and however many there were", () => {
  // By their names those that are oldest come first.
  for (let count = 0; count < 620; count++) compacted(`s${String(count).padStart(4, "0")}`, count);
  const states = listGateStates(paths);
  expect(states).toHaveLength(500);
  expect(states[0]?.sessionId).toBe("s0619");
  expect(states.at(-1)?.sessionId).toBe("s0120");
  expect(gateFiles(paths)).toHaveLength(501);
  expect(gateFiles(paths)).toContain(join(paths.cache, "gate", "s0619.json"));
});

test("what is no state is passed over", () => {
  compacted("one", 1);
  writeFileSync(join(paths.cache, "gate", "two.json"), "{}");
  writeFileSync(join(paths.cache, "gate", "one.json.lock"), "{}");
  expect(listGateStates(paths).map(({ sessionId }) => sessionId)).toEqual(["one"]);
});
