import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CommandContext } from "../../../src/commands/command-context.ts";
import { lifecycleStatus } from "../../../src/commands/lifecycle/status.ts";
import { reportJson } from "../../../src/commands/report-json.ts";
import { startSession } from "../../../src/commands/session-start/begin.ts";
import type { RoleName } from "../../../src/lifecycle/role.ts";
import { readMachine } from "../../../src/stores/machine-store.ts";
import type { ProjectPaths } from "../../../src/stores/paths.ts";
import { recallStart } from "../../../src/stores/start-memo.ts";
import { contextText } from "../../helpers/context-text.ts";
import { need } from "../../helpers/need.ts";
import { remove } from "../../platform/scripts.ts";
import { project, role, stepOnward } from "../../stores/projects.ts";

const ROLE = role("oosh-expert");
/** Long after everything that is written here: a change of this moment counts as an old one. */
const LATER = new Date(Date.now() + 3_600_000);
/** Longer than a step of the file system's clock. */
const TICK_MS = 15;

type Text = (seed: number) => string | Uint8Array;

/** What is no text, and what only a full reader takes, turn up now and then. */
const SKILL: readonly Text[] = [
  (seed) => `---\nname: skill-${seed % 5}\ndescription: Does ${seed % 100}.\n---\n`,
  (seed) => `---\nname: a\ndescription: Does ${seed % 10} more.\n---\n`,
  (seed) => `---\nname: a\ndescription: >\n  Folded\n  ${seed}.\n---\n`,
  (seed) => (seed % 4 === 0 ? "---\nname: [a\n---\n" : "---\ndescription: Nameless.\n---\n"),
];
const STEPS: readonly Text[] = [
  (seed) => `## Phase 1: A\n- [${seed % 2 === 0 ? "x" : " "}] a\n## Phase 2: B\n- [ ] b${seed % 100}\n`,
  (seed) => `- [ ] c${seed % 10}\n`.repeat(1 + (seed % 4)),
  (seed) => `\`\`\`\n- [ ] no box\n\`\`\`\n- [ ] d${seed}\n`,
  (seed) => (seed % 8 === 0 ? new Uint8Array([0xff, seed % 256]) : ""),
];
const OVERVIEW: readonly Text[] = [
  (seed) => `---\nname: N${seed % 10}\nstatus: ${seed % 3 === 0 ? "COMPLETE" : "IN_PROGRESS"}\n---\n`,
  (seed) => `# Title ${seed % 100}\n`,
  (seed) => `---\nname: >\n  Folded ${seed % 10}\n---\n`,
  (seed) => `---\nname: N${seed % 10}\n${seed % 2 === 0 ? "" : "status: [\n---\n"}`,
];
const PLAIN: readonly Text[] = [(seed) => `- Line ${seed % 100}\n`, (seed) => `# Other\n\n- ${seed}\n`];
const CONTEXT: readonly Text[] = [
  (seed) => contextText({ role: ROLE, more: [`Line ${seed % 100}`] }),
  (seed) => (seed % 3 === 0 ? "# Nothing\n" : contextText({ role: ROLE })),
];
const CONFIG: readonly Text[] = [
  (seed) => `tone: ${seed % 2 === 0 ? "plain" : "firm"}\n`,
  () => "recovery:\n  architecture: 03-skills/a/SKILL.md\n",
  () => "recovery:\n  architecture: 02-projects/20-a/01-planning/04-steps.md\n",
  () => "recovery:\n  architecture: 03-skills\n",
];

const SKILLS = ["03-skills/a", "03-skills/b", "03-skills/pack/c", "03-skills/git-connect", "00-system/skills/core/x"];
const PROJECTS = ["02-projects/20-a", "02-projects/21-b", "02-projects/22-c"];
/** Those that a start looks at: of any other, moved whole and linked to, the files are what they were, and say what they said. */
const FOLDERS = [...SKILLS, ...PROJECTS, "03-skills", "03-skills/pack", "02-projects", "session/agents"];
const PLANS: readonly (readonly [string, readonly Text[]])[] = [
  ["01-overview.md", OVERVIEW],
  ["overview.md", OVERVIEW],
  ["04-steps.md", STEPS],
  ["steps.md", STEPS],
  ["_resume.md", OVERVIEW],
];
const FILES: readonly (readonly [string, readonly Text[]])[] = [
  ...SKILLS.map((folder) => [`${folder}/SKILL.md`, SKILL] as const),
  ...PROJECTS.flatMap((folder) => PLANS.map(([name, texts]) => [`${folder}/01-planning/${name}`, texts] as const)),
  ["01-memory/goals.md", PLAIN],
  ["04-workspace/workspace-map.md", PLAIN],
  ["00-system/core/orchestrator.md", PLAIN],
  [`.claude/agents/${ROLE}/SKILL.md`, PLAIN],
  [`session/agents/${ROLE}.context.md`, CONTEXT],
  ["context.yaml", CONFIG],
];

