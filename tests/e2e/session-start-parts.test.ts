import { existsSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../src/base/token-estimate.ts";
import { addProject, addSession, makeAcme, preCompactPayload } from "../helpers/acme-project.ts";
import type { RunOptions } from "../helpers/run-program.ts";
import { SessionLog } from "../helpers/session-log.ts";
import {
  decisionOf,
  documentIn,
  first,
  OWN,
  runStart,
  SESSION,
  type StartOptions,
  startDocument,
  startParts,
  text,
} from "../helpers/session-start.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";
import { all, one, type Read, readDocument } from "../session-start/read-document.ts";

const WHOLE = "session/.cache/session-start.xml";
const CAP = 10_000;

/** More of everything than any budget holds. */
function large(): Workspace {
  const workspace = makeWorkspace();
  workspace.write(
    "00-system/core/orchestrator.md",
    `# Orchestrator\n\n${"Route the user & <never> wait.\n".repeat(14_000)}`,
  );
  workspace.write("01-memory/goals.md", `# Goals\n\n${"- a goal of some length\n".repeat(40)}`);
  for (let index = 0; index < 60; index++) {
    const id = `${String(index + 10)}-project-number-${index}`;
    const name = `Project ${index} <&> 漢字`;
    workspace.write(`02-projects/${id}/01-planning/01-overview.md`, `---\nname: "${name}"\nstatus: IN_PROGRESS\n---\n`);
    workspace.write(`02-projects/${id}/01-planning/04-steps.md`, "- [x] begin\n- [ ] go on with the thing at hand\n");
  }
  const skill = (folder: string, index: number) => {
    const name = folder.slice(folder.lastIndexOf("/") + 1);
    const description = `Load when the user mentions "${name}". It does thing number ${index} well, & no other.`;
    workspace.write(`${folder}/SKILL.md`, `---\nname: ${name}\ndescription: '${description}'\n---\n\n# ${name}\n`);
  };
  skill("00-system/skills/group-0/plan-project", 0);
  for (let index = 1; index < 150; index++) skill(`00-system/skills/group-${index % 6}/system-skill-${index}`, index);
  for (let index = 0; index < 100; index++) skill(`03-skills/user-skill-${index}`, index);
  for (let index = 0; index < 50; index++) skill(`03-skills/tools/service-${index}-connect`, index);
  return workspace;
}

/** The documents of a start in parts, in order; every process printed one document or nothing. */
async function documents(workspace: Workspace, of: number, options: StartOptions = {}): Promise<readonly string[]> {
  const ran = await startParts(workspace, of, options);
  const printed = ran.map(({ stdout }) => stdout);
  const count = printed.indexOf("");
  const used = count === -1 ? printed : printed.slice(0, count);
  // A gap would be a part that the client never gets.
  expect(printed.slice(used.length).every((stdout) => stdout === "")).toBe(true);
  return used.map(documentIn);
}

function expectOneSet(
  xmls: readonly string[],
  limits: { readonly of: number; readonly cap: number; readonly tokens: number },
): readonly Read[] {
  const roots = xmls.map(readDocument);
  for (const [index, root] of roots.entries()) {
    expect(root.attributes).toMatchObject({ part: String(index + 1), of: String(limits.of), version: "v4" });
    // Those behind it print nothing.
    const isLast = index + 1 === xmls.length && xmls.length < limits.of;
    expect(root.attributes.last).toBe(isLast ? "true" : undefined);
    expect(root.attributes.id).toBe(roots[0]?.attributes.id);
    expect(xmls[index]?.length).toBeLessThanOrEqual(limits.cap);
  }
  expect(xmls.reduce((sum, xml) => sum + estimateTokens(xml), 0)).toBeLessThanOrEqual(limits.tokens);
  return roots;
}

/** Sections that stand whole or not at all. */
const FIXED = [
  "session",
  "core-routing",
  "state",
  "stats",
  "action",
  "suggested-next-actions",
  "instruction",
  "omitted",
];

describe("a workspace that is too large", () => {
  test("is printed for people as a whole, or the part that they ask for", async () => {
    const workspace = large();
    const xmls = await documents(workspace, 4);
    const printed = (...words: string[]) => runStart(workspace, { words: ["--print", ...words] }).stdout;
    expect(printed().length).toBeGreaterThan(CAP);
    expect([1, 2, 3, 4].map((part) => printed("--part", `${part}/4`))).toEqual(xmls.map((xml) => `${xml}\n`));
    expect(printed("--part", "30/30")).toBe("");
  });

  test("is delivered in parts that agree, what matters first, and everything left out is counted and named", async () => {
    const workspace = large();
    const xmls = await documents(workspace, 4);
    expect(await documents(workspace, 4)).toEqual(xmls);
    const roots = expectOneSet(xmls, { of: 4, cap: CAP, tokens: 20_000 });
    expect(roots.length).toBe(4);
    const sections = roots.flatMap(({ children }) => children);
    for (const name of FIXED.filter((each) => sections.some((section) => section.name === each))) {
      expect(
        sections.filter((section) => section.name === name),
        name,
      ).toHaveLength(1);
    }
    for (const name of ["instruction", "action", "active-projects", "core-routing", "omitted"]) {
      expect(
        roots[0]?.children.some((section) => section.name === name),
        name,
      ).toBe(true);
    }
    const names = (list: string, item: string, key: string) =>
      sections
        .filter(({ name }) => name === list)
        .flatMap((section) => all(section, item).map(({ attributes }) => attributes[key]));
    const projects = names("active-projects", "project", "id");
    expect(new Set(projects).size).toBe(projects.length);
    expect(projects[0]).toBe("10-project-number-0");
    let omitted = 0;
    const lists: Readonly<Record<string, number>> = {
      "system-skills": 150,
      "user-skills": 100,
      "integration-skills": 50,
    };
    for (const [list, total] of Object.entries({ "active-projects": 60, ...lists })) {
      const shown = list === "active-projects" ? projects : names(list, "skill", "name");
      expect(new Set(shown).size).toBe(shown.length);
      const counted = sections
        .filter(({ name }) => name === list)
        .flatMap((section) => [section, ...all(section, "category")])
        .reduce((sum, { attributes }) => sum + Number(attributes.omitted ?? 0), 0);
      expect(shown.length + counted, list).toBe(total);
      omitted += counted;
    }
    const cut = one(first(roots), "omitted");
    expect(cut.attributes.whole).toBe(workspace.path(OWN));
    expect(cut.children.map(({ attributes }) => attributes.name)).toContain("orchestrator-file");
    expect(omitted > 0).toBe(cut.children.some(({ attributes }) => attributes.items !== undefined));
    const orchestrator = first(sections.filter(({ name }) => name === "orchestrator-file"));
    const end = one(orchestrator, "cut");
    expect(Number(end.attributes["characters-left"])).toBe(
      workspace.read("00-system/core/orchestrator.md").length - orchestrator.text.length,
    );
    expect(end.attributes["read-on"]).toBe(workspace.path("00-system/core/orchestrator.md"));
    // Cut at a line.
    expect(orchestrator.text.endsWith("\n")).toBe(true);

    // The whole document is kept, in its own order and within the token budget.
    const whole = workspace.read(WHOLE);
    expect(workspace.read(OWN)).toBe(whole);
    expect(whole.length).toBeGreaterThan(3 * CAP);
    expect(estimateTokens(whole)).toBeLessThanOrEqual(20_000);
    const order = readDocument(whole).children.map(({ name }) => name);
    expect(order.slice(0, 4)).toEqual(["session", "orchestrator-file", "core-routing", "user-goals"]);
    expect(order.slice(-3)).toEqual(["action", "suggested-next-actions", "instruction"]);
  });

  test("keeps the limits that context.yaml sets, whatever the number of hook entries", async () => {
    const workspace = large();
    for (const [yaml, of, cap, tokens] of [
      ["", 1, CAP, 20_000],
      ["", 7, CAP, 20_000],
      ["delivery: {cap: 2500, parts: 6}\n", 6, 2500, 20_000],
      ["budgets: {startup: 3000}\n", 3, CAP, 3000],
      ["delivery: {cap: 1000}\nbudgets: {startup: 500}\n", 2, 1000, 500],
    ] as const) {
      workspace.write("context.yaml", yaml);
      const xmls = await documents(workspace, of);
      const roots = expectOneSet(xmls, { of, cap, tokens });
      for (const name of ["instruction", "action"])
        expect(first(roots).children.filter((section) => section.name === name)).toHaveLength(1);
      const single = runStart(workspace);
      const xml = documentIn(single.stdout);
      expect(xml.length).toBeLessThanOrEqual(cap);
      expect(estimateTokens(xml)).toBeLessThanOrEqual(tokens);
      expect(estimateTokens(workspace.read(WHOLE))).toBeLessThanOrEqual(tokens);
      const root = readDocument(xml);
      expect(root.attributes.part).toBeUndefined();
      if (cap >= 2500 && tokens >= 3000) expect(one(root, "omitted").attributes.whole).toBe(workspace.path(OWN));
    }
  });

  test("costs a bounded time, with and without what is remembered of it", async () => {
    const workspace = large();
    for (const run of ["cold", "warm"]) {
      for (const { stderr } of await startParts(workspace, 2)) expect(stderr, run).toBe("");
    }
  });
});

test("a project's files that are too large are cut at a line, each in one part, and the steps come first", async () => {
  const workspace = makeAcme();
  const planning = "02-projects/24-demo/01-planning";
  workspace.write(`${planning}/01-overview.md`, `# Overview\n\n${"Why & what for, in a line.\n".repeat(4000)}`);
  workspace.write(`${planning}/04-steps.md`, `## Phase 2\n${"- [ ] a step <of> some length 🚀\n".repeat(2000)}`);
  workspace.write("00-system/core/orchestrator.md", "x".repeat(400_000));
  const transcript = addSession(workspace, "execution");
  const xmls = await documents(workspace, 4, { source: "compact", transcript });
  const roots = expectOneSet(xmls, { of: 4, cap: CAP, tokens: 10_000 });
  for (const name of ["instruction", "action", "resume-project", "omitted"]) {
    expect(roots[0]?.children.filter((section) => section.name === name)).toHaveLength(1);
  }
  const files = roots.flatMap((root) => all(root, "file"));
  for (const file of files) {
    const path = file.attributes.path ?? "";
    const source = workspace.read(path);
    expect(source.startsWith(file.text), path).toBe(true);
    const [cut] = all(file, "cut");
    expect(file.attributes.loaded).toBe(cut === undefined ? "true" : file.text === "" ? "false" : "part");
    if (cut !== undefined) expect(Number(cut.attributes["characters-left"])).toBe(source.length - file.text.length);
  }
  expect(new Set(files.map(({ attributes }) => attributes.path)).size).toBe(files.length);
  const shown = (name: string) => files.find(({ attributes }) => attributes.path === `${planning}/${name}`)?.text ?? "";
  expect(shown("04-steps.md").length).toBeGreaterThan(3000);
  const steps = first(files.filter(({ attributes }) => attributes.path?.endsWith("04-steps.md")));
  expect(text(first(roots), "instruction")).toContain(
    `04-steps.md (cut: read on from line ${one(steps, "cut").attributes.line})`,
  );
  expect(all(readDocument(workspace.read(WHOLE)), "file").length).toBeGreaterThanOrEqual(files.length);
});

test("a small workspace is one part, and the other hook commands print nothing", async () => {
  const workspace = makeAcme();
  for (const of of [1, 2, 4]) {
    const xmls = await documents(workspace, of);
    expect(xmls).toHaveLength(1);
    const roots = expectOneSet(xmls, { of, cap: CAP, tokens: 20_000 });
    expect(all(first(roots), "omitted")).toEqual([]);
  }
});

test("of what it was not told each session finds its own, whoever starts after it, and none is kept for ever", () => {
  const workspace = large();
  const pointed = (session: string, role: string): string => {
    const { root } = startDocument(workspace, { session, run: { env: { HIVEMIND_ROLE: role } } });
    return one(root, "omitted").attributes.whole ?? "";
  };
  const old = Date.now() / 1000 - 4 * 24 * 60 * 60;
  const gone = workspace.write(`session/.cache/session-start.xml.${SESSION}`, "x");
  utimesSync(gone, old, old);
  for (const role of ["oosh-expert", "tester"]) workspace.write(`session/agents/${role}.context.md`, `# ${role}\n`);
  const sessions = [
    ["a-1", "oosh-expert"],
    ["b-22", "tester"],
    ["a-2", "oosh-expert"],
  ] as const;
  const paths = sessions.map(([session, role]) => pointed(session, role));
  for (const [index, [session, role]] of sessions.entries()) {
    const whole = readDocument(readFileSync(paths[index] ?? "", "utf8"));
    expect(one(whole, "session").attributes.id).toBe(session);
    expect(one(whole, "role-context").attributes.role).toBe(role);
  }
  expect(readFileSync(paths[2] ?? "", "utf8")).toBe(workspace.read(WHOLE));
  expect(existsSync(gone)).toBe(false);
});

test("a document of 9 999 and of 10 000 characters is whole; of 10 001, it is cut, with a pointer to the whole", () => {
  const workspace = makeWorkspace();
  const goals = (length: number, tail: string) =>
    workspace.write("01-memory/goals.md", "x".repeat(length - tail.length) + tail);
  const measure = () => {
    const { xml, root } = startDocument(workspace);
    return { xml, root, whole: workspace.read(WHOLE).length };
  };
  // An emoji, a family of four joined ones and a flag, at the very edge.
  for (const tail of ["🚀", "👨‍👩‍👧‍👦", "🇩🇪", "e\u0301\u0301"]) {
    goals(1000, tail);
    const base = measure().whole - 1000;
    for (const size of [9_999, 10_000, 10_001]) {
      goals(size - base, tail);
      const { xml, root, whole } = measure();
      expect(whole).toBe(size);
      expect(xml).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
      const source = workspace.read("01-memory/goals.md");
      if (size <= CAP) {
        expect(xml.length).toBe(size);
        expect(text(root, "user-goals")).toBe(source);
        expect(all(root, "omitted")).toEqual([]);
      } else {
        expect(xml.length).toBeLessThanOrEqual(CAP);
        const shown = text(root, "user-goals");
        expect(source.startsWith(shown)).toBe(true);
        const [cut] = all(root, "cut");
        expect(Number(cut?.attributes["characters-left"])).toBe(source.length - shown.length);
        expect(one(root, "omitted").attributes.whole).toBe(workspace.path(OWN));
      }
    }
  }
});

describe("the same files", () => {
  const FILES: readonly (readonly [string, string])[] = [
    ["00-system/core/orchestrator.md", "# O\n"],
    ["01-memory/goals.md", "# G\n"],
    ...["É", "a10", "a2", "B", "ﬁ", "z"].map((name): readonly [string, string] => [
      `03-skills/${name}/x/SKILL.md`,
      `---\nname: x\ndescription: In ${name}.\n---\n`,
    ]),
    ...["10-a", "9-z", "2-B", "02-c"].map((id): readonly [string, string] => [
      `02-projects/${id}/01-planning/04-steps.md`,
      `- [ ] ${id}\n`,
    ]),
  ];

  test("give the same bytes whatever the time zone, the locale, the clock and the order in which they were made", async () => {
    const workspace = makeWorkspace();
    const print = async (files: typeof FILES, env: RunOptions["env"], date: Date) => {
      for (const folder of ["00-system", "01-memory", "02-projects", "03-skills", "session/.cache"]) {
        rmSync(workspace.path(folder), { recursive: true, force: true });
      }
      for (const [path, content] of files) utimesSync(workspace.write(path, content), date, date);
      const transcript = workspace.write(
        "s.jsonl",
        new SessionLog(workspace.root).edit("02-projects/10-a/a.md").edit("02-projects/10-a/b.md").text(),
      );
      const run = env === undefined ? {} : { env };
      return [
        ...(await documents(workspace, 2, { run })),
        workspace.read(WHOLE),
        ...(await documents(workspace, 2, { source: "compact", transcript, run })),
        workspace.read(WHOLE),
        workspace.context("projects", { ...run }).stdout,
        workspace.context("skills", { ...run }).stdout,
      ];
    };
    const printed = await print(FILES, { TZ: "UTC", LANG: "C" }, new Date("2001-01-01"));
    expect(printed.length).toBe(6);
    const second = await print(
      FILES.toReversed(),
      { TZ: "Asia/Kathmandu", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", LC_TIME: "ja_JP" },
      new Date("2031-12-31"),
    );
    expect(second).toEqual(printed);
    const today = new Date().toISOString().slice(0, 10);
    for (const document of printed) expect(document).not.toContain(today);
  });
});

test("two starts at once do not disturb each other", async () => {
  const workspace = makeAcme();
  const transcripts = ["24-demo", "27-xml-context"].map((id) =>
    workspace.write(
      `client/${id}.jsonl`,
      new SessionLog(workspace.root).edit(`02-projects/${id}/a.md`).edit(`02-projects/${id}/b.md`).text(),
    ),
  );
  const alone = [];
  for (const [index, transcript] of transcripts.entries()) {
    alone.push(await documents(workspace, 3, { source: "compact", transcript, session: `S${index}` }));
  }
  const together = await Promise.all(
    transcripts.map((transcript, index) =>
      documents(workspace, 3, { source: "compact", transcript, session: `S${index}` }),
    ),
  );
  expect(together).toEqual(alone);
  readDocument(workspace.read(WHOLE));
  expect(workspace.list("session/.cache").filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

describe("compaction after compaction", () => {
  const loop = (log: SessionLog, count: number, between: (log: SessionLog) => SessionLog) => {
    for (let index = 0; index < count; index++) between(log.compacted("Summary."));
    return log.text();
  };

  test("without a person's prompt gives a short document that says so, and one that is wide again after a prompt", async () => {
    const workspace = makeAcme();
    const log = () => new SessionLog(workspace.root).prompt("go").edit("02-projects/24-demo/a.md");
    const run = async (name: string, content: string, source = "compact") => {
      const transcript = workspace.write(`client/${name}.jsonl`, content);
      const ran = await startParts(workspace, 2, { source, transcript });
      expect(ran[1]?.stdout).toBe("");
      const xml = documentIn(ran[0]?.stdout ?? "");
      return { xml, root: readDocument(xml), stderr: ran[0]?.stderr };
    };
    const work = (each: SessionLog) => each.edit("02-projects/24-demo/b.md");
    // Two earlier ones stand in the transcript; the one that brought this start is the third.
    const looped = await run("loop", loop(log(), 2, work));
    expect(looped.xml.length).toBeLessThanOrEqual(1000);
    expect(looped.root.children.map(({ name }) => name)).toEqual(["session", "loop", "instruction"]);
    expect(one(looped.root, "loop").attributes.compactions).toBe("3");
    expect(text(looped.root, "instruction")).toContain("Project in hand: 24-demo.");
    const soon = loop(log(), 2, work).replaceAll(/(T14:)\d\d:/g, "$100:");
    expect((await run("soon", soon)).stderr).toMatch(/^context: 3 compactions within 1 minute, with no prompt/);
    const transcript = workspace.path("client/soon.jsonl");
    const explained = workspace.context(["explain", "--source", "compact", "--transcript", transcript]).stdout;
    expect(explained).toContain("3 compactions within 1 minute, with no prompt");
    expect(looped.stderr).toMatch(/^context: 3 compactions within \d+ minutes, with no prompt by a person/);
    // What it leaves out is kept, and it says where.
    expect(text(looped.root, "loop")).toContain(workspace.path(OWN));
    expect(all(readDocument(workspace.read(WHOLE)), "project-files")).toHaveLength(1);

    const wide = {
      "one fewer": loop(log(), 1, work),
      "a prompt between": loop(log(), 2, (each) => work(each).prompt("and now?")),
      "a prompt after": loop(log(), 3, work) + new SessionLog(workspace.root).prompt("go on").text(),
      "a command by a person": loop(log(), 2, (each) => work(each).slash("compact")),
    };
    for (const [name, content] of Object.entries(wide)) {
      const { root, stderr } = await run("wide", content);
      expect(root.children.length, name).toBeGreaterThan(5);
      expect(stderr, name).toBe("");
    }
    const hours = loop(log(), 2, work).replaceAll(/2026-01-03T14:(\d\d):/g, (_, minute) => `2026-01-03T${minute}:00:`);
    expect((await run("hours", hours)).root.children.length).toBeGreaterThan(5);
    expect((await run("resumed", loop(log(), 2, work), "resume")).root.children.length).toBeGreaterThan(5);
    // A person types /compact days after the last record, and it stands there only afterwards.
    const late = workspace.write("client/late.jsonl", loop(log(), 2, work));
    workspace.context("pre-compact", { input: preCompactPayload(workspace, late, { trigger: "manual" }) });
    expect((await run("late", loop(log(), 2, work))).root.children.length).toBeGreaterThan(5);
    // One that nobody asked for began where the transcript ends, whatever the clock says.
    workspace.context("pre-compact --guidance", { input: preCompactPayload(workspace, late) });
    expect((await run("late", loop(log(), 2, work))).root.children).toHaveLength(3);
  });

  test("that a person asks for long after the last one gives the whole document where no project is in hand, too", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    const work = (each: SessionLog) => each.bash("make");
    const transcript = workspace.write("s.jsonl", loop(new SessionLog(workspace.root).prompt("go"), 2, work));
    const env = { HIVEMIND_ROLE: "oosh-expert" };
    const start = () => startDocument(workspace, { source: "compact", transcript, run: { env } }).root;
    expect(all(start(), "role-context")).toEqual([]);
    const input = preCompactPayload(workspace, transcript, { trigger: "manual" });
    workspace.context("pre-compact --guidance", { input, env });
    expect(all(start(), "role-context")).toHaveLength(1);
  });

  test("each with its own start, PreCompact's part included, leaves one document of the same size a round", async () => {
    const workspace = makeAcme();
    addProject(workspace, "30-third");
    const log = new SessionLog(workspace.root);
    const sizes: number[] = [];
    for (let round = 0; round < 3; round++) {
      log.prompt("go").edit("02-projects/24-demo/a.md").edit("02-projects/24-demo/b.md");
      const transcript = workspace.write("client/s.jsonl", log.text());
      workspace.context("pre-compact", { input: preCompactPayload(workspace, transcript) });
      const [xml = ""] = await documents(workspace, 2, { source: "compact", transcript });
      const { project, case: row } = decisionOf(workspace);
      expect([project, row]).toEqual(["24-demo", 3]);
      sizes.push(one(readDocument(xml), "project-files").text.length);
      log.compacted();
    }
    expect(new Set(sizes).size).toBe(1);
  });
});
