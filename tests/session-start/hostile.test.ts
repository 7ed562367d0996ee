import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { budgetOf } from "../../src/session-start/document.ts";
import type { SessionStartFacts } from "../../src/session-start/facts.ts";
import { loopDocument } from "../../src/session-start/loop-document.ts";
import { startSets } from "../../src/session-start/parts.ts";
import { isList } from "../../src/session-start/placement.ts";
import { partDocuments, singleDocument, wholeDocument } from "./documents.ts";
import { estimate } from "./facts.ts";
import { hostileFacts } from "./hostile-facts.ts";
import { all, type Read, readDocument } from "./read-document.ts";

const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/gu;
const runs = { numRuns: 12 };

/** Every text that a file of these facts may show. */
function fileTexts({ startup, project, systemFiles, role, workTrail }: SessionStartFacts): readonly string[] {
  const files = [
    startup.orchestrator,
    startup.goals,
    ...(project?.files ?? []),
    project?.skillFile,
    ...systemFiles,
    role?.contextFile,
  ];
  const texts = files.flatMap((file) => (file?.content.kind === "text" ? [file.content.text] : []));
  return [...texts, ...(workTrail === null ? [] : [workTrail])].map((text) => text.replace(FORBIDDEN, "\uFFFD"));
}

const FILE_ELEMENTS = ["orchestrator-file", "user-goals", "file", "skill-file", "context-file", "work-trail"];

function shownFiles(root: Read): readonly Read[] {
  return FILE_ELEMENTS.flatMap((name) => all(root, name)).filter(({ attributes }) => attributes.state === undefined);
}

/** These hold several files or items, which may stand in different parts. */
const SPREAD = [
  "project-files",
  "system-files",
  "role-context",
  "active-projects",
  "system-skills",
  "integration-skills",
  "user-skills",
  "project-skills",
];

describe("whatever the files hold, a document", () => {
  test("is well-formed, valid and within both limits", () => {
    fc.assert(
      fc.property(hostileFacts, (facts) => {
        const whole = wholeDocument(facts, estimate);
        const single = singleDocument(facts, estimate);
        const parts = partDocuments(facts, estimate);
        for (const xml of [whole, single, ...parts]) if (xml !== "") readDocument(xml);
        expect(estimate(whole)).toBeLessThanOrEqual(budgetOf(facts));
        expect(estimate(single)).toBeLessThanOrEqual(budgetOf(facts));
        expect(parts.reduce((sum, part) => sum + estimate(part), 0)).toBeLessThanOrEqual(budgetOf(facts));
        for (const xml of [single, ...parts]) expect(xml.length).toBeLessThanOrEqual(facts.delivery.cap);
      }),
      runs,
    );
  });

  test("shows the start of each file as it is, cut where it says", () => {
    fc.assert(
      fc.property(hostileFacts, (facts) => {
        const texts = fileTexts(facts);
        for (const file of shownFiles(readDocument(wholeDocument(facts, estimate)))) {
          const [cut] = all(file, "cut");
          const left = cut === undefined ? 0 : Number(cut.attributes["characters-left"]);
          expect(texts.some((text) => text.length === file.text.length + left && text.startsWith(file.text))).toBe(
            true,
          );
        }
      }),
      runs,
    );
  });

  test("is the same from the same facts", () => {
    fc.assert(
      fc.property(hostileFacts, (facts) => {
        const again = structuredClone(facts);
        expect(partDocuments(again, estimate)).toEqual(partDocuments(facts, estimate));
        expect(wholeDocument(again, estimate)).toBe(wholeDocument(facts, estimate));
      }),
      { numRuns: 10 },
    );
  });

  test("in parts holds every kept section once", () => {
    fc.assert(
      fc.property(hostileFacts, (facts) => {
        const { documents, placements } = startSets(facts, estimate, "parts").delivered;
        const roots = documents.map(readDocument);
        const count = (...names: string[]) => roots.flatMap((root) => names.flatMap((name) => all(root, name))).length;
        const placed = placements.filter((placement) => !isList(placement) && placement.at !== null);
        for (const { section } of placed) expect(count(section)).toBeGreaterThan(0);
        const tops = roots.flatMap((root) => root.children.map(({ name }) => name));
        const single = tops.filter((name) => name !== "omitted" && !SPREAD.includes(name));
        expect(new Set(single).size).toBe(single.length);
        const bareRoles = roots
          .flatMap((root) => all(root, "role-context"))
          .filter(({ children }) => children.length === 0);
        expect(single.length + count("file", "context-file", "checklist") + bareRoles.length).toBe(placed.length);
        const skills = roots.flatMap((root) => all(root, "skill")).filter(({ attributes }) => "action" in attributes);
        const items = placements.reduce((sum, placement) => sum + (isList(placement) ? placement.items.length : 0), 0);
        expect(count("project") + skills.length).toBe(items);
      }),
      runs,
    );
  });

  test("in a loop is at most 1 000 characters", () => {
    fc.assert(
      fc.property(hostileFacts, fc.integer({ min: 1, max: 99 }), (facts, compactions) => {
        const xml = loopDocument(facts, { compactions, minutes: 10 });
        expect(xml.length).toBeLessThanOrEqual(1000);
        readDocument(xml);
      }),
      { numRuns: 15 },
    );
  });
});