interface Change {
  readonly kind: keyof typeof KINDS;
  /** Which file, and which other one; what is written. */
  readonly one: number;
  readonly other: number;
  readonly seed: number;
}

interface Site extends Change {
  readonly paths: ProjectPaths;
  readonly file: string;
  readonly otherFile: string;
  readonly folder: string;
  readonly otherFolder: string;
  readonly text: string | Uint8Array;
}

/** With one time of writing for all, so that it tells nothing. */
function put(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, 1, 1);
}

function isLink(path: string): boolean {
  return lstatSync(path).isSymbolicLink();
}

/** Each may find that what it would change is not there: then nothing happens. */
const KINDS = {
  write: ({ file, text }: Site) => put(file, text),
  replace: ({ file, text }: Site) => {
    put(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  },
  likeBefore: ({ file, seed }: Site) => {
    const { atime, mtime } = statSync(file);
    const bytes = readFileSync(file);
    bytes.subarray(-3, -2).fill(0x61 + (seed % 26));
    writeFileSync(file, bytes);
    utimesSync(file, atime, mtime);
  },
  remove: ({ file }: Site) => rmSync(file, { recursive: true }),
  touch: ({ file, seed }: Site) => utimesSync(file, seed, seed),
  chmod: ({ file, seed }: Site) => chmodSync(file, seed % 2 === 0 ? 0o600 : 0o644),
  swap: ({ file, otherFile }: Site) => {
    renameSync(file, `${file}.tmp`);
    if (existsSync(otherFile)) renameSync(otherFile, file);
    renameSync(`${file}.tmp`, otherFile);
  },
  hardLink: ({ file, otherFile }: Site) => {
    statSync(otherFile);
    rmSync(file);
    linkSync(otherFile, file);
  },
  link: ({ file, otherFile, seed }: Site) => {
    statSync(otherFile);
    rmSync(file);
    symlinkSync(seed % 8 === 0 ? "/etc/hostname" : otherFile, file);
  },
  move: ({ folder, otherFolder }: Site) => {
    if (!existsSync(otherFolder)) renameSync(folder, otherFolder);
  },
  linkFolder: ({ folder, otherFolder }: Site) => {
    if (!existsSync(folder) && existsSync(otherFolder)) symlinkSync(otherFolder, folder);
  },
  removeFolder: ({ folder, seed }: Site) => {
    if (seed % 4 === 0) rmSync(folder, { recursive: true });
  },
  /** Out of the project, with a link in its place; the next time back. */
  away: ({ paths, folder, seed }: Site) => {
    if (isLink(folder)) {
      const elsewhere = readlinkSync(folder);
      rmSync(folder);
      renameSync(elsewhere, folder);
      return;
    }
    if (seed % 4 !== 0) return;
    const elsewhere = join(`${paths.root}.elsewhere`, String(seed));
    mkdirSync(dirname(elsewhere), { recursive: true });
    renameSync(folder, elsewhere);
    symlinkSync(elsewhere, folder);
  },
  step: ({ paths }: Site) => {
    stepOnward(paths, ROLE);
  },
} satisfies Record<string, (site: Site) => void>;

const WEIGHTS = { write: 8, replace: 3, likeBefore: 3, remove: 2, touch: 2, swap: 2, step: 2 };

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.oneof(
    ...Object.keys(KINDS)
      .filter((kind): kind is keyof typeof KINDS => kind in KINDS)
      .map((kind) => ({
        weight: Object.entries(WEIGHTS).find(([name]) => name === kind)?.[1] ?? 1,
        arbitrary: fc.constant(kind),
      })),
  ),
  one: fc.nat(FILES.length * FOLDERS.length - 1),
  other: fc.nat(FILES.length * FOLDERS.length - 1),
  seed: fc.nat(100_000),
});

