import { describe, expect, test } from "vitest";
import { characterEnd, clip, clipLine, clipPath } from "../../src/session-start/clip.ts";
import { isInlinedInExecution } from "../../src/session-start/compact-document.ts";
import { countLines, cutAt, cutText } from "../../src/session-start/cut-file.ts";
import { documentId } from "../../src/session-start/document.ts";
import type { Resumption } from "../../src/session-start/facts.ts";
import { fingerprint } from "../../src/session-start/fingerprint.ts";
import { LOOP_DOCUMENT_UNITS } from "../../src/session-start/loop-document.ts";
import { markText } from "../../src/session-start/marks.ts";
import { activeProjects } from "../../src/session-start/project-order.ts";
import { resumeMode } from "../../src/session-start/resume-mode.ts";
import { standIn, withSession } from "../../src/session-start/session-id.ts";
import { singleDocument, wholeDocument } from "./documents.ts";
import { compactFacts, estimate, file, skill, startupFacts, summary } from "./facts.ts";
import { readDocument } from "./read-document.ts";

describe("a text in a limit", () => {
  const long = "x".repeat(50);

  test.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "abc"],
    ["🚀🚀", 3, "🚀"],
    [long, 49, `${"x".repeat(32)}… (50 characters)`],
    [long, 18, "x… (50 characters)"],
    [long, 17, "x".repeat(17)],
    [long, 0, ""],
    [`🚀${long}`, 19, "🚀… (52 characters)"],
    [`🚀${long}`, 18, "… (52 characters)"],
  ])("%j within %d is %j", (text, limit, expected) => {
    expect(clip(text, limit)).toBe(expected);
  });

  test.each([
    [" a  b ", 9, "a b"],
    ["a b", 9, "a b"],
    ["a\tb", 9, "a b"],
    ["a\u00a0b", 9, "a b"],
    [`${" ".repeat(30)}${long}`, 40, `${"x".repeat(23)}… (50 characters)`],
    [`a\n${"b".repeat(99)}`, 20, "a … (101 characters)"],
    [`${"y ".repeat(60)}`, 30, `${"y ".repeat(6)}… (119 characters)`],
    [`${"y ".repeat(61)}`, 30, `${"y ".repeat(6)}… (122 characters)`],
  ])("on one line, %j within %d is %j", (text, limit, expected) => {
    expect(clipLine(text, limit)).toBe(expected);
  });

  test("that is a path keeps its blanks and no line end", () => {
    expect(clipPath(" a\tb\r\nc  d ", 40)).toBe(" a b  c  d ");
    expect(clipPath(long, 18)).toBe("x… (50 characters)");
  });

  test.each([
    ["abc", 5, 3],
    ["abc", 0, 0],
    ["abc", -1, 0],
    ["a\u0301b", 1, 0],
    ["ab\u0301", 2, 1],
    ["a\u200db", 2, 0],
    ["a\u200db", 1, 0],
    ["x\ny", 1, 1],
    ["x\r\n", 2, 1],
    ["\u02ffa", 1, 1],
    ["🇩🇪", 2, 0],
    ["🇩🇪🇫🇷", 4, 4],
    ["🇩🇪🇫🇷", 6, 4],
    ["a🇩🇪🇫", 5, 5],
    [`${"\u0301".repeat(30)}b`, 20, 0],
    [`a${"\u0301".repeat(64)}b`, 64, 0],
    [`a${"\u0301".repeat(62)}b`, 62, 0],
    [`ab${"\u0301".repeat(63)}c`, 64, 1],
    [`${"🇩🇪".repeat(10)}`, 38, 36],
    [`${"\uDC00".repeat(3)}`, 2, 2],
  ])("%j ends at or before %d at %d", (text, end, expected) => {
    expect(characterEnd(text, end)).toBe(expected);
  });
});

