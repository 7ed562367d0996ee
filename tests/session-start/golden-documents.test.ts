import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Explanation, explain, explanationLines, explanationRows } from "../../src/session-start/explain.ts";
import type { FileFact, SessionStartFacts } from "../../src/session-start/facts.ts";
import type { SkillKind } from "../../src/skills/skill.ts";
import type { ModeDecision } from "../../src/transcript/detect-mode.ts";
import { partDocuments, singleDocument, wholeDocument } from "./documents.ts";
import { compactFacts, estimate, file, skill, startupFacts, summary } from "./facts.ts";

const compact = (caseNumber: number | null): ModeDecision => ({
  mode: "startup",
  skill: "none",
  action: "continue_working",
  caseNumber,
  why: "a reason",
});
const session = (source: string, id: string | null = "s-1") => ({ id, source, timestamp: null });
const unread = (name: string, kind: Exclude<FileFact["content"]["kind"], "text" | "listed">): FileFact =>
  file(`02-projects/24-demo/${name}.md`, { kind, reason: `is <${kind}>` });
const nothing = { orchestrator: null, goals: null, projects: [], skills: [], state: null, routing: false };
const role = {
  name: "oosh-expert",
  state: "saved",
  checklist: ["Read <this>.", "Go on."],
  contextFile: file("session/agents/oosh-expert.context.md", "# A & B\n"),
};
const manifest = {
  path: "m.md",
  absolutePath: "/home/nexus/m.md",
  nextAction: "plan-project",
  currentSection: null,
  currentTask: null,
  questions: ["Why <this>?", "How?"],
};
const pending = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ skill: `learn-${at}`, time: `${at} min`, path: `learn-${at}/SKILL.md` }));

/** More than there is room for: skills of each kind, projects of each status. */
function crowd(changes: Partial<SessionStartFacts> = {}): SessionStartFacts {
  const kinds: readonly SkillKind[] = ["system", "integration", "user", "project"];
  return startupFacts(
    {
      projects: [
        ...Array.from({ length: 30 }, (_, at) =>
          summary(`${at}-p`, {
            updated: at % 3 === 0 ? null : `2026-01-${String(at).padStart(2, "0")}T00:00:00Z`,
            status: at % 2 === 0 ? "PLANNING" : "IN_PROGRESS",
            percent: at % 5 === 0 ? null : at,
            currentTask: at % 4 === 0 ? null : `Task of ${at}`,
            active: at % 7 !== 6,
          }),
        ),
      ],
      skills: Array.from({ length: 80 }, (_, at) =>
        skill(`skill-${at}`, kinds[at % 4], at % 8 === 0 ? null : `c${at % 3}`),
      ),
      state: { goalsPersonalized: false, workspaceConfigured: false, onboardingComplete: false, pending: pending(7) },
    },
    changes,
  );
}

const SCENARIOS: Readonly<Record<string, SessionStartFacts>> = {
  "startup-firm": startupFacts({}, { role }),
  "startup-plain": startupFacts(
    {
      projects: [summary("24-demo", { status: "PLANNING", percent: null, currentTask: null })],
      state: { goalsPersonalized: false, workspaceConfigured: false, onboardingComplete: true, pending: pending(1) },
    },
    { tone: "plain", session: session("startup", null) },
  ),
  "startup-resting": startupFacts({
    projects: [summary("07-done", { active: false })],
    state: null,
    goals: unread("goals", "empty"),
  }),
  "startup-no-project": startupFacts({ projects: [], skills: [], orchestrator: unread("orchestrator", "too-large") }),
  "startup-bare-firm": startupFacts(nothing),
  "startup-bare-role": startupFacts(nothing, { role, tone: "plain" }),
  "startup-crowd": crowd(),
  "continue-after-skill": startupFacts({}, { decision: compact(4), session: session("compact") }),
  "continue-plain": startupFacts({}, { decision: compact(6), session: session("compact"), tone: "plain" }),
  "continue-unknown": startupFacts({}, { decision: compact(null), session: session("<other>") }),
  "compact-firm": compactFacts(),
  "compact-plain": compactFacts({ confidence: "medium", currentTask: null, manifest }, { tone: "plain" }),
  "compact-planning": compactFacts(
    { phase: "planning", confidence: "medium", manifest },
    {
      resumption: { kind: "files-missing", paths: Array.from({ length: 12 }, (_, at) => `f${at}.md`) },
      workTrail: null,
    },
  ),
  "compact-planning-plain": compactFacts(
    { phase: "planning", skillFile: null, files: [] },
    { tone: "plain", role: null, systemFiles: [] },
  ),
  "compact-no-manifest": compactFacts(
    { manifest: null, confidence: null },
    {
      resumption: { kind: "manifest-missing", projectId: "24-<demo>", path: "m.md" },
      session: session("resume"),
      workTrail: "",
    },
  ),
  "compact-no-manifest-plain": compactFacts(
    { manifest: null, phase: "planning" },
    { resumption: null, tone: "plain", session: session("fork") },
  ),
  "compact-unread": compactFacts({
    files: [
      unread("01-overview", "missing"),
      unread("02-overview", "refused"),
      unread("03-overview", "binary"),
      unread("04-overview", "too-large"),
      unread("05-overview", "empty"),
      unread("06-steps", "unreadable"),
      file("07-steps.md", { kind: "listed" }),
      file("08-plan.md", "# Plan\n"),
    ],
    skillFile: file("skill.md", { kind: "listed" }),
  }),
  "loop-firm": compactFacts({}, { loop: { compactions: 3, minutes: 7 } }),
  "loop-plain": startupFacts(
    {},
    { loop: { compactions: 12, minutes: 1 }, tone: "plain", session: session("compact", null) },
  ),
  "loop-long-path": compactFacts(
    { id: `24-${"x".repeat(100)}` },
    { loop: { compactions: 3, minutes: 7 }, documentPath: `/home/${"<y>".repeat(60)}.xml` },
  ),
};

