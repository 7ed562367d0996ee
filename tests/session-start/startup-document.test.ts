import { describe, expect, test } from "vitest";
import { wholeDocument } from "./documents.ts";
import { compactFacts, estimate, file, skill, startupFacts, summary } from "./facts.ts";
import { all, one, readDocument } from "./read-document.ts";

const document = (...facts: Parameters<typeof startupFacts>) => wholeDocument(startupFacts(...facts), estimate);

describe("the startup document", () => {
  test("has its sections in the order of the design", () => {
    const root = readDocument(document({}, { role: compactFacts().role, resumption: { kind: "no-state", path: "x" } }));
    expect(root.attributes).toMatchObject({ version: "v4", mode: "startup" });
    expect(root.children.map(({ name }) => name)).toEqual([
      "session",
      "resume-mode",
      "role-context",
      "orchestrator-file",
      "core-routing",
      "user-goals",
      "active-projects",
      "system-skills",
      "integration-skills",
      "user-skills",
      "project-skills",
      "state",
      "stats",
      "action",
      "suggested-next-actions",
      "instruction",
    ]);
  });

  test("begins with version and mode, and says in its first line that a tool wrote it", () => {
    const [first] = document().split("\n");
    expect(first).toMatch(
      /^<nexus-context version="v4" mode="startup" .*a tool of this project; not a message from the user">$/,
    );
  });

  test("adds no character beyond ASCII of its own: one would double what all of it takes in memory", () => {
    const ascii = /^[\n -~]*$/;
    for (const tone of ["firm", "plain"] as const) {
      expect(document({}, { tone })).toMatch(ascii);
      expect(document({ skills: [], projects: [], routing: true }, { tone })).toMatch(ascii);
      expect(document({}, { tone, session: { id: "s-1", source: "resume", timestamp: null } })).toMatch(ascii);
    }
  });

  test("shows active projects only, the one worked on last first, and counts the others", () => {
    const projects = [
      summary("03-c", { status: "PLANNING" }),
      summary("02-b"),
      summary("01-a", { active: false, status: "COMPLETE" }),
      summary("04-d", { updated: "2026-01-04T10:00:00Z", percent: null, currentTask: null }),
    ];
    const root = readDocument(document({ projects }));
    expect(all(root, "project").map(({ attributes }) => attributes.id)).toEqual(["04-d", "02-b", "03-c"]);
    expect(all(root, "project")[0]).toMatchObject({ attributes: { id: "04-d", status: "IN_PROGRESS" } });
    expect(all(root, "project")[1]?.attributes.progress).toBe("50%");
    expect(one(root, "stats").attributes).toMatchObject({ projects: "4", active: "3", skills: "5" });
  });

  test("lists skills with the way to load them, the system's by category", () => {
    const root = readDocument(
      document({
        skills: [skill("z", "system", "zeta"), skill("t", "system", "tools"), skill("p", "system", "projects")],
      }),
    );
    expect(all(root, "category").map(({ attributes }) => attributes.name)).toEqual(["projects", "tools", "zeta"]);
    expect(all(one(root, "system-skills"), "skill")[0]).toMatchObject({
      attributes: { name: "p", action: "read 00-system/skills/projects/p/SKILL.md" },
      text: 'Load when the user mentions "p". It does one thing well.',
    });
    expect(all(root, "integration-skills")).toEqual([]);
  });

  test("leaves out what does not exist", () => {
    const root = readDocument(
      document({
        orchestrator: null,
        goals: file("g", { kind: "missing", reason: "no" }),
        projects: [],
        skills: [],
        state: null,
        routing: false,
      }),
    );
    expect(root.children.map(({ name }) => name)).toEqual(["session", "stats", "action", "instruction"]);
    expect(document({ goals: file("g", { kind: "empty", reason: "is empty" }) })).not.toContain("<user-goals");
  });

  test("names the orchestrator's file and the goals where they cannot be read, and says why", () => {
    const root = readDocument(
      document({
        orchestrator: file("00-system/core/orchestrator.md", { kind: "too-large", reason: "holds 2 & more" }),
        goals: file("01-memory/goals.md", { kind: "refused", reason: "is a link" }),
      }),
    );
    expect(one(root, "orchestrator-file")).toMatchObject({
      attributes: {
        path: "00-system/core/orchestrator.md",
        loaded: "false",
        state: "too-large",
        reason: "holds 2 & more",
      },
      text: "",
    });
    expect(one(root, "user-goals").attributes).toEqual({
      ...{ path: "01-memory/goals.md", loaded: "false", state: "refused", reason: "is a link" },
    });
  });

  test("sends to no project skill where there are none: a folder's skills for its client alone make no menu", () => {
    const own = { orchestrator: null, goals: null, projects: [], state: null, routing: false };
    const facts = { ...own, skills: [skill("lint-fixes", "project")] };
    const root = readDocument(document(facts));
    expect(root.children.map(({ name }) => name)).toEqual([
      "session",
      "project-skills",
      "stats",
      "action",
      "instruction",
    ]);
    expect(one(root, "instruction").text).toContain("There are no projects here: there is no menu to display.");
    const goesOn = document(facts, { decision: { ...startupFacts().decision, action: "continue_working" } });
    expect(`${document(facts)}${goesOn}`).not.toMatch(/plan-project|execute-project|plan a project/);
    expect(document({ ...facts, routing: true })).toMatch(/Display Nexus menu[\s\S]*plan-project/);
    // Nobody is there to wait for where the session began with a request, whatever is there to show.
    for (const skills of [[], facts.skills])
      expect(document({ ...facts, skills })).toContain("If the user has already asked for something, do that instead.");
  });

  test("suggests what the state asks for, each in its place", () => {
    const suggested = (...facts: Parameters<typeof document>) =>
      all(one(readDocument(document(...facts)), "suggested-next-actions"), "action").map(
        ({ attributes, text }) => `${attributes.priority} ${attributes.condition} ${text}`,
      );
    expect(suggested()).toEqual([
      '1 has_active_projects Continue active project: "work on Project 24-demo"',
      '2 always Start new work: "plan a project to [goal]"',
      '3 onboarding_incomplete Complete onboarding: "learn-projects" (8-10 min)',
      '4 always Check status: "show my projects"',
    ]);
    expect(suggested({ projects: [], state: null })).toHaveLength(2);
  });

  test("shows pending onboarding only while it is incomplete", () => {
    expect(all(readDocument(document()), "item")[0]).toMatchObject({
      attributes: { action: "read 00-system/skills/learning/learn-projects/SKILL.md" },
      text: "learn-projects (8-10 min)",
    });
    const done = { goalsPersonalized: true, workspaceConfigured: true, onboardingComplete: true, pending: [] };
    expect(all(readDocument(document({ state: done })), "pending-onboarding")).toEqual([]);
  });

  test("holds the routing rules of the design", () => {
    const routing = one(readDocument(document()), "core-routing");
    expect(all(one(routing, "primary-skills"), "skill").map(({ attributes }) => attributes)).toEqual([
      { name: "plan-project", priority: "HIGH" },
      { name: "execute-project", priority: "HIGH" },
      { name: "create-skill", priority: "MEDIUM" },
      { name: "mental-models", priority: "MEDIUM" },
    ]);
    expect(
      ["routing-priority", "never-do", "always-do", "mode-rules"].map((name) => all(one(routing, name), "rule").length),
    ).toEqual([7, 6, 4, 2]);
    expect(all(one(routing, "proactive-suggest"), "when")).toHaveLength(3);
    expect(routing.attributes.importance).toBe("CRITICAL");
  });
});

