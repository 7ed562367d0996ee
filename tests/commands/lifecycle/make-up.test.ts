import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { CommandContext } from "../../../src/commands/command-context.ts";
import { makeUp } from "../../../src/commands/lifecycle/make-up.ts";
import type { StoredMachine } from "../../../src/lifecycle/snapshot.ts";
import { createMachine } from "../../../src/stores/machine-store.ts";
import type { ProjectPaths } from "../../../src/stores/paths.ts";
import { notesFolder, type PendingStep, pendingId, writePending } from "../../../src/stores/pending-store.ts";
import { awayMachines, type SharedMachines } from "../../../src/stores/shared-machines.ts";
import { remove } from "../../platform/scripts.ts";
import { NOW, project, role } from "../../stores/projects.ts";

let paths: ProjectPaths;
let told: string[];

beforeEach(() => {
  paths = project();
  told = [];
  return () => remove(paths.root);
});

const ROLE = role();
const STEP: PendingStep = {
  ...{ role: ROLE, at: NOW.toISOString(), by: "session-start", create: true, from: null, events: ["COMPACTED"] },
  ...{ session_id: null, source: null, owner: "note", process: null, pane: null },
  ...{ context_sha256: null, saved_at: null, branch: null, commit: null, context_bytes: null },
};

const context = (): CommandContext => ({
  ...{ paths, env: {}, cwd: paths.root, now: () => new Date() },
  ...{ build: null, installation: "here", invokedAs: "context" },
});

/** A store that takes every step. */
function store(): SharedMachines {
  const away = awayMachines({ problem: "unreachable", path: "x", message: "is a test" }, "note");
  return {
    ...away,
    transact: async (_role, { once }, work) => {
      told.push(once ?? "");
      return { ok: true, value: work(null, null).result };
    },
  };
}

/** As many notes, a millisecond apart; their names in their order. */
function note(count: number): readonly string[] {
  return Array.from({ length: count }, (_unused, index) => {
    const id = pendingId(new Date(NOW.getTime() + index));
    expect(writePending(paths, { id, step: STEP })).toMatchObject({ ok: true });
    return id;
  });
}

test("tells all that was noted, in its order, and has none left", async () => {
  const ids = note(3);
  const made = await makeUp(context(), store());
  expect(made).toEqual({ said: ["3 steps that had been noted are told to the store."], left: 0 });
  expect(told).toEqual(ids);
  expect(readdirSync(notesFolder(paths))).toEqual([]);
});

test("leaves for later what it has no time for, and says how many", async () => {
  const ids = note(3);
  const made = await makeUp(context(), store(), 0);
  expect(made).toEqual({ said: ["3 steps that had been noted wait on: there are many."], left: 3 });
  expect(told).toEqual([]);
  expect(readdirSync(notesFolder(paths))).toEqual(ids.map((id) => `${id}.json`));
  expect((await makeUp(context(), store())).left).toBe(0);
  expect(told).toEqual(ids);
});

test("removes what a hook left that was killed while it wrote a note", async () => {
  note(1);
  const left = join(notesFolder(paths), ".000000000000001-1-a-1b.json.999999999-x-1y.tmp");
  writeFileSync(left, "half");
  await makeUp(context(), store());
  expect(readdirSync(notesFolder(paths))).toHaveLength(1);
  utimesSync(left, 1, 1);
  note(1);
  await makeUp(context(), store());
  expect(readdirSync(notesFolder(paths))).toEqual([]);
});

test("keeps when a file was saved that a noted compaction found as it was", async () => {
  const sha = "a".repeat(64);
  const fresh = createMachine(paths, ROLE, NOW);
  const savedAt = "2026-01-03T09:00:00.000Z";
  const found: StoredMachine = { ...fresh, record: { ...fresh.record, contextSha256: sha, savedAt, branch: "main" } };
  const events = ["SAVE", "CONTEXT_VALID", "COMPACT"] as const;
  const saves: unknown[] = [];
  for (const seen of [sha, "b".repeat(64)]) {
    const step = { ...STEP, events, context_sha256: seen, saved_at: NOW.toISOString(), branch: "side" };
    expect(writePending(paths, { id: pendingId(NOW), step })).toMatchObject({ ok: true });
    await makeUp(context(), {
      ...store(),
      transact: async (_role, _options, work) => {
        const { update, result } = work(found, null);
        saves.push([update?.stored.record.savedAt, update?.stored.record.branch]);
        return { ok: true, value: result };
      },
    });
  }
  expect(saves).toEqual([
    [savedAt, "main"],
    [NOW.toISOString(), "side"],
  ]);
});