describe("a cut", () => {
  const plenty = 1_000_000;
  const cut = (text: string, units: number, tokens = plenty) => {
    const { end, line, column, linesLeft, charactersLeft, escaped } = cutText(text, { units, tokens }, estimate);
    expect(charactersLeft).toBe(text.length - end);
    return [end, line, column, linesLeft, escaped.length];
  };

  test.each([
    // A first line that is too long is parted from 80 units on.
    ["x".repeat(200), 80, [80, 1, 81, 1, 80]],
    ["x".repeat(200), 79, [0, 1, 1, 1, 0]],
    // Up to 400 units are given up to end with a line, if half is kept.
    [`${"a\n".repeat(10)}${"x".repeat(900)}`, 420, [20, 11, 1, 1, 20]],
    [`${"a\n".repeat(10)}${"x".repeat(900)}`, 421, [421, 11, 402, 1, 421]],
    [`${"a".repeat(450)}\n${"x".repeat(900)}`, 880, [451, 2, 1, 1, 451]],
    [`${"a".repeat(450)}\n${"x".repeat(900)}`, 902, [451, 2, 1, 1, 451]],
    [`${"a".repeat(450)}\n${"x".repeat(900)}`, 903, [903, 2, 453, 1, 903]],
    // As it is escaped.
    ["<<<<\n<<<<\n", 33, [5, 2, 1, 1, 17]],
    ["<<<<\n<<<<\n", 34, [10, 3, 1, 0, 34]],
    ["🚀\n🚀\n", 5, [3, 2, 1, 1, 3]],
    ["a\nb", 3, [3, 2, 2, 0, 3]],
    ["", 0, [0, 1, 1, 0, 0]],
  ])("of %j within %d units", (text, units, expected) => {
    expect(cut(text, units)).toEqual(expected);
  });

  test.each([
    ["word\n".repeat(100), 50],
    ["word\n".repeat(100), 10],
    ["漢字\n".repeat(100), 40],
    ["x".repeat(3_000), 100],
  ])("of %j within %d tokens is as long as it may be, but for little", (text, tokens) => {
    const shown = cutText(text, { units: plenty, tokens }, estimate);
    expect(estimate(shown.escaped)).toBeLessThanOrEqual(tokens);
    expect(estimate(shown.escaped)).toBeGreaterThan(tokens * 0.8);
  });

  test("that is estimated at more however short it is holds nothing, rather than more than there is room for", () => {
    const most = (text: string) => (text === "" ? 0 : 11);
    expect(cutText("word\n".repeat(4_000), { units: plenty, tokens: 10 }, most)).toMatchObject({ end: 0, escaped: "" });
  });

  test.each([
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["a\nb", 2],
    ["\n\n", 2],
  ])("counts the lines of %j: %d", (text, lines) => {
    expect(countLines(text)).toBe(lines);
  });

  test("says where it is", () => {
    expect(cutAt("ab\ncd\n", 0)).toEqual({ end: 0, line: 1, column: 1, linesLeft: 2, charactersLeft: 6, escaped: "" });
    expect(cutAt("ab\ncd\n", 4)).toMatchObject({ line: 2, column: 2, linesLeft: 1, escaped: "ab\nc" });
    expect(cutAt("ab\ncd\n", 6)).toMatchObject({ line: 3, column: 1, linesLeft: 0 });
    expect(cutAt("ab\ncd\n", 3, 9)).toMatchObject({ linesLeft: 8 });
  });
});

