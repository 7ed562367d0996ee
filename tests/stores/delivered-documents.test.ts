import { beforeEach, expect, test } from "vitest";
import { deliveredIn } from "../../src/stores/delivered-documents.ts";
import type { ProjectPaths } from "../../src/stores/paths.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { remove } from "../platform/scripts.ts";
import { project } from "./projects.ts";
import { put } from "./workspace-files.ts";

let paths: ProjectPaths;

beforeEach(() => {
  paths = project();
  return () => remove(paths.root);
});

const document = (id: string, part: number): string => `<nexus-context version="1" id="${id}" part="${part}">\n`;
const told = (content: unknown, type = "hook_additional_context") => ({
  type: "attachment",
  attachment: { type, content },
});

function delivered(log: SessionLog, behind = ""): readonly string[] {
  return [...deliveredIn(put(paths, "client/s.jsonl", log.text() + behind))];
}

test("a session holds the documents that it was told since its last compaction, alone or several at once", () => {
  const log = new SessionLog("/w").add(told([document("0a1b2c3d", 1), document("0a1b2c3d", 2)]));
  expect(delivered(log)).toEqual(["0a1b2c3d/1", "0a1b2c3d/2"]);
  expect(delivered(log.prompt("go").add(told(document("4e5f6071", 1))))).toHaveLength(3);
  expect(delivered(log.compacted())).toEqual([]);
  expect(delivered(log.add(told(document("4e5f6071", 1))))).toEqual(["4e5f6071/1"]);
});

test("what is no document of ours, was told by no hook, or is half written is none", () => {
  const log = new SessionLog("/w")
    .add(told(["Good morning.", 7, null, `as in ${document("0a1b2c3d", 1)}`]))
    .add(told(document("0a1b2c3d", 1), "file"))
    .add(told(undefined))
    .add({ type: "attachment", attachment: "hook_additional_context" })
    .prompt(document("0a1b2c3d", 1))
    .raw("[]");
  const half = JSON.stringify(told(document("0a1b2c3d", 1))).slice(0, -3);
  expect(delivered(log, half)).toEqual([]);
  expect([...deliveredIn(`${paths.root}/none.jsonl`)]).toEqual([]);
});
