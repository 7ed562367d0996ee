import { basename } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { ProjectPaths } from "../../src/stores/paths.ts";
import { latestLeg } from "../../src/stores/session-chain.ts";
import { remove } from "../platform/scripts.ts";
import { project } from "./projects.ts";
import { put } from "./workspace-files.ts";

let paths: ProjectPaths;

beforeEach(() => {
  paths = project();
  return () => remove(paths.root);
});

const row = (sessionId: string, minute: number): string =>
  `${JSON.stringify({ type: "user", sessionId, timestamp: `2026-01-03T14:${String(minute).padStart(2, "0")}:00.000Z` })}\n`;

/** A file of one leg, whose last record bears the id of the next. */
function leg(name: string, next: string, minute: number, behind = ""): string {
  return put(paths, `client/${name}.jsonl`, row(name, minute) + row(next, minute + 1) + behind);
}

const latest = (from: string): string => basename(latestLeg(from), ".jsonl");

test("a session that went on under another id is written where the last of its files is, as far as they are there", () => {
  const first = leg("one", "two", 0);
  expect(latest(first)).toBe("one");
  leg("two", "three", 10);
  expect(latest(first)).toBe("two");
  leg("three", "three", 20);
  expect(latest(first)).toBe("three");
});

test("a row that is being written, and one of the client's own, say nothing of where it went on", () => {
  const first = leg("one", "two", 0, `${row("other", 5).slice(0, -1)}`);
  leg("two", "two", 10);
  leg("other", "other", 10);
  expect(latest(first)).toBe("two");
  expect(latest(leg("one", "two", 0, `{"type":"summary","sessionId":"other"}\n`))).toBe("two");
  expect(latest(leg("one", "two", 0, `{"type":"user"}\n`))).toBe("two");
  expect(latest(leg("one", "two", 0, "[]\n"))).toBe("two");
});

test("it went neither to where a fork came from, nor round in a circle, nor out of its folder", () => {
  leg("parent", "parent", 0);
  expect(latest(leg("fork", "parent", 10))).toBe("fork");
  leg("timeless", "timeless", 20);
  expect(latest(put(paths, "client/odd.jsonl", `{"type":"user","sessionId":"timeless"}\n`))).toBe("odd");
  put(paths, "client/empty.jsonl", "");
  expect(latest(leg("before", "empty", 10))).toBe("before");
  put(paths, "client/a.jsonl", row("b", 10));
  put(paths, "client/b.jsonl", row("a", 10));
  expect(latest(`${paths.root}/client/a.jsonl`)).toBe("b");
  put(paths, "elsewhere.jsonl", row("elsewhere", 30));
  expect(latest(leg("out", "../elsewhere", 10))).toBe("out");
  expect(latestLeg(`${paths.root}/client/none.jsonl`)).toBe(`${paths.root}/client/none.jsonl`);
});

test("of a session that goes on without end the first sixteen steps are followed", () => {
  for (let at = 0; at < 20; at++) leg(`leg-${at}`, `leg-${at + 1}`, at);
  expect(latest(`${paths.root}/client/leg-0.jsonl`)).toBe("leg-16");
});