describe("a session's id", () => {
  test("stands for itself where it is odd, else for all of its length", () => {
    expect(["abc", "a-b_c.d", "x"].map(standIn)).toEqual(["0A0", "0A0A0A0", "0"]);
    expect(["a b", "é", "", "<x>", "y".repeat(101)].map(standIn)).toEqual(["a b", "é", "", "<x>", "y".repeat(101)]);
    expect(standIn("y".repeat(100))).toBe("0A".repeat(50));
  });

  test("is put in place where the document's own element names it", () => {
    const document = '<a>\n  <session id="0A0" source="x"/>\n  <b>&lt;session id="0A0"</b>';
    expect(withSession(document, "0A0", "s-1")).toBe(document.replace("0A0", "s-1"));
    for (const [from, to] of [
      [null, "s"],
      ["0A0", null],
      ["0A0", "0A0"],
      ["0A1", "s"],
    ] as const) {
      expect(withSession(document, from, to)).toBe(document);
    }
    expect(withSession("no element", "0A0", "s")).toBe("no element");
    const path = "/0A0/.cache/session-start.xml.0A0";
    for (const [before, after] of [
      [path, ""],
      [`<omitted whole="${path}`, '"/>'],
    ] as const)
      expect(withSession(before + after, "0A0", "s")).toBe(before.replace("xml.0A0", "xml.s") + after);
  });

  test("is put in place of the whole document though a text names such a file before it", () => {
    const pointer = '<omitted whole="/.cache/session-start.xml.s"/>';
    const document = `<file>see /session-start.xml.0A0</file>${pointer.replace("xml.s", "xml.0A0")}`;
    expect(withSession(document, "0A0", "s")).toContain(pointer);
  });
});

describe("a document's own name", () => {
  test.each([
    ['<nexus-context version="v4" id="0123abcd">', "0123abcd/1"],
    ['<nexus-context version="v4" part="12" of="13" id="0123abcd" x="y">\n<b id="ffffffff">', "0123abcd/12"],
    ['<nexus-context version="v4">\n<b id="ffffffff">', null],
    [' <nexus-context id="0123abcd">', null],
    ['<nexus-context id="0123abc">', null],
    ['<nexus-context id="0123ABCD">', null],
    ['<other id="0123abcd">', null],
    ["", null],
  ])("of %j is %j", (text, expected) => {
    expect(documentId(text)).toBe(expected);
  });

  test("tells texts apart by every byte, and by where they part", () => {
    expect([fingerprint([""]), fingerprint(["a"]), fingerprint(["abcd"]), fingerprint(["abcde", "é"])]).toEqual([
      "ab3e7c0b",
      "e6db3b26",
      "289d29d1",
      "71c6df8a",
    ]);
    const texts = ["", "a", "b", "ab", "abcd", "abce", "bbcd", "abcdefgh", "abcdefgi"];
    expect(new Set(texts.map((text) => fingerprint([text]))).size).toBe(texts.length);
    expect(fingerprint(["ab", "c"])).not.toBe(fingerprint(["a", "bc"]));
  });

  test("is the same from start to start, whatever the session and what was done in it", () => {
    const id = (...facts: Parameters<typeof compactFacts>) =>
      documentId(wholeDocument(compactFacts(...facts), estimate));
    expect(id({}, { workTrail: "other", session: { id: "other", source: "compact", timestamp: "x" } })).toBe(id());
    expect(id({ currentTask: "other" })).not.toBe(id());
  });
});

describe("active projects", () => {
  test("come with the one in hand first, then the latest, those in progress, and by id", () => {
    const projects = [
      summary("9-a"),
      summary("10-b"),
      summary("3-c", { status: "planning" }),
      summary("4-d", { updated: "2026-01-01" }),
      summary("5-e", { updated: "2026-01-02" }),
      summary("6-f", { active: false, updated: "2026-02-01" }),
      summary("7-g", { status: "Planning", updated: "2026-01-01" }),
    ];
    const ids = (inHand: string | null) => activeProjects(projects, inHand).map(({ id }) => id);
    expect(ids(null)).toEqual(["5-e", "4-d", "7-g", "10-b", "9-a", "3-c"]);
    expect(ids("3-c")).toEqual(["3-c", "5-e", "4-d", "7-g", "10-b", "9-a"]);
    expect(ids("6-f")).toEqual(ids(null));
  });
});

test.each([
  ["a/01-overview.md", true],
  ["overview.md", true],
  ["a\\04-steps.txt", true],
  ["a/STEPS.MD", true],
  ["a/my-overview.md", false],
  ["a/01overview.md", false],
  ["a/overview", false],
  ["a/overview.md/x", false],
  ["a/03-plan.md", false],
])("%j stands in a document of execution: %j", (path, expected) => {
  expect(isInlinedInExecution(path)).toBe(expected);
});

