import { expect, test } from "vitest";
import { contextText } from "../helpers/context-text.ts";
import { makeWorkspace } from "../helpers/workspace.ts";

const ROLES = ["role-a", "role-b", "role-c", "role-d", "role-e"];
const SAVES_EACH = 4;

test("twenty saves of five roles at once lose nothing and leave nothing behind", async () => {
  const workspace = makeWorkspace();
  for (const role of ROLES) workspace.role(role, contextText({ role }));
  const all = await Promise.all(
    ROLES.flatMap((role) =>
      Array.from(
        { length: SAVES_EACH },
        () => workspace.start(["lifecycle.save", role], { cwd: workspace.root }).ended,
      ),
    ),
  );
  const done = all.filter(({ code }) => code === 0).length;
  // On a machine that is busy enough one may wait longer than it may, and say so.
  for (const { code, stderr } of all) if (code !== 0) expect({ code, stderr }).toMatchObject({ code: 4 });
  expect(done).toBeGreaterThanOrEqual(ROLES.length);

  let saves = 0;
  for (const role of ROLES) {
    const history: unknown = JSON.parse(workspace.context(`lifecycle.history ${role} --json`).stdout);
    const entries = entriesOf(history);
    expect(history).toMatchObject({ broken_lines: 0 });
    expect(entries.map(({ revision }) => revision)).toEqual(entries.map((_entry, index) => index + 1));
    expect(entries.map(({ event }) => event)).toEqual(
      entries.map((_entry, index) => (index % 2 === 0 ? "SAVE" : "CONTEXT_VALID")),
    );
    expect(workspace.state(role)).toMatchObject({ CURRENT: "saved", REVISION: String(entries.length) });
    saves += entries.length / 2;
  }
  expect(saves).toBe(done);
  expect(workspace.list("session/stateMachines")).toEqual(
    ROLES.flatMap((role) => {
      const machine = role.replace("-", "_");
      return [`${machine}.history.jsonl`, `${machine}.states.env`];
    }),
  );
});

test("saves, recoveries, hooks and readers of one role at once each see a whole state", async () => {
  const workspace = makeWorkspace();
  workspace.role("role-a", contextText({ role: "role-a" }));
  workspace.context("lifecycle.init role-a");
  const env = { HIVEMIND_ROLE: "role-a" };
  const lines = [
    ["lifecycle.save", "role-a"],
    ["lifecycle.recover", "role-a"],
    ["lifecycle.status", "--json"],
    ["lifecycle.history", "role-a", "--json"],
    ["pre-compact"],
    ["recover", "role-a"],
  ];
  const all = await Promise.all(
    [...lines, ...lines].map((words) => {
      const { child, ended } = workspace.start(words, { cwd: workspace.root, env });
      child.stdin?.end("{}");
      return ended.then((ran) => ({ words: words.join(" "), ...ran }));
    }),
  );
  for (const { words, code, stdout } of all) {
    // A save is refused between a compaction and the recovery; nothing else is.
    expect(words === "lifecycle.save role-a" ? [0, 1, 4] : words === "pre-compact" ? [0] : [0, 4], words).toContain(
      code,
    );
    if (words.endsWith("--json")) expect(JSON.parse(stdout)).toMatchObject({ ok: true });
  }
  const history: unknown = JSON.parse(workspace.context("lifecycle.history role-a --json").stdout);
  const revisions = entriesOf(history).map(({ revision }) => revision);
  expect(revisions).toEqual(revisions.map((_revision, index) => index + 1));
  expect(workspace.state("role-a").REVISION).toBe(String(revisions.length));
  expect(workspace.list("session/stateMachines")).toEqual(["role_a.history.jsonl", "role_a.states.env"]);
});

test("of those who make one context file at once, one does, and the others leave it as it is", async () => {
  const workspace = makeWorkspace();
  const names = ["one", "two", "three", "four", "five", "six"];
  const all = await Promise.all(
    names.map(
      (name) => workspace.start(["new", "role-a", "--description", name], { cwd: workspace.root, env: {} }).ended,
    ),
  );
  const made = names.filter((_name, index) => all[index]?.code === 0);
  expect(made).toHaveLength(1);
  expect(workspace.read("session/agents/role-a.context.md")).toContain(`role-a (${made[0]})`);
  for (const { code, stderr } of all) if (code !== 0) expect({ code, stderr }).toMatchObject({ code: 1 });
  expect(workspace.list("session/agents")).toEqual(["role-a.context.md"]);
});

function entriesOf(history: unknown): readonly { readonly revision: unknown; readonly event: unknown }[] {
  if (typeof history !== "object" || history === null || !("entries" in history)) return [];
  return Array.isArray(history.entries) ? history.entries : [];
}
