import type { SessionStartFacts } from "./facts.ts";
import { type Element, element, textElement } from "./vocabulary.ts";

type Tone = SessionStartFacts["tone"];

interface PrimarySkill {
  readonly name: string;
  readonly priority: "HIGH" | "MEDIUM";
  readonly triggers: readonly string[];
  readonly action: string;
  readonly when?: readonly string[];
}

/** Which skill a request belongs to: the same for every project. */
export function coreRouting(tone: Tone): Element {
  const critical = tone === "firm" ? "CRITICAL" : null;
  const always = tone === "firm" ? "ALWAYS " : "";
  return element("core-routing", { importance: critical }, [
    element(
      "primary-skills",
      {},
      PRIMARY_SKILLS.map((skill) => primarySkill(skill, tone)),
    ),
    element(
      "routing-priority",
      {},
      ROUTING.map((rule, index) => textElement("rule", rule, { priority: index + 1 })),
    ),
    rules("never-do", NEVER, critical, (rule) => `Never ${rule}`),
    rules("always-do", ALWAYS, critical, (rule) => (always === "" ? capitalized(rule) : `${always}${rule}`)),
    element("mode-rules", {}, [
      textElement("rule", "Project status=PLANNING: discuss the approach, fill in the templates", { mode: "planning" }),
      textElement("rule", "Project status=IN_PROGRESS: follow the boxes of 04-steps.md", { mode: "execution" }),
    ]),
  ]);
}

function primarySkill({ name, priority, triggers, action, when }: PrimarySkill, tone: Tone): Element {
  const order = tone === "firm" && name === "plan-project" ? `ALWAYS ${action}` : capitalized(action);
  return element("skill", { name, priority }, [
    ...triggers.map((trigger) => textElement("trigger", trigger)),
    textElement("action", order),
    ...(when === undefined
      ? []
      : [
          element(
            "proactive-suggest",
            {},
            when.map((occasion) => textElement("when", occasion)),
          ),
        ]),
  ]);
}

function rules(
  name: "never-do" | "always-do",
  sentences: readonly string[],
  importance: string | null,
  worded: (rule: string) => string,
): Element {
  return element(
    name,
    { importance },
    sentences.map((rule) => textElement("rule", worded(rule))),
  );
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const PRIMARY_SKILLS: readonly PrimarySkill[] = [
  {
    name: "plan-project",
    priority: "HIGH",
    triggers: [
      "User wants to START something NEW that ends in a deliverable",
      "User describes a task or goal and names no existing project",
      'User says "I want to...", "Help me...", "Can you...", "Let\'s..."',
      "User asks for substantial work, more than an answer",
    ],
    action: "suggest creating a project first, then load plan-project/SKILL.md",
  },
  {
    name: "execute-project",
    priority: "HIGH",
    triggers: [
      "User refers to an EXISTING project by name, ID or number",
      'User says "continue", "resume", "work on [project]"',
    ],
    action: "load the project's context and execute-project/SKILL.md",
  },
  {
    name: "create-skill",
    priority: "MEDIUM",
    triggers: [
      "User wants to AUTOMATE work that repeats",
      'User describes something done "every time", "always", "repeatedly"',
    ],
    action: "load create-skill/SKILL.md",
  },
  {
    name: "mental-models",
    priority: "MEDIUM",
    triggers: [
      "User has a decision to make or options to compare",
      "User is stuck, unsure, or weighs one thing against another",
      'User says "help me think", "what should I consider", "pros and cons"',
      "A project is being planned (suggest it unasked)",
    ],
    action: "load mental-models/SKILL.md, suggest 2-3 frameworks that fit",
    when: [
      "In plan-project Phase 6 (03-plan.md)",
      "User names several options and none clearly leads",
      "Much depends on the decision",
    ],
  },
];

const ROUTING = [
  "Onboarding incomplete: suggest a learning skill, with its action",
  "A skill's trigger word: load that skill's SKILL.md",
  "A project by name, ID or number: execute-project",
  "A new task without a project: SUGGEST plan-project (load SKILL.md)",
  "A decision or analysis: SUGGEST mental-models (unasked while planning)",
  "An integration's name: load its {name}-connect skill",
  "Nothing of these: answer naturally, and consider whether it should be a project",
];

const NEVER = [
  "create PROJECTS before plan-project/SKILL.md is loaded",
  "create SKILLS before create-skill/SKILL.md is loaded",
  "create their folders by hand; use the skills",
  "load a learning skill unasked; suggest it with its action, the user decides",
  "go into project files on your own; use the execute-project skill",
  "start substantial work without a project; suggest plan-project",
];

const ALWAYS = [
  "work inside a project when the work is substantial",
  "suggest plan-project before new work starts",
  "load a skill's SKILL.md before following its workflow",
  "check 04-steps.md for the progress when resuming",
];