test.each([
  [{ currentTask: " a\n b " }, "a b"],
  [{ currentTask: null, closed: 3, total: 3 }, "tell the user that all 3 tasks are done"],
  [{ currentTask: null, closed: 0, total: 0 }, "number 15"],
  [{ currentTask: null, closed: 2, total: 3 }, "number 15"],
  [{ currentTask: null, closed: 2, total: 3, manifest: null }, "unknown"],
])("the current task of %j is told as %j", (project, expected) => {
  expect(wholeDocument(compactFacts(project), estimate)).toContain(`: ${expected}\n`);
});

test("a file is marked by what became of it", () => {
  expect([markText({ kind: "whole" }), markText({ kind: "cut", line: 7 }), markText({ kind: "absent" })]).toEqual([
    "loaded",
    "cut: read on from line 7",
    "read it",
  ]);
});

describe("what is said of a resumption", () => {
  const { project } = compactFacts();
  test.each<readonly [Resumption, object, readonly string[]]>([
    [
      { kind: "resumed" },
      { active: true, "project-id": "24-demo", confidence: "high", "current-section": 2, "current-task": 15 },
      [],
    ],
    [
      { kind: "files-missing", paths: Array.from({ length: 11 }, (_, at) => `f${at}`) },
      { active: true },
      [
        "Missing or refused of files_to_load: f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 and 1 more.",
        "Say which file is missing; it may have been moved or deleted.",
      ],
    ],
    [
      { kind: "files-missing", paths: Array.from({ length: 10 }, (_, at) => `f${at}`) },
      { active: true },
      [
        "Missing or refused of files_to_load: f0, f1, f2, f3, f4, f5, f6, f7, f8, f9.",
        "Say which file is missing; it may have been moved or deleted.",
      ],
    ],
    [
      { kind: "no-state", path: "a", stale: "2026-01-01T00:00:00Z" },
      { active: false },
      ["The state that was in a is stale: it is of 2026-01-01T00:00:00Z, long before this start."],
    ],
    [{ kind: "no-state", path: "a" }, { active: false, "project-id": "24-demo" }, ["There is no a of this session."]],
    [{ kind: "state-not-json", path: "a", problem: "b" }, { active: false }, ["a is invalid: b"]],
    [
      { kind: "manifest-missing", projectId: "9-x", path: "a" },
      { active: false, "project-id": "9-x" },
      [
        "Project 9-x is in hand, but a does not exist.",
        "The project may not have been set up for resumption: work on it from its steps file.",
      ],
    ],
    [
      { kind: "front-matter-invalid", projectId: "9-x", path: "a", line: 3, column: 7, problem: "b" },
      { active: false, "project-id": "9-x" },
      ["a, line 3, column 7: b", "context resume.validate 9-x shows what is wrong."],
    ],
    [
      { kind: "front-matter-invalid", projectId: "9-x", path: "a", line: 3, column: 7, problem: "b", migrates: true },
      { active: false, "project-id": "9-x" },
      ["a, line 3, column 7: b", "context resume.migrate 9-x makes a whole manifest of it."],
    ],
    [
      { kind: "low-confidence", projectId: null, confidence: "low" },
      { active: false },
      ["Confidence is low: too low to resume without being asked."],
    ],
    [{ kind: "fault", message: "a\nb" }, { active: false, "project-id": "24-demo" }, ["Resumption failed: a b"]],
  ])("%j", (resumption, attributes, said) => {
    const { attributes: found, children } = resumeMode(resumption, project, "context");
    const shown = Object.fromEntries(found);
    for (const [name, value] of Object.entries(attributes)) expect(shown[name]).toBe(String(value));
    if (resumption.kind === "low-confidence") expect(shown["project-id"]).toBeUndefined();
    expect(shown.confidence).toBe(shown.active === "true" ? "high" : undefined);
    expect(children.map((child) => (typeof child === "string" ? child : child.children.join("")))).toEqual(said);
  });

  test("names no project and no file where none is known", () => {
    expect(Object.fromEntries(resumeMode({ kind: "resumed" }, null, "context").attributes)).toEqual({
      active: "true",
      case: "resumed",
    });
    const bare = project === null ? null : { ...project, manifest: null };
    expect(Object.fromEntries(resumeMode({ kind: "resumed" }, bare, "context").attributes)).toEqual({
      active: "true",
      case: "resumed",
      "project-id": "24-demo",
      confidence: "high",
    });
  });
});

