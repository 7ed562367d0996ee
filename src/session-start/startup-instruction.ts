import { clipLine } from "./clip.ts";
import type { SessionStartFacts, StartupFacts } from "./facts.ts";
import { holdsSomething } from "./holds-something.ts";
import { firstActive } from "./project-order.ts";

const RULE = "=".repeat(80);

/** Cases 1 and 10: the menu, suggestions by the state, and where requests go. */
export function menuInstruction(facts: SessionStartFacts): readonly string[] {
  const firm = facts.tone === "firm";
  if (!hasMenu(facts.startup)) return bareInstruction(facts, firm);
  const step = (number: number, text: string) =>
    firm ? `STEP ${number} - MANDATORY: ${text}` : `Step ${number}: ${text}`;
  return [
    ...heading(firm, "STARTUP SEQUENCE", "Start of a session"),
    "",
    step(1, "Display Nexus menu"),
    "- Show ASCII banner",
    "- Show active projects with progress",
    "- Show suggested next actions",
    "",
    step(2, "Adjust suggestions based on state"),
    ...suggestionsByState(facts, firm),
    "",
    step(3, "Route user input correctly"),
    `- New work request: ${firm ? "ALWAYS suggest" : "suggest"} plan-project first, then load skill`,
    "- Project reference: load execute-project skill",
    "- Skill trigger: load matched skill",
    "",
    ...closing(firm, ["Wait for user input after displaying menu.", ASKED]),
  ];
}

/** `claude -p`, and a plan that the agent begins with a cleared context: nobody is there to wait for. */
const ASKED = "If the user has already asked for something, do that instead.";

/**
 * Whether there is anything that a menu could show. Skills that a folder has for its client alone, and none of them for
 * projects, make it no workspace: the client lists them itself, and what the menu sends to would not be there.
 */
export function hasMenu({ orchestrator, projects, skills, routing }: StartupFacts): boolean {
  return orchestrator !== null || projects.length > 0 || skills.some(({ kind }) => routing || kind !== "project");
}

/** A folder without projects: a menu would be an empty page. */
function bareInstruction({ role, startup }: SessionStartFacts, firm: boolean): readonly string[] {
  const name = role?.name ?? null;
  const file = role?.contextFile ?? null;
  const hasFile = file !== null && holdsSomething(file.content);
  const lines =
    name === null
      ? [
          `There are no projects${startup.skills.length === 0 ? " and no skills" : ""} here: there is no menu to display.`,
        ]
      : hasFile
        ? [
            `Your role is ${clipLine(name, 80)}: its context file stands in role-context.`,
            "If it has work under Pending, follow its Recovery Steps, in their order.",
          ]
        : [`Your role is ${clipLine(name, 80)}: follow the checklist in role-context.`];
  return [
    ...heading(firm, "STARTUP SEQUENCE", "Start of a session"),
    "",
    ...lines,
    "",
    ...closing(firm, [closingLine(name, hasFile), ASKED]),
  ];
}

function closingLine(name: string | null, hasFile: boolean): string {
  if (name === null) return "Wait for user input.";
  return hasFile ? "If it has none, wait for user input." : "Then wait for user input.";
}

function suggestionsByState({ startup }: SessionStartFacts, firm: boolean): readonly string[] {
  const first = (text: string) => (firm ? `Prioritize: ${text}` : `put first: ${text}`);
  const lines: string[] = [];
  const [pending] = startup.state?.pending ?? [];
  if (startup.state !== null && !startup.state.onboardingComplete && pending !== undefined)
    lines.push(
      `- onboarding_incomplete - ${first(`"Complete ${clipLine(pending.skill, 80)} to unlock full potential"`)}`,
    );
  const project = firstActive(startup.projects);
  if (project !== undefined) {
    const progress = project.percent === null ? "" : ` at ${project.percent}%`;
    lines.push(`- has_active_projects - ${first(`"Continue ${clipLine(project.name, 120)}${progress}"`)}`);
  }
  if (startup.projects.length === 0)
    lines.push(`- no_projects - ${first("\"Start your first project: 'plan a project to [goal]'\"")}`);
  return lines.length === 0 ? ["- Nothing to put first: no project is active"] : lines;
}

/** Cases 4 to 6, and sources this tool does not know: no menu, the talk goes on. */
export function continueInstruction(facts: SessionStartFacts): readonly string[] {
  const firm = facts.tone === "firm";
  const not = firm ? "DO NOT" : "Do not";
  return [
    ...heading(firm, "CONTINUE SESSION (NO PROJECT CONTEXT)", "The session goes on, without a project"),
    "",
    ...whatHappened(facts, firm),
    "",
    `${not} display menu.`,
    `${not} ask "how can I help?"`,
    "",
    "Continue naturally from where the conversation left off.",
    ...(hasMenu(facts.startup) ? ["If the user starts new work, suggest the plan-project skill."] : []),
    "",
    ...closing(firm, []),
  ];
}

function whatHappened({ session, decision }: SessionStartFacts, firm: boolean): readonly string[] {
  if (decision.caseNumber === 10) return ["An earlier session goes on; its transcript is not there to read yet."];
  if (session.source !== "compact") return ["The session starts for a reason this tool does not know."];
  const not = firm ? "NOT" : "not";
  return decision.caseNumber === 4
    ? [
        "Previous session was compacted.",
        `User had moved on from the project to another skill: the work was ${not} on a project.`,
      ]
    : [`Previous session was compacted. User was ${not} working on a project.`];
}

function heading(firm: boolean, title: string, plain: string): readonly string[] {
  return firm ? [RULE, `MANDATORY: ${title}`, RULE] : [`${plain}.`];
}

function closing(firm: boolean, lines: readonly string[]): readonly string[] {
  if (!firm) return lines;
  return lines.length === 0 ? [RULE] : [RULE, ...lines, RULE];
}
