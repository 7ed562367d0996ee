import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const FLOORS: [path: string, source: string, told: string][] = [
  ["src/base/planted.ts", 'import { readFileSync } from "node:fs";\nexport const read = readFileSync;\n', "pure"],
  ["src/base/planted.ts", 'import { x } from "../platform/x.ts";\nexport const y = x;\n', "ground floor"],
  ["src/base/planted.ts", "export const pid = () => process.pid;\n", "pure"],
  ["src/lifecycle/planted.ts", 'import { spawn } from "node:child_process";\nexport const run = spawn;\n', "pure"],
  ["src/lifecycle/planted.ts", 'import { x } from "../stores/x.ts";\nexport const y = x;\n', "pure"],
  ["src/context-file/rules/planted.ts", 'import { x } from "../../platform/x.ts";\nexport const y = x;\n', "pure"],
  ["src/context-file/planted.ts", 'import { x } from "../lifecycle/x.ts";\nexport const y = x;\n', "neighbours"],
  ["src/lifecycle/planted.ts", 'import { x } from "../report/x.ts";\nexport const y = x;\n', "neighbours"],
  ["src/trail/planted.ts", 'import { x } from "../session-start/x.ts";\nexport const y = x;\n', "neighbours"],
  ["src/report/planted.ts", 'import { x } from "../transcript/x.ts";\nexport const y = x;\n', "neighbours"],
  ["src/doctor/checks/planted.ts", 'import { x } from "../../stores/x.ts";\nexport const y = x;\n', "pure"],
  ["src/doctor/planted.ts", 'import { x } from "../lifecycle/x.ts";\nexport const y = x;\n', "neighbours"],
  ["src/thread/planted.ts", 'import { x } from "../base/x.ts";\nexport const y = x;\n', "stands alone"],
  ["src/platform/planted.ts", 'import { x } from "../lifecycle/x.ts";\nexport const y = x;\n', "no word of this field"],
  ["src/platform/planted.ts", 'import { x } from "../report/x.ts";\nexport const y = x;\n', "no word of this field"],
  ["src/langchain/planted.ts", 'import { x } from "../lifecycle/x.ts";\nexport const y = x;\n', "library entry"],
  ["src/stores/planted.ts", 'import { x } from "../commands/x.ts";\nexport const y = x;\n', "where things live"],
  ["src/commands/planted.ts", 'import { x } from "../cli/x.ts";\nexport const y = x;\n', "does not know them"],
  [
    "src/commands/lifecycle/planted.ts",
    'import { x } from "../../hooks/x.ts";\nexport const y = x;\n',
    "does not know them",
  ],
  ["src/commands/planted.ts", "export const env = () => process.env;\n", "comes in as an argument"],
  [
    "src/cli/planted.ts",
    'import { readFileSync } from "node:fs";\nexport const read = readFileSync;\n',
    "computes nothing",
  ],
  ["src/hooks/planted.ts", 'import { x } from "../cli/x.ts";\nexport const y = x;\n', "way in of its own"],
];

const ALLOWED: [path: string, source: string][] = [
  ["src/lifecycle/planted.ts", 'import { x } from "../base/x.ts";\nexport const y = x;\n'],
  ["src/trail/planted.ts", 'import { x } from "../transcript/x.ts";\nexport const y = x;\n'],
  ["src/report/planted.ts", 'import { x } from "../lifecycle/x.ts";\nexport const y = x;\n'],
  ["src/doctor/planted.ts", 'import { x } from "../install/x.ts";\nexport const y = x;\n'],
  ["src/langchain/planted.ts", 'import { x } from "../thread/x.ts";\nexport const y = x;\n'],
  ["src/platform/planted.ts", 'import { readFileSync } from "node:fs";\nexport const read = readFileSync;\n'],
  ["src/commands/planted.ts", 'import { x } from "../stores/x.ts";\nexport const y = x;\n'],
];

/** Two files of one room that take types from each other. */
const CIRCLE: [path: string, source: string][] = [
  ["src/projects/circle-a.ts", 'import type { B } from "./circle-b.ts";\nexport type A = B | 1;\n'],
  ["src/projects/circle-b.ts", 'import type { A } from "./circle-a.ts";\nexport type B = A | 2;\n'],
];

/** What Biome says of each planted file, by its path. */
const verdicts = new Map<string, string>();
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "context-floors-"));
  copyFileSync("biome.json", join(folder, "biome.json"));
  const planted = [...FLOORS, ...ALLOWED].map(([path, source], index) => [plantedAt(path, index), source] as const);
  for (const [path, source] of [...planted, ...CIRCLE]) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, source);
  }
  const biome = resolve("node_modules/.bin/biome");
  const { stderr, stdout } = spawnSync(biome, ["lint", "--max-diagnostics=none", "src"], {
    cwd: folder,
    encoding: "utf8",
  });
  for (const part of `${stdout}${stderr}`.split(/^(?=src\/)/m)) {
    const path = /^src\/[^:\s]+/.exec(part)?.[0];
    if (path !== undefined) verdicts.set(path, `${verdicts.get(path) ?? ""}${part}`);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function plantedAt(path: string, index: number): string {
  return path.replace("planted.ts", `planted-${index}.ts`);
}

describe("arrows between floors point down only", () => {
  test.each(FLOORS.map((row, index) => [...row, index] as const))(
    "%s is told what to do: %j",
    (path, _source, told, index) => {
      expect((verdicts.get(plantedAt(path, index)) ?? "").replace(/\s+/g, " ")).toContain(told);
    },
  );

  test.each(ALLOWED.map((row, index) => [...row, index] as const))("%s may: %j", (path, _source, index) => {
    expect(verdicts.get(plantedAt(path, FLOORS.length + index))).toBeUndefined();
  });

  test.each(CIRCLE)("%s may not need what needs it, not even for a type", (path) => {
    expect((verdicts.get(path) ?? "").replace(/\s+/g, " ")).toContain("part of a cycle");
  });

  test("the two lower floors read no clock and draw no lots", () => {
    const rooms = [
      "base",
      "config",
      "context-file",
      "doctor",
      "gate",
      "install",
      "lifecycle",
      "projects",
      "report",
      "resume",
      "session-start",
      "skills",
      "thread",
      "trail",
      "transcript",
      "workspace",
    ];
    const offenders = rooms.flatMap((room) =>
      sources(join("src", room)).filter((path) =>
        /\bDate\.now\(|new Date\(\)|Math\.random\(/.test(readFileSync(path, "utf8")),
      ),
    );
    expect(offenders).toEqual([]);
    expect(/\bDate\.now\(|new Date\(\)|Math\.random\(/.test("const now = new Date();")).toBe(true);
  });
});

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
}
