import { describe, expect, test } from "vitest";
import { partDocuments, singleDocument, wholeDocument } from "./documents.ts";
import { compactFacts, estimate, file, skill, startupFacts, summary } from "./facts.ts";
import { all, one, readDocument } from "./read-document.ts";

const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));
const lines = (characters: number) => "- [ ] a task with some words in it\n".repeat(Math.ceil(characters / 35));

const large = () =>
  compactFacts({
    files: [
      file("02-projects/24-demo/01-planning/01-overview.md", lines(3000)),
      file("02-projects/24-demo/01-planning/04-steps.md", lines(60_000)),
    ],
    skillFile: file("00-system/skills/projects/execute-project/SKILL.md", lines(5000)),
  });

describe("delivery in parts", () => {
  test("uses no more documents than are needed", () => {
    expect(partDocuments(startupFacts(), estimate).map((part) => part !== "")).toEqual([true, false, false, false]);
    const root = readDocument(partDocuments(startupFacts(), estimate)[0] ?? "");
    expect(root.attributes).toMatchObject({ part: "1", of: "4", last: "true" });
    expect(all(root, "omitted")).toEqual([]);
  });

  test("begins with what matters most", () => {
    const names = (facts: typeof large) =>
      readDocument(partDocuments(facts(), estimate)[0] ?? "")
        .children.map(({ name }) => name)
        .slice(0, 5);
    expect(names(startupFacts)).toEqual(["instruction", "action", "active-projects", "core-routing", "session"]);
    expect(names(large)).toEqual(["instruction", "action", "omitted", "resume-project", "session"]);
  });

  test("numbers its documents, each within the cap, all with one id", () => {
    const parts = partDocuments(large(), estimate).filter((part) => part !== "");
    expect(parts.length).toBeGreaterThan(1);
    const roots = parts.map(readDocument);
    expect(roots.map(({ attributes }) => attributes.part)).toEqual(parts.map((_, index) => String(index + 1)));
    expect(parts.length).toBe(3);
    expect(roots.map(({ attributes }) => [attributes.of, attributes.last])).toEqual([
      ["4", undefined],
      ["4", undefined],
      ["4", "true"],
    ]);
    expect(new Set(roots.map(({ attributes }) => attributes.id)).size).toBe(1);
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(10_000);
  });

  test("uses its room: a long file is cut near a cap, small ones stand whole", () => {
    const parts = partDocuments(large(), estimate)
      .filter((part) => part !== "")
      .map(readDocument);
    const files = parts.flatMap((root) => all(root, "file"));
    const state = Object.fromEntries(
      files.map(({ attributes, text }) => [attributes.path?.split("/").at(-1), [attributes.loaded, text.length]]),
    );
    expect(state["01-overview.md"]).toEqual(["true", 3010]);
    expect(state["04-steps.md"]?.[0]).toBe("part");
    expect(state["04-steps.md"]?.[1]).toBeGreaterThan(8000);
  });

  test("points to the whole document wherever something is cut, and names what", () => {
    const [first = ""] = partDocuments(large(), estimate);
    const omitted = one(readDocument(first), "omitted");
    expect(omitted.attributes.whole).toBe("/home/nexus/session/.cache/session-start.xml");
    expect(omitted.children.map(({ attributes }) => attributes)).toEqual([
      { name: "project-files", shortened: "1", characters: expect.stringMatching(/^[1-9]\d+$/) },
    ]);
    expect(readDocument(wholeDocument(large(), estimate)).children.map(({ name }) => name)).toContain("omitted");
    expect(one(readDocument(wholeDocument(large(), estimate)), "omitted").attributes.whole).toBeUndefined();
  });

  test.each([9_999, 10_000, 10_001, 10_002, 10_003])("keeps the cap at an edge of %i characters", (target) => {
    const emoji = "🚀";
    const base = singleDocument(startupFacts({ goals: file("g", "x\n") }), estimate).length;
    const facts = startupFacts({ goals: file("g", `${"x".repeat(target - base - 1)}${emoji}`) });
    expect(wholeDocument(facts, estimate).length).toBe(target - 1);
    const single = singleDocument(facts, estimate);
    expect(single.length).toBeLessThanOrEqual(10_000);
    expect(all(readDocument(single), "omitted")).toHaveLength(target - 1 > 10_000 ? 1 : 0);
    for (const part of partDocuments(facts, estimate)) expect(part.length).toBeLessThanOrEqual(10_000);
  });

  test("has one document and no number where there is one hook command", () => {
    const root = readDocument(singleDocument(large(), estimate));
    expect(root.attributes.part).toBeUndefined();
    expect(root.children.map(({ name }) => name).slice(-2)).toEqual(["action", "instruction"]);
  });

  test("gives a short document in part 1 alone when the session compacts in a loop", () => {
    const parts = partDocuments({ ...large(), loop: { compactions: 3, minutes: 10 } }, estimate);
    expect(parts.slice(1)).toEqual(["", "", ""]);
    const root = readDocument(parts[0] ?? "");
    expect(root.children.map(({ name }) => name)).toEqual(["session", "loop", "instruction"]);
    expect(one(root, "loop").attributes).toEqual({ compactions: "3", minutes: "10" });
  });
});