test("a document in a loop is within its limit, whatever its names hold", () => {
  const loop = { compactions: 3, minutes: 7 };
  const odd = "<&\"'>".repeat(60);
  for (const length of [0, 10, 60, 100, 200, 300]) {
    const name = odd.slice(0, length);
    const text = wholeDocument(
      compactFacts({ id: name }, { loop, documentPath: name, session: { id: name, source: name, timestamp: null } }),
      estimate,
    );
    expect(text.length).toBeLessThanOrEqual(LOOP_DOCUMENT_UNITS);
    expect(text).toMatch(
      /^<nexus-context [^<>]*>\n {2}<session [^<>]*\/>\n {2}<loop [^<>]*>[^<>]*<\/loop>\n {2}<instruction [^<>]*>[^<>]*<\/instruction>\n<\/nexus-context>$/,
    );
  }
  const short = (documentPath: string | null) => wholeDocument(compactFacts({}, { loop, documentPath }), estimate);
  expect(short("/a/b")).toContain("The last whole document: /a/b<");
  expect(short(null)).not.toContain("The last whole document");
  expect(short(`/${"a".repeat(199)}`)).toContain(`/${"a".repeat(199)}<`);
  expect(short(`/${"a".repeat(200)}`)).not.toContain("The last whole document");
});

test.each([startupFacts, compactFacts])("a session whose role is uncertain is told why, and has no role", (factsOf) => {
  const role = { name: null, state: null, checklist: ["It is not certain which."], contextFile: null };
  const document = wholeDocument(factsOf({}, { role }), estimate);
  expect(document).toContain(
    "<role-context>\n    <checklist>\n      <item>It is not certain which.</item>\n    </checklist>\n  </role-context>",
  );
  expect(() => readDocument(document)).not.toThrow();
  const bare = startupFacts({ orchestrator: null, projects: [], skills: [] }, { role });
  expect(wholeDocument(bare, estimate)).toContain(
    "There are no projects and no skills here: there is no menu to display.",
  );
  expect(wholeDocument(bare, estimate)).not.toContain("Your role is");
});

