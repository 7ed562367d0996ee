import { describe, expect, test } from "vitest";
import { explain, explanationLines, explanationRows } from "../../src/session-start/explain.ts";
import { partDocuments } from "./documents.ts";
import { compactFacts, estimate, file, startupFacts } from "./facts.ts";

const steps = file("02-projects/24-demo/01-planning/04-steps.md", "- [ ] a step of some length\n".repeat(5000));

describe("an explanation", () => {
  test("counts what is delivered and says which part holds what", () => {
    const facts = compactFacts({ files: [steps] });
    const parts = partDocuments(facts, estimate).filter((part) => part !== "");
    const explanation = explain(facts, estimate);
    expect(explanation).toMatchObject({ mode: "compact", action: "continue_working", caseNumber: 3 });
    expect(explanation.delivered.parts).toEqual(
      parts.map((text, index) => ({ part: index + 1, characters: text.length, tokens: estimate(text) })),
    );
    const byId = Object.fromEntries(explanation.sections.map((section) => [section.id, section]));
    expect(byId.instruction).toMatchObject({ kept: "whole", why: "fits", parts: [1] });
    const instruction = /^ {2}<instruction.*<\/instruction>\n/ms.exec(parts.join(""))?.[0] ?? "";
    expect(byId.instruction).toMatchObject({ characters: instruction.length, tokens: estimate(instruction) });
    expect(byId["project-files"]).toMatchObject({ kept: "cut", inWholeDocument: "cut", parts: [2] });
    expect(byId["project-files"]?.why).toMatch(/^1 shortened, \d+ characters of files left: the token budget$/);
    expect(explanation.warning).toMatch(
      /^Not everything fits in 4 × 10000 characters and 10000 tokens: project-files\.$/,
    );
  });

  test("tells the delivery's limit from the token budget", () => {
    const facts = startupFacts(
      { goals: file("01-memory/goals.md", "- a goal\n".repeat(3000)) },
      { delivery: { cap: 10_000, parts: 1 } },
    );
    const goals = explain(facts, estimate).sections.find(({ id }) => id === "user-goals");
    expect(goals).toMatchObject({ kept: "cut", inWholeDocument: "whole" });
    expect(goals?.why).toMatch(/the delivery's characters$/);
  });

  test("names what found no room at all", () => {
    const facts = startupFacts({}, { delivery: { cap: 1000, parts: 1 } });
    const { sections } = explain(facts, estimate);
    expect(sections.find(({ id }) => id === "core-routing")).toMatchObject({
      kept: "left-out",
      parts: [],
      characters: 0,
    });
    expect(sections.find(({ id }) => id === "action")).toMatchObject({ kept: "whole", parts: [1] });
  });

  test("is a table for people, without a warning where all fits", () => {
    const explanation = explain(startupFacts(), estimate);
    expect(explanation.warning).toBeNull();
    expect(explanationRows(explanation)).toHaveLength(explanation.sections.length + 1);
    const { head, foot } = explanationLines(explanation);
    expect(head[0]).toBe("Mode startup, action display_menu, case 1: a new session.");
    expect(head[2]).toMatch(
      /^Delivered: \d+ characters in 1 of 4 parts of at most 10000, \d+ of 20000 tokens \(part 1: \d+\)\.$/,
    );
    expect(foot).toEqual([]);
  });
});
