import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_CONFIG } from "../../src/config/default-config.ts";
import { startDocuments } from "../../src/documents.ts";
import { explain } from "../../src/session-start/explain.ts";
import type { StartFacts } from "../../src/session-start/start-documents.ts";
import { detectMode } from "../../src/transcript/detect-mode.ts";
import { partDocuments, singleDocument, wholeDocument } from "./documents.ts";
import { compactFacts, estimate, file, startupFacts } from "./facts.ts";
import { hostileFacts } from "./hostile-facts.ts";
import { all, readDocument } from "./read-document.ts";

const NOTHING = { project: null, confidence: null, switched: false, talkedSince: false, otherSkill: null };
const LEAST: StartFacts = {
  session: { source: "startup" },
  decision: detectMode({ source: "startup", detection: NOTHING, phase: null }),
};

describe("the documents of a start, from facts", () => {
  test("are those that the hook gives, in parts and in one", () => {
    for (const facts of [startupFacts(), compactFacts()]) {
      const made = startDocuments(facts);
      expect(made.whole).toBe(wholeDocument(facts, estimate));
      expect(made.parts).toEqual(partDocuments(facts, estimate).filter((part) => part !== ""));
      const one = { ...facts, delivery: { cap: 10_000, parts: 1 } };
      expect(startDocuments(one).parts).toEqual([singleDocument(one, estimate)]);
    }
  });

  test("need no more than how it began and what was decided; the settings are those of a project without any", () => {
    const made = startDocuments(LEAST);
    expect(made).toMatchObject({ mode: "startup", losses: [] });
    expect(made.parts).toHaveLength(1);
    expect(readDocument(made.whole).name).toBe("nexus-context");
    const { tone, budgets, delivery } = DEFAULT_CONFIG;
    expect(startDocuments({ ...LEAST, tone, budgets, delivery })).toEqual(made);
    expect(startDocuments({ ...LEAST, tone: "plain" }).whole).not.toBe(made.whole);
  });

  test("are the same where a fact is said to be nothing", () => {
    const empty = { role: null, project: null, resumption: null, workTrail: null, documentPath: null, loop: null };
    const startup = { orchestrator: null, goals: null, projects: [], skills: [], state: null, routing: false };
    expect(startDocuments({ ...LEAST, ...empty, systemFiles: [], startup })).toEqual(startDocuments(LEAST));
    // What a caller of JavaScript writes.
    const unknown = JSON.parse('{"role":null}', () => undefined);
    expect(unknown).toBeUndefined();
    const undefinedFacts: StartFacts = Object.assign({ ...LEAST }, { role: unknown, project: unknown, loop: unknown });
    expect(startDocuments(undefinedFacts)).toEqual(startDocuments(LEAST));
  });

  test("name the folders that the caller gives for its skills, and the program as context where it has no other name", () => {
    const { startup } = startupFacts();
    const { skillLocations: _, ...usual } = startup;
    const own = { system: "a/own/", integration: "b/own/", user: "c/own/", project: "d/own/" };
    const made = startDocuments({ ...LEAST, startup: { ...startup, skillLocations: own } }).whole;
    expect(made).toContain('="c/own/"');
    expect(startDocuments({ ...LEAST, startup: usual }).whole).not.toContain('="c/own/"');
    const resumption = {
      kind: "front-matter-invalid",
      projectId: "24-demo",
      path: "a.md",
      line: 1,
      column: 1,
    } as const;
    const broken = { ...LEAST, resumption: { ...resumption, problem: "it does not parse", migrates: false } };
    expect(startDocuments(broken).whole).toContain("context resume.validate 24-demo");
  });

  test("list skills in one order through all parts, as far as there is room, however long their names are", () => {
    const skills = Array.from({ length: 900 }, (_, at) => {
      const name = `s${String(at).padStart(3, "0")}-${"x".repeat((at * 37) % 50)}`;
      return {
        name,
        description: "Does it.",
        path: `03-skills/${name}/SKILL.md`,
        kind: "user",
        category: null,
      } as const;
    });
    const { parts } = startDocuments({ ...LEAST, startup: { ...startupFacts().startup, skills } });
    const listed = parts.flatMap((part) =>
      [...part.matchAll(/\bs(\d{3})-x*(?=[",;<\s])/g)].map(([, number]) => Number(number)),
    );
    expect(listed.length).toBeGreaterThan(200);
    expect(listed).toEqual(Array.from(listed, (_, at) => at));
  });

  test("say what found no room, and count what they cost", () => {
    const long = file("02-projects/24-demo/01-planning/04-steps.md", "- [ ] a task with some words\n".repeat(5000));
    const made = startDocuments(compactFacts({ files: [long] }));
    expect(made.losses.map(({ section }) => section)).toContain("project-files");
    expect(made.parts.length).toBeLessThanOrEqual(4);
    expect(made.tokens).toBe(made.parts.reduce((sum, part) => sum + estimate(part), 0));
    expect(made.tokens).toBeLessThanOrEqual(10_000);
    const words = (text: string) => text.split(/\s+/).length;
    expect(startDocuments(LEAST, words).tokens).toBe(words(startDocuments(LEAST).parts[0] ?? ""));
  });

  test("are one short document in a loop of compactions", () => {
    const made = startDocuments(compactFacts({}, { loop: { compactions: 4, minutes: 6 } }));
    expect(made.parts).toHaveLength(1);
    expect(all(readDocument(made.parts[0] ?? ""), "loop")).toHaveLength(1);
    expect(made.parts[0]?.length).toBeLessThan(1000);
    expect(made.whole.length).toBeGreaterThan(1000);
  });

  test("are of the mode that was decided, and of a startup where no project is given", () => {
    expect(startDocuments(compactFacts()).mode).toBe("compact");
    expect(startDocuments(compactFacts({}, { project: null })).mode).toBe("startup");
  });

  test("keep the cap and parse, whatever stands in the facts", () => {
    fc.assert(
      fc.property(hostileFacts, (facts) => {
        const { parts, losses } = startDocuments(facts);
        expect(parts.length).toBeGreaterThanOrEqual(1);
        expect(parts.length).toBeLessThanOrEqual(facts.delivery.parts);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(facts.delivery.cap);
          readDocument(part);
        }
        if (facts.loop !== null || facts.delivery.parts === 1) return;
        const told = explain(facts, estimate);
        expect(losses.map(({ section }) => section).sort()).toEqual(
          told.sections.flatMap(({ kept, id }) => (kept === "whole" ? [] : [id])).sort(),
        );
      }),
      { numRuns: 20 },
    );
  });
});