test.each([
  ["as long as numbers get", Number.MAX_VALUE],
  ["short", 3],
])("a document in a loop is within its limit where each character is an entity and numbers are %s", (_, number) => {
  for (const length of [10, 11, 20, 60, 61, 200, 1_000]) {
    const name = '"'.repeat(length);
    const session = { id: name, source: name, timestamp: null };
    const facts = compactFacts({ id: name }, { documentPath: name, session, tone: "firm" });
    const text = wholeDocument({ ...facts, loop: { compactions: number, minutes: number } }, estimate);
    expect(text.length).toBeLessThanOrEqual(LOOP_DOCUMENT_UNITS);
    // Whose session it is and what it worked on are said in any case.
    expect(text).toMatch(/<session id="&quot;/);
    expect(text).toMatch(/Project in hand: &quot;/);
  }
});

test.each([
  ["one line", "x".repeat(40_000)],
  ["one line of what is escaped", "<".repeat(40_000)],
  ["lines", "word\n".repeat(8_000)],
  ["a short line and a long one", `word\n${"x".repeat(40_000)}`],
])("a file of %s fills a document", (_, text) => {
  const goals = file("01-memory/goals.md", text);
  const plenty = { budgets: { startup: 1_000_000, compact: 1_000_000 } };
  for (const cap of [15_000, 20_001]) {
    const document = singleDocument(startupFacts({ goals }, { ...plenty, delivery: { cap, parts: 1 } }), estimate);
    expect(document.length).toBeLessThanOrEqual(cap);
    // The rest is kept for the naming of what is left out.
    expect(document.length).toBeGreaterThan(cap - 900);
    expect(() => readDocument(document)).not.toThrow();
  }
});

test.each([300, 900])("a file fills its tokens though it costs %d more between its tags than alone", (more) => {
  const dearer = (text: string) =>
    Math.ceil(text.length / 4) +
    ((text.startsWith("  <user-goals>") && text.length > 500) || text.startsWith("<nexus") ? more : 0);
  const goals = file("01-memory/goals.md", "word\n".repeat(20_000));
  const budgets = { startup: 8_000, compact: 8_000 };
  const document = singleDocument(startupFacts({ goals }, { budgets, delivery: { cap: 100_000, parts: 1 } }), dearer);
  expect(dearer(document)).toBeLessThanOrEqual(8_000);
  expect(dearer(document)).toBeGreaterThan(6_500);
});

test("a document that has room for plain text within its tokens is counted where its characters take more", () => {
  // Three tokens each: what the cap lets in is more than the budget.
  const goals = file("01-memory/goals.md", "\u3400".repeat(40_000));
  const document = singleDocument(
    startupFacts({ goals }, { budgets: { startup: 48_000, compact: 48_000 }, delivery: { cap: 30_000, parts: 1 } }),
    estimate,
  );
  expect(estimate(document)).toBeLessThanOrEqual(48_000);
  expect(document).toContain("\u3400".repeat(10_000));
});

describe("the lists of a crowded start", () => {
  const start = (changes: Parameters<typeof startupFacts>[0], budget = 20_000) =>
    wholeDocument(startupFacts(changes, { budgets: { startup: budget, compact: budget } }), estimate);

  test("count what is there, and name the command for the rest", () => {
    const projects = Array.from({ length: 200 }, (_, at) => summary(`${at}-p`));
    const found = /<active-projects count="(\d+)" omitted="(\d+)" list="([^"]*)"/.exec(start({ projects }, 2_000));
    expect(Number(found?.[1])).toBe(200);
    expect(Number(found?.[2])).toBeGreaterThan(50);
    expect(found?.[3]).not.toBe("");
    expect(start({ projects: projects.slice(0, 3) })).not.toContain("omitted=");
  });

  test("have the system's categories in the design's order, then others by name", () => {
    const categories = ["zoo", "skill-dev", "tools", null, "system", "art", "learning", "projects"];
    const xml = start({ skills: categories.map((category, at) => skill(`s${at}`, "system", category)) });
    expect([...xml.matchAll(/<category name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      "projects",
      "learning",
      "system",
      "tools",
      "skill-dev",
      "uncategorized",
      "art",
      "zoo",
    ]);
  });

  test("of what is not set up yet are told where there is something to do", () => {
    const state = { goalsPersonalized: true, workspaceConfigured: true, onboardingComplete: false, pending: [] };
    expect(start({ state })).not.toContain("onboarding_incomplete");
    const pending = [{ skill: "learn-x", time: "1 min", path: "x" }];
    expect(start({ state: { ...state, pending } })).toContain("Complete learn-x to unlock full potential");
    expect(start({ state: { ...state, pending, onboardingComplete: true } })).not.toContain("onboarding_incomplete");
    expect(start({ state: null })).not.toContain("onboarding_incomplete");
  });

  test("a goals file that is longer than its room is cut where it says", () => {
    const text = "- a goal\n".repeat(9_000);
    const xml = start({ goals: file("01-memory/goals.md", text) }, 3_000);
    const [, line = "", left = ""] = /<cut line="(\d+)" lines-left="(\d+)"/.exec(xml) ?? [];
    expect(Number(line) - 1 + Number(left)).toBe(9_000);
  });
});