const fixture = (name: string, ending = "xml"): string =>
  readFileSync(new URL(`fixtures/${name}.${ending}`, import.meta.url), "utf8");

describe("the whole document", () => {
  test.each(Object.entries(SCENARIOS))("%s is these bytes", (name, facts) => {
    expect(wholeDocument(facts, estimate)).toBe(fixture(name));
  });
});

describe("documents within a cap", () => {
  const long = (name: string, line: string, count: number) =>
    file(`02-projects/24-demo/01-planning/${name}.md`, line.repeat(count));
  const wide = compactFacts(
    {
      files: [long("01-overview", "What it is & for.\n", 300), long("04-steps", "- [ ] a step of some length\n", 400)],
      skillFile: file("skill.md", "No line ends here. ".repeat(300)),
    },
    { workTrail: "Edited a file\n".repeat(300), delivery: { cap: 4_000, parts: 3 } },
  );

  test("are these bytes, part by part", () => {
    expect(partDocuments(wide, estimate).join("\n\n")).toBe(fixture("parts-compact"));
    expect(partDocuments(crowd({ delivery: { cap: 3_000, parts: 3 } }), estimate).join("\n\n")).toBe(
      fixture("parts-crowd"),
    );
    expect(singleDocument(wide, estimate)).toBe(fixture("single-compact"));
  });

  test("are empty where there is nothing more to say", () => {
    expect(partDocuments(startupFacts(nothing), estimate).map((text) => text === "")).toEqual([
      false,
      true,
      true,
      true,
    ]);
    const loop = { compactions: 3, minutes: 7 };
    expect(partDocuments(compactFacts({}, { loop }), estimate)).toEqual([fixture("loop-firm"), "", "", ""]);
    expect(singleDocument(compactFacts({}, { loop }), estimate)).toBe(fixture("loop-firm"));
  });

  /** Each section with what became of it, in one line. */
  const outline = ({ sections, delivered, whole, warning }: Explanation): string =>
    [
      ...sections.map(
        ({ id, kept, parts, inWholeDocument }) => `${id} ${kept} ${parts.join("+") || "-"} ${inWholeDocument}`,
      ),
      `${delivered.parts.length} parts ${delivered.characters} ${delivered.tokens}/${delivered.budget}`,
      `whole ${whole.characters} ${whole.tokens}/${whole.budget}`,
      warning === null ? "fits" : "warns",
    ].join(", ");

  test.each([600, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000])("of %d characters hold what matters most", (cap) => {
    const rows = fixture("outlines", "txt").split("\n");
    for (const [name, facts] of [
      ["compact", wide],
      ["crowd", crowd()],
    ] as const) {
      for (const [parts, budget] of [
        [1, 10_000],
        [3, 10_000],
        [4, 1_000],
      ] as const) {
        const given = { ...facts, delivery: { cap, parts }, budgets: { startup: budget, compact: budget } };
        expect(rows).toContain(`${name} ${cap} ${parts} ${budget}: ${outline(explain(given, estimate))}`);
      }
    }
  });
});

describe("an explanation", () => {
  test("is these lines", () => {
    const told = (facts: SessionStartFacts): string => {
      const explanation = explain(facts, estimate);
      const { head, foot } = explanationLines(explanation);
      return [...head, ...explanationRows(explanation).map((cells) => cells.join(" | ")), ...foot, ""].join("\n");
    };
    expect(
      [
        compactFacts(),
        crowd({ delivery: { cap: 2_000, parts: 2 }, decision: compact(null) }),
        compactFacts({}, { loop: { compactions: 3, minutes: 7 } }),
      ]
        .map(told)
        .join("\n"),
    ).toBe(fixture("explanations", "txt"));
  });
});