/**
 * Made last, of what is there: a link to nowhere in the place of nothing is no change, as a look has it, and only a start that
 * reads all of it says a word about such a link.
 */
function isLinking({ kind }: Change): boolean {
  return kind === "link" || kind === "linkFolder";
}

function apply(paths: ProjectPaths, made: Change): void {
  const [file = "", texts = []] = FILES[made.one % FILES.length] ?? [];
  const [otherFile = ""] = FILES[made.other % FILES.length] ?? [];
  const at = (name: string): string => join(paths.root, name);
  const text = texts[made.seed % texts.length]?.(made.seed >> 3) ?? "";
  const folder = at(FOLDERS[made.one % FOLDERS.length] ?? "");
  const otherFolder = at(FOLDERS[made.other % FOLDERS.length] ?? "");
  try {
    KINDS[made.kind]({ ...made, paths, file: at(file), otherFile: at(otherFile), folder, otherFolder, text });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function filled(): ProjectPaths {
  const paths = project();
  for (const [index, [name, texts]] of FILES.entries()) {
    if (name !== "context.yaml" && index % 4 !== 3) put(join(paths.root, name), texts[0]?.(index) ?? "");
  }
  for (const name of [ROLE, role("other")]) stepOnward(paths, name);
  return paths;
}

function contextOf(paths: ProjectPaths): CommandContext {
  const world = { env: {}, cwd: paths.root, now: () => LATER, build: "b", installation: "here", invokedAs: "context" };
  return { ...world, paths };
}

const START = {
  source: "startup",
  sessionId: "5e551041",
  transcriptPath: null,
  part: null,
  whole: false,
  probe: false,
  pinned: true,
};

/** All that a start says and leaves, and what a status says, in one of its forms. */
async function answers(paths: ProjectPaths, name: RoleName | null, form: number) {
  const start = await startSession(contextOf(paths), { ...START, cwd: paths.root, role: name, misnamed: null });
  const kept = ["session-start.xml", "session-start.json"].map((file) => readFileSync(join(paths.cache, file), "utf8"));
  const status = { role: undefined, filter: undefined, unsaved: false };
  const json = form >= 2;
  const report = await lifecycleStatus(contextOf(paths), { ...status, brief: form % 2 === 1, json });
  const { outcome, notes, problem, parts } = report;
  const said = json ? (report.document ?? reportJson(report)) : parts;
  return { start, kept, status: { outcome, notes, problem, said } };
}

const steps = fc.array(
  fc.record({ changes: fc.array(change, { maxLength: 3 }), ofRole: fc.boolean(), form: fc.nat(3) }),
  { minLength: 6, maxLength: 12 },
);

test("a start and a status say the same with what is remembered as without it, whatever changes in between", async () => {
  const seen = { same: 0, changed: 0, anew: 0 };
  const property = fc.asyncProperty(steps, async (all) => {
    const paths = filled();
    const aside = `${paths.cache}.aside`;
    try {
      for (const { changes, ofRole, form } of all) {
        await sleep(TICK_MS);
        for (const made of changes.toSorted((a, b) => Number(isLinking(a)) - Number(isLinking(b)))) apply(paths, made);
        const name = ofRole ? ROLE : null;
        // A start of the role's frees one that was left compacting, and says so once.
        if (ofRole && need(readMachine(paths, ROLE))?.record.state === "compacting") stepOnward(paths, ROLE);
        const { source, sessionId } = START;
        const key = { build: "b", source, sessionLength: sessionId.length, role: name, mismatch: null };
        const more = { parts: null, invokedAs: "context", keepsDocument: true };
        seen[recallStart(paths, { ...key, ...more })?.kind ?? "anew"] += 1;
        const remembered = await answers(paths, name, form);
        renameSync(paths.cache, aside);
        const anew = await answers(paths, name, form);
        remove(paths.cache);
        renameSync(aside, paths.cache);
        expect(remembered).toEqual(anew);
      }
    } finally {
      remove(paths.root);
      remove(`${paths.root}.elsewhere`);
    }
  });
  // A number of runs in the variable makes it look further, on other ways each time.
  const { CONTEXT_TEST_RUNS: asked } = process.env;
  const runs = Number(asked ?? 12);
  await fc.assert(property, { numRuns: runs, ...(asked === undefined ? { seed: 1 } : {}) });
  // Else it would say nothing.
  expect(Math.min(seen.same, seen.changed, seen.anew)).toBeGreaterThan(runs / 2);
});
