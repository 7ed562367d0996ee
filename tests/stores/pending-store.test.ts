import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import {
  dropPending,
  listPending,
  notesFolder,
  type PendingStep,
  parsePending,
  pendingId,
  writePending,
} from "../../src/stores/pending-store.ts";
import { remove } from "../platform/scripts.ts";
import { NOW, project, role } from "./projects.ts";

const STEP: PendingStep = {
  role: role(),
  at: NOW.toISOString(),
  by: "pre-compact",
  session_id: "b9ff7b48",
  source: null,
  owner: "note",
  process: null,
  pane: null,
  create: true,
  from: null,
  events: ["SAVE", "CONTEXT_VALID", "COMPACT"],
  context_sha256: "0".repeat(64),
  saved_at: NOW.toISOString(),
  branch: "main",
  commit: null,
  context_bytes: 700,
};

function notes() {
  const paths = project();
  onTestFinished(() => remove(paths.root));
  return paths;
}

test("notes come back in the order in which they were made, until they are dropped", () => {
  const paths = notes();
  expect(listPending(paths)).toEqual({ notes: [], broken: [] });
  const made = [0, 0, 0, 5, 1_000_000].map((ms) => {
    const id = pendingId(new Date(NOW.getTime() + ms));
    expect(writePending(paths, { id, step: { ...STEP, by: id } }).ok).toBe(true);
    return id;
  });
  expect(listPending(paths).notes.map(({ id, step }) => [id, step])).toEqual(
    made.map((id) => [id, { ...STEP, by: id }]),
  );
  for (const id of made) dropPending(paths, id);
  dropPending(paths, made[0] ?? "");
  expect(readdirSync(notesFolder(paths))).toEqual([]);
});

test("what is no note is named, and hides none", () => {
  const paths = notes();
  writePending(paths, { id: pendingId(NOW), step: STEP });
  mkdirSync(join(notesFolder(paths), "000000000000002-b.json"));
  for (const [name, text] of [
    ["000000000000001-a.json", "{}"],
    ["other.json", "{}"],
    ["000000000000001-a.json.corrupt-20260203T121507Z", "{}"],
  ] as const)
    writeFileSync(join(notesFolder(paths), name), text);
  const found = listPending(paths);
  expect(found.notes).toHaveLength(1);
  expect(found.broken.map((path) => path.slice(-22))).toEqual(["000000000000001-a.json", "000000000000002-b.json"]);
});

test("a note with any one value of another kind is none", () => {
  const text = JSON.stringify({ version: 1, ...STEP });
  expect(parsePending(text)).toEqual(STEP);
  const keys = Object.keys(JSON.parse(text));
  fc.assert(
    fc.property(fc.constantFrom(...keys), fc.constantFrom<unknown>({}, ["x"], true, undefined), (key, value) => {
      if (key === "create" && value === true) return;
      expect(parsePending(JSON.stringify({ ...JSON.parse(text), [key]: value }))).toBeNull();
    }),
  );
  fc.assert(fc.property(fc.string(), (rubbish) => parsePending(rubbish) === null));
});
