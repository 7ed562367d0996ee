import { rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { parseRole, type RoleName } from "../../src/lifecycle/role.ts";
import { type FleetMemory, openFleetMemory } from "../../src/stores/fleet-memory.ts";
import type { ProjectPaths } from "../../src/stores/paths.ts";
import { markRoles } from "../../src/stores/role-marks.ts";
import { need } from "../helpers/need.ts";
import { remove } from "../platform/scripts.ts";
import { project } from "./projects.ts";
import { put } from "./workspace-files.ts";

let paths: ProjectPaths;

beforeEach(() => {
  paths = project();
  return () => remove(paths.root);
});

/** Long after everything that a test writes. */
const LATER = Date.now() + 60_000;

interface Look {
  readonly build?: string;
  readonly width?: number;
  readonly began?: number;
}

/** Looks at the files of roles, and opens what is remembered of them. */
function open(options: Look = {}, names: readonly RoleName[] = NAMES, contextFiles = true): FleetMemory {
  const marks = markRoles(paths, names, contextFiles);
  return openFleetMemory(paths, { build: "1", width: 2, began: LATER, marks, ...options });
}

function role(name: string): RoleName {
  return need(parseRole(name));
}

const NAMES = ["a", "b-c", "d"].map(role);
const machine = (name: string): string => `session/stateMachines/${name.replaceAll("-", "_")}.states.env`;
const contextFile = (name: string): string => `session/agents/${name}.context.md`;

function write(): void {
  for (const name of NAMES) {
    put(paths, machine(name), `state of ${name}`);
    put(paths, contextFile(name), `context of ${name}`);
  }
}

/** Looks at all roles as a status does, and says of which it had to read the files. */
function look(memory: FleetMemory, names: readonly RoleName[] = NAMES): readonly string[] {
  const read = names.filter((name, index) => {
    const at = memory.recall(name, index);
    if (at !== null) {
      expect(memory.values.slice(at, at + 2)).toEqual([name, true]);
      return false;
    }
    memory.remember(name, index, [name, true]);
    return true;
  });
  memory.save();
  return read;
}

describe("the memory of a fleet", () => {
  test("spares the reading of files that are what they were", () => {
    write();
    expect(look(open())).toEqual(NAMES);
    expect(look(open())).toEqual([]);
  });

  test("believes nothing of a role whose machine or context file changed, though size and time of writing are put back", () => {
    write();
    look(open());
    for (const path of [machine("a"), contextFile("d")]) {
      const full = join(paths.root, path);
      const { atime, mtime, size } = statSync(full);
      writeFileSync(full, "x".repeat(size));
      utimesSync(full, atime, mtime);
    }
    expect(look(open())).toEqual(["a", "d"]);
    rmSync(join(paths.root, contextFile("b-c")));
    expect(look(open())).toEqual(["b-c"]);
    expect(look(open())).toEqual([]);
  });

  test("forgets roles that are gone and takes in new ones, wherever they stand among the others", () => {
    write();
    look(open());
    const others = ["a-0", "c", "d", "e"].map(role);
    for (const name of others.filter((other) => !NAMES.includes(other))) put(paths, machine(name), name);
    expect(look(open({}, others), others)).toEqual(["a-0", "c", "e"]);
    expect(look(open({}, others), others)).toEqual([]);
    expect(look(open())).toEqual(["a", "b-c"]);
  });

  test("keeps nothing of what changed within the two seconds before the look: the next change may look the same", () => {
    write();
    expect(look(open({ began: Date.now() + 1000 }))).toEqual(NAMES);
    expect(look(open())).toEqual(NAMES);
    // Of a file that is not there the folder tells.
    look(open());
    rmSync(join(paths.root, contextFile("a")));
    expect(look(open({ began: Date.now() + 1000 }))).toEqual(["a"]);
    expect(look(open())).toEqual(["a"]);
    expect(look(open())).toEqual([]);
  });

  test("is asked about the machines alone, whose context files may have changed", () => {
    write();
    look(open());
    put(paths, contextFile("a"), "changed");
    put(paths, machine("d"), "changed");
    const brief = open({}, NAMES, false);
    expect(NAMES.map((name, index) => brief.recall(name, index) !== null)).toEqual([true, true, false]);
    // Half a look is not remembered.
    brief.remember(role("d"), 2, ["d", true]);
    brief.save();
    expect(look(open())).toEqual(["a", "d"]);
  });

  test("is another version's, another width's or a stranger's as good as none", () => {
    write();
    look(open());
    expect(look(open({ build: "2" }))).toEqual(NAMES);
    const path = join(paths.cache, "status.json");
    for (const text of ["", "{", "[]", "null", '{"version":3,"build":"1"}', '{"version":3,"build":"1","values":[1]}']) {
      writeFileSync(path, text);
      expect(look(open())).toEqual(NAMES);
    }
    const wider = open({ width: 3 });
    expect(NAMES.map((name, index) => wider.recall(name, index))).toEqual([null, null, null]);
  });
});