describe("the budget", () => {
  const crowded = () =>
    startupFacts({
      orchestrator: file("00-system/core/orchestrator.md", lines(400_000)),
      projects: many(60, (index) => summary(`${10 + index}-project`)),
      skills: many(300, (index) =>
        skill(`skill-${String(index).padStart(3, "0")}`, index % 3 === 0 ? "user" : "system", `c${index % 7}`),
      ),
    });

  test("is kept with 300 skills, 60 projects and an orchestrator file of 400 kB, and counts what is left out", () => {
    const whole = wholeDocument(crowded(), estimate);
    expect(estimate(whole)).toBeLessThanOrEqual(20_000);
    expect(estimate(whole)).toBeGreaterThan(19_000);
    const root = readDocument(whole);
    expect(all(root, "project")).toHaveLength(60);
    for (const wrapper of [...all(root, "category"), ...all(root, "user-skills")]) {
      const { count, omitted } = wrapper.attributes;
      expect(Number(count ?? wrapper.children.length) - Number(omitted ?? 0)).toBe(wrapper.children.length);
    }
    const parts = partDocuments(crowded(), estimate);
    expect(parts.reduce((sum, part) => sum + estimate(part), 0)).toBeLessThanOrEqual(20_000);
    expect(parts.every((part) => part.length > 8000)).toBe(true);
  });

  test("says how to list the skills that found no room", () => {
    const skills = many(1000, (index) => skill(`skill-${index}`, "system", `c${index % 7}`));
    const roots = partDocuments(startupFacts({ skills }), estimate).map(readDocument);
    const lists = roots.flatMap((root) => all(root, "category")).filter(({ attributes }) => "omitted" in attributes);
    expect(lists.length).toBeGreaterThan(0);
    for (const { attributes } of lists)
      expect(attributes.list).toMatch(/^find 00-system\/skills\/c\d -name SKILL\.md$/);
  });

  test("drops descriptions before skills, those of the least important kinds first", () => {
    const facts = startupFacts({
      skills: many(40, (index) => skill(`skill-${index}`, index < 20 ? "system" : "project", null)),
    });
    const budget = estimate(wholeDocument(facts, estimate)) - 200;
    const root = readDocument(wholeDocument({ ...facts, budgets: { startup: budget, compact: 10_000 } }, estimate));
    const texts = (name: string) => all(one(root, name), "skill").map(({ text }) => text !== "");
    expect(texts("system-skills")).toEqual(many(20, () => true));
    expect(texts("project-skills")).toEqual(many(20, () => false));
    expect(all(one(root, "omitted"), "section").map(({ attributes }) => attributes)).toContainEqual({
      name: "project-skills",
      shortened: "20",
    });
  });

  test("counts as shortened what says less than it would, where not nearly all find room", () => {
    for (const [currentTask, kept] of [[null, Number.POSITIVE_INFINITY] as const, ["Go on with it", 10] as const]) {
      const projects = many(2000, (index) => summary(`${index + 10}-p`, { currentTask }));
      const root = readDocument(wholeDocument(startupFacts({ projects, skills: [] }), estimate));
      const shown = all(one(root, "active-projects"), "project").length;
      expect(shown).toBeGreaterThan(100);
      const loss = all(one(root, "omitted"), "section").map(({ attributes }) => attributes);
      const { shortened } = loss.find(({ name }) => name === "active-projects") ?? {};
      expect(Number(shortened ?? 0)).toBe(Math.max(0, shown - kept));
    }
  });

  test.each([1, 2, 3])("is kept whatever an estimate says of pieces and wholes (%i)", (power) => {
    const odd = (text: string) => Math.ceil((text.length / 4) ** (1 + power / 20));
    const facts = { ...crowded(), budgets: { startup: 20_000, compact: 10_000 } };
    expect(odd(wholeDocument(facts, odd))).toBeLessThanOrEqual(20_000);
    expect(partDocuments(facts, odd).reduce((sum, part) => sum + odd(part), 0)).toBeLessThanOrEqual(20_000);
  });
});
