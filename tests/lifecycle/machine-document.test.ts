import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { HistoryEntry } from "../../src/lifecycle/advance.ts";
import {
  formatDocument,
  lifecycleExportJsonSchema,
  type MovedMachine,
  parseDocument,
} from "../../src/lifecycle/machine-document.ts";
import { lifecycleStatusJsonSchema, lifecycleTransitionJsonSchema } from "../../src/lifecycle/status-schema.ts";
import { FULL, role, stored } from "./records.ts";

const LINE: HistoryEntry = {
  revision: 16,
  at: "2026-02-03T12:15:00.000Z",
  event: "SAVE",
  from: "active",
  to: "saving",
  by: "lifecycle.save",
  session_id: null,
};
const SAVED: HistoryEntry = { ...LINE, revision: 17, event: "CONTEXT_VALID", from: "saving", to: "saved" };
const MOVED: MovedMachine = {
  record: stored(FULL).record,
  history: [LINE, { ...SAVED, session_id: "s", context_bytes: 12 }],
};
const OTHER: MovedMachine = { record: { ...stored().record, role: role("tester") }, history: [] };

/** The document with one part of its only machine replaced. */
function changed(part: Readonly<Record<string, unknown>>): string {
  const document = JSON.parse(formatDocument([MOVED]));
  Object.assign(document.machines[0], part);
  return JSON.stringify(document);
}

describe("an export of machines", () => {
  test("gives back every value of a machine and its history", () => {
    const named = { ...OTHER, record: { ...OTHER.record, branch: "a\uFEFFb" } };
    expect(parseDocument(formatDocument([MOVED, named]))).toStrictEqual({ ok: true, value: [MOVED, named] });
    expect(parseDocument(formatDocument([]))).toEqual({ ok: true, value: [] });
  });

  test("has the same bytes for the same machines, over several lines, and may come with a BOM", () => {
    const text = formatDocument([MOVED]);
    const read = parseDocument(`\uFEFF${text}`);
    expect(read.ok ? formatDocument(read.value) : read.error).toBe(text);
    expect(text.startsWith('{\n  "schema_version": 1,\n  "kind": "lifecycle-export",\n')).toBe(true);
    expect(text.endsWith("}\n")).toBe(true);
  });

  test("of the original tool's machines does not say since when", () => {
    const record = { ...stored().record, since: null };
    expect(parseDocument(formatDocument([{ record, history: [] }]))).toEqual({
      ok: true,
      value: [{ record, history: [] }],
    });
  });

  test.each([
    ["no JSON", "{", "is no JSON"],
    ["a newer version", '{"schema_version":2}', "was written by a newer version: schema_version 2, this one reads 1"],
    ["another version", '{"schema_version":"2"}', "is no export of machines at schema_version: "],
    ["no object", "null", "is no export of machines: "],
    ["another state", changed({ state: "asleep" }), "is no export of machines at machines.0.state: "],
    ["no name of a role", changed({ role: "../x" }), "is no export of machines at machines.0: "],
    [
      "a history that goes back",
      changed({ history: [SAVED, LINE] }),
      "at machines.0: revision 16 of the history follows 17",
    ],
    ["a history that repeats", changed({ history: [LINE, LINE] }), "revision 16 of the history follows 16"],
    [
      "a history beyond the machine",
      changed({ history: [{ ...SAVED, revision: 18 }] }),
      "the history goes to revision 18, the machine to 17",
    ],
    ["a day that is none", changed({ since: "yesterday" }), "is no export of machines at machines.0: its machine "],
    ["a role twice", formatDocument([OTHER, MOVED, OTHER]), "names tester twice"],
  ])("with %s is refused, with the place of what is wrong", (_, text, told) => {
    const read = parseDocument(text);
    expect(read.ok ? "" : read.error).toContain(told);
  });
});

test.each([
  ["lifecycle_export_v1.json", lifecycleExportJsonSchema],
  ["lifecycle_status_v1.json", lifecycleStatusJsonSchema],
  ["lifecycle_transition_v1.json", lifecycleTransitionJsonSchema],
])("schemas/%s is what the source makes", (name, make) => {
  const shipped: unknown = JSON.parse(readFileSync(new URL(`../../schemas/${name}`, import.meta.url), "utf8"));
  expect(shipped).toEqual(JSON.parse(JSON.stringify(make())));
});
