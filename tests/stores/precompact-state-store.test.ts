import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { isProjectId } from "../../src/base/project-id.ts";
import type { PrecompactState } from "../../src/resume/precompact-state.ts";
import type { ProjectPaths } from "../../src/stores/paths.ts";
import {
  lookAtPrecompactState,
  precompactStatePath,
  removePrecompactState,
  takePrecompactState,
  usedStatePath,
  writePrecompactState,
} from "../../src/stores/precompact-state-store.ts";
import { remove } from "../platform/scripts.ts";
import { project } from "./projects.ts";
import { CONFIG, put } from "./workspace-files.ts";

let paths: ProjectPaths;
let path = "";

beforeEach(() => {
  paths = project();
  path = precompactStatePath(paths, CONFIG);
  return () => remove(paths.root);
});

const NOW = new Date();

function state(session = "A"): PrecompactState {
  const id = "24-demo";
  if (!isProjectId(id)) throw new Error("no id");
  const timestamp = NOW.toISOString();
  return { active_project_id: id, confidence: "high", detection_method: "transcript", timestamp, session_id: session };
}

const write = (session = "A") => writePrecompactState(paths, path, state(session), NOW);
const take = (session = "A", now = new Date()) => takePrecompactState(paths, path, session, now);
const look = (session = "A", now = new Date()) => lookAtPrecompactState(paths, path, session, now);
const NOTHING = { ok: true, value: null };

test("lies in the system folder's cache where there is one", () => {
  expect(path).toBe(join(paths.cache, "precompact_state.json"));
  mkdirSync(join(paths.root, "00-system"));
  expect(precompactStatePath(paths, CONFIG)).toBe(join(paths.root, "00-system/.cache/precompact_state.json"));
});

describe("a state", () => {
  test("is used up by its session's first reader, and the others of the same start find it for a minute", () => {
    expect(take()).toEqual(NOTHING);
    write();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(take("B")).toEqual(NOTHING);
    expect(existsSync(path)).toBe(true);
    expect(take()).toMatchObject({ ok: true, value: { session_id: "A" } });
    expect(readdirSync(dirname(path))).toEqual(["precompact_state.used.json"]);
    expect(take()).toMatchObject({ value: { active_project_id: "24-demo" } });
    expect(take("B")).toEqual(NOTHING);
    expect(take("A", new Date(Date.now() + 61_000))).toEqual(NOTHING);
    // It is the rename that counts, not when the state was written.
    utimesSync(usedStatePath(path), new Date(0), new Date(0));
    expect(take()).toMatchObject({ value: { active_project_id: "24-demo" } });
  });

  test("is looked at without being used up, before and after it is", () => {
    write();
    expect(look()).toMatchObject({ value: { active_project_id: "24-demo" } });
    expect(look("B")).toEqual(NOTHING);
    expect(readdirSync(dirname(path))).toEqual(["precompact_state.json"]);
    take();
    expect(look()).toMatchObject({ value: { active_project_id: "24-demo" } });
    expect(look("A", new Date(Date.now() + 61_000))).toEqual(NOTHING);
  });

  test("of a session that begins anew stays while another one's used one is read", () => {
    write();
    take();
    put(paths, "session/.cache/precompact_state.json", `${JSON.stringify(state("B"))}\n`);
    // A second part of session A comes late: it reads what the first one took, and B's state is not renamed.
    expect(take()).toMatchObject({ value: { session_id: "A" } });
    expect(take("A", new Date(Date.now() + 61_000))).toEqual(NOTHING);
    expect(readdirSync(dirname(path)).sort()).toEqual(["precompact_state.json", "precompact_state.used.json"]);
    expect(take("B")).toMatchObject({ value: { session_id: "B" } });
  });

  test("that names no session is the next reader's, and is used up by it", () => {
    put(paths, "session/.cache/precompact_state.json", JSON.stringify({ ...state(), session_id: undefined }));
    expect(look("B")).toMatchObject({ value: { active_project_id: "24-demo" } });
    expect(take("B")).toMatchObject({ value: { active_project_id: "24-demo" } });
    expect(readdirSync(dirname(path))).toEqual(["precompact_state.used.json"]);
    expect(take("B")).toMatchObject({ value: { active_project_id: "24-demo" } });
    expect(take("B", new Date(Date.now() + 61_000))).toEqual(NOTHING);
  });

  test("takes what an earlier start used up away when it is written", () => {
    write();
    take();
    expect(write()).toEqual({ ok: true, value: { replaced: null } });
    expect(readdirSync(dirname(path))).toEqual(["precompact_state.json"]);
    take();
    removePrecompactState(paths, path, "A");
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test.each(["", "{", "\0", "[]", '{"project_detection":{}}', "x".repeat(70_000)])(
    "that says %j is a problem to its readers, and kept aside by its writer",
    (text) => {
      put(paths, "session/.cache/precompact_state.json", text);
      expect(take()).toMatchObject({ ok: false });
      expect(readFileSync(path, "utf8")).toBe(text);
      expect(write()).toMatchObject({ ok: true, value: { replaced: { name: expect.stringContaining(".corrupt-") } } });
      expect(take()).toMatchObject({ ok: true, value: { session_id: "A" } });
    },
  );

  test("behind a link that leads out of the project is neither read nor renamed", () => {
    const outside = project();
    const foreign = put(outside, "c/precompact_state.json", `${JSON.stringify(state())}\n`);
    symlinkSync(dirname(foreign), paths.cache);
    expect(take()).toEqual(NOTHING);
    expect(look()).toEqual(NOTHING);
    expect(readdirSync(dirname(foreign))).toEqual(["precompact_state.json"]);
    remove(outside.root);
  });
});