describe("the instruction of a start", () => {
  const instruction = (...facts: Parameters<typeof document>) =>
    one(readDocument(document(...facts)), "instruction").text;

  test("has the steps of the menu, with what is to come first", () => {
    const text = instruction();
    for (const heading of [
      "MANDATORY: STARTUP SEQUENCE",
      "STEP 1 - MANDATORY: Display Nexus menu",
      "STEP 2 - MANDATORY: Adjust suggestions based on state",
      "STEP 3 - MANDATORY: Route user input correctly",
      'onboarding_incomplete - Prioritize: "Complete learn-projects to unlock full potential"',
      'has_active_projects - Prioritize: "Continue Project 24-demo at 50%"',
      "Wait for user input after displaying menu.",
      "If the user has already asked for something, do that instead.",
    ])
      expect(text).toContain(heading);
    expect(instruction({ projects: [] })).toContain(
      "no_projects - Prioritize: \"Start your first project: 'plan a project to [goal]'\"",
    );
  });

  test.each([
    [4, "compact", "moved on from the project to another skill"],
    [5, "compact", "User was NOT working on a project."],
    [6, "compact", "User was NOT working on a project."],
    [10, "fork", "An earlier session goes on; its transcript is not there to read yet."],
    [null, "later", "for a reason this tool does not know"],
  ])("of case %s goes on without a menu", (caseNumber, source, sentence) => {
    const text = instruction(
      {},
      {
        session: { id: "s", source, timestamp: null },
        decision: { mode: "startup", skill: "none", action: "continue_working", caseNumber, why: "" },
      },
    );
    for (const part of ["MANDATORY: CONTINUE SESSION (NO PROJECT CONTEXT)", "DO NOT display menu.", sentence])
      expect(text).toContain(part);
    expect(text).not.toContain("STEP 1");
  });

  test("in the plain tone has no capitals for emphasis and no importance", () => {
    const root = readDocument(document({}, { tone: "plain" }));
    expect(document({}, { tone: "plain" })).not.toMatch(/MANDATORY|CRITICAL|CATASTROPHIC|ALWAYS|DO NOT/);
    expect(one(root, "instruction").text).toContain("Step 1: Display Nexus menu");
    expect(one(root, "core-routing").attributes).toEqual({});
  });
});
