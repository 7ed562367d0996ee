import { escapeXml } from "../base/xml.ts";
import { followingAction } from "../resume/manifest-values.ts";
import { clipLine, clipPath } from "./clip.ts";
import type { FileFact, ManifestFacts, ProjectFacts, SessionStartFacts } from "./facts.ts";
import { type Marks, markText } from "./marks.ts";

/** The loading sequence, then how the project's phase goes on. */
export function compactInstruction(facts: SessionStartFacts, project: ProjectFacts, marks: Marks): readonly string[] {
  const words = facts.tone === "firm" ? FIRM : PLAIN;
  return [
    ...(project.manifest === null ? [] : loadingSequence(facts, project, project.manifest, marks, words)),
    ...(project.phase === "planning" ? planning : execution)(project, upkeep(facts, project), words),
  ];
}

/** The two ways of saying the same: the marks and capitals of the designs, or plain sentences. */
interface Words {
  readonly firm: boolean;
  readonly rule: readonly string[];
  readonly box: readonly string[];
  readonly tick: string;
  readonly alarm: string;
  readonly warning: string;
  readonly stop: string;
}

const FIRM: Words = {
  firm: true,
  rule: ["=".repeat(80)],
  box: ["═".repeat(24), ""],
  tick: "✓ ",
  alarm: "🚨 ",
  warning: "⚠️ ",
  stop: "🛑 ",
};
const PLAIN: Words = { firm: false, rule: [], box: [], tick: "", alarm: "", warning: "", stop: "" };

const OPENING = [
  "🚨🚨🚨 CATASTROPHIC MANDATORY LOADING SEQUENCE 🚨🚨🚨",
  "⚠️⚠️⚠️ FAILURE TO FOLLOW = COMPLETE CONTEXT LOSS ⚠️⚠️⚠️",
  "🛑🛑🛑 DO NOT SKIP ANY STEP - VALIDATION REQUIRED 🛑🛑🛑",
  "",
];

/** What a gate asks where the manifest has no questions of its own. */
export const USUAL_QUESTIONS = [
  "What problem are we solving? (from overview.md)",
  "What is the next task? (from steps.md)",
  "What is the approach? (from plan.md)",
];

function loadingSequence(
  { session }: SessionStartFacts,
  project: ProjectFacts,
  manifest: ManifestFacts,
  marks: Marks,
  words: Words,
): readonly string[] {
  const { firm, box, tick, warning, stop } = words;
  const path = clipPath(manifest.absolutePath, 400);
  // A manifest that says what the boxes no longer do would send the agent two ways.
  const action = NO_ACTION.test(manifest.nextAction) ? "" : manifest.nextAction;
  const next = clipLine(followingAction(action, project.skill) ?? action, 120);
  const count = project.files.length;
  const questions = manifest.questions.length === 0 ? USUAL_QUESTIONS : manifest.questions;
  const step = (number: number, title: string, plain: string) =>
    firm ? `${tick}STEP ${number}: ${title}` : `Step ${number}: ${plain}`;
  return [
    ...(firm ? OPENING : ["Loading sequence after a loss of context.", ""]),
    ...box,
    `DETECTED: Auto-resume after ${session.source === "compact" ? "compaction" : "a session was resumed"}${project.confidence === null ? "" : ` (confidence: ${project.confidence})`}`,
    ...mediumWarning(project, words),
    "",
    `PROJECT DETECTED: ${clipLine(project.id, 160)}`,
    `CURRENT PHASE: ${project.phase}`,
    `CURRENT TASK: ${taskText(project)}`,
    "",
    ...box,
    firm ? "YOU MUST FOLLOW THIS EXACT SEQUENCE:" : "Follow these steps in their order.",
    "",
    step(1, "READ RESUME FILE FIRST", "read the resume file first."),
    `   File: ${path}`,
    "   It says which files to load, which questions to answer, and the next action.",
    ...(firm ? [`   ${warning}READ THIS FILE BEFORE ANYTHING ELSE ⚠️`] : []),
    "",
    step(2, "LOAD ALL REQUIRED FILES IN PARALLEL", "load all required files, in parallel."),
    ...(count === 0
      ? ["   files_to_load names none: there is nothing to load."]
      : fileLines(project.files, marks, words)),
    "",
    step(3, "ANSWER VALIDATION QUESTIONS", "answer the validation questions."),
    ...questionLines(questions),
    `   ${warning}If you ${firm ? "CANNOT" : "cannot"} answer these: ${readAgain(count, firm)}`,
    `   ${stop}${firm ? "VALIDATION GATE: Cannot proceed without understanding" : "This is the validation gate: go on only when you understand."}`,
    "",
    step(4, "AUTO-EXECUTE SKILL", "run the next action."),
    `   Skill: ${next}`,
    "   Once the questions are answered, execute it: it goes on with the work where it stopped.",
    "",
    ...box,
    firm ? "CHECKLIST (verify before continuing):" : "Checklist:",
    `[ ] I have read ${path}`,
    ...(count === 0 ? [] : [`[ ] I have loaded ${firm ? "ALL" : "all"} ${count} files from files_to_load`]),
    `[ ] I can answer all ${questions.length} validation questions`,
    "[ ] I understand the current task and context",
    `[ ] I am ready to execute ${next}`,
    "",
    ...consequences(words),
  ];
}

/** What a manifest says of a project that is done: it names no skill to run. */
const NO_ACTION = /^ *none *$/i;

function readAgain(count: number, firm: boolean): string {
  const what =
    count === 0 ? "the project's overview and steps" : firm ? "the files from STEP 2" : "the files of step 2";
  return firm ? `STOP, re-read ${what}` : `stop, and read ${what} again.`;
}

function mediumWarning({ confidence }: ProjectFacts, { firm, warning }: Words): readonly string[] {
  if (confidence !== "medium") return [];
  return firm
    ? [
        "",
        `${warning}MEDIUM CONFIDENCE: Project inferred from references in the transcript`,
        `${warning}If this seems incorrect, inform the user before proceeding`,
      ]
    : ["", "The project was inferred from references in the transcript. If it seems wrong, tell the user first."];
}

function consequences({ firm, box, alarm, warning, stop }: Words): readonly string[] {
  if (!firm) return [];
  return [
    `${alarm}IF YOU SKIP THIS SEQUENCE, YOU WILL:`,
    "   - Lose all project context",
    "   - Break the workflow",
    "   - Produce incorrect results",
    "   - Waste the user's time",
    "",
    `${warning}THIS IS NOT OPTIONAL - THIS IS MANDATORY ⚠️`,
    `${stop}DO NOT RESPOND TO THE USER UNTIL YOU COMPLETE ALL STEPS 🛑`,
    "",
    ...box,
  ];
}

/** Units, once escaped, that the list of files may take: the manifest itself names the rest. */
const FILE_LIST_UNITS = 2500;
const QUESTION_UNITS = 1200;

function fileLines(files: readonly FileFact[], marks: Marks, { firm, alarm }: Words): readonly string[] {
  const lines = within(
    files.map((file, index) => `   ${index + 1}. ${clipPath(file.absolutePath, 300)} (${fileMark(file, marks)})`),
    FILE_LIST_UNITS,
    (rest) => `   … and ${rest} more, listed in the resume file`,
  );
  return [
    firm
      ? "   Files marked (loaded) stand whole in this document: DO NOT re-read them. Read the others with the Read tool:"
      : "   Files marked (loaded) stand whole in this document and need no second reading. Read the others with the Read tool:",
    ...lines,
    `   ${alarm}${firm ? "DO NOT proceed until ALL files are loaded" : "Go on only when all of them are loaded."}`,
    `   ${alarm}${firm ? "If any file is missing, STOP and report error" : "If a file is missing, stop and say which."}`,
  ];
}

function fileMark({ content, absolutePath }: FileFact, marks: Marks): string {
  switch (content.kind) {
    case "text":
      return markText(marks(absolutePath));
    case "listed":
      return markText({ kind: "absent" });
    case "folder":
      return "a folder: read the files in it";
    case "missing":
    case "refused":
    case "binary":
    case "too-large":
    case "empty":
    case "unreadable":
      return clipLine(`${content.kind}: ${content.reason}`, 160);
    default:
      return content satisfies never;
  }
}

function questionLines(questions: readonly string[]): readonly string[] {
  return within(
    questions.map((question, index) => `   ${index + 1}. ${clipLine(question, 300)}`),
    QUESTION_UNITS,
    (rest) => `   … and ${rest} more, in the resume file`,
  );
}

function within(lines: readonly string[], units: number, more: (rest: number) => string): readonly string[] {
  let used = 0;
  // Marks are left out of the count: which lines are named must not hang on what was loaded.
  const end = lines.findIndex((line) => {
    used += escapeXml(line.replace(/ \((?:loaded|read it|cut: read on from line \d+)\)$/, "")).length + 40;
    return used > units;
  });
  return end === -1 ? lines : [...lines.slice(0, end), more(lines.length - end)];
}

function taskText({ currentTask, closed, total, manifest }: ProjectFacts): string {
  if (currentTask !== null) return clipLine(currentTask, 300);
  if (total > 0 && closed === total)
    return `tell the user that ${total === 1 ? "the task is" : `all ${total} tasks are`} done`;
  return manifest?.currentTask == null ? "unknown" : `number ${manifest.currentTask}`;
}

/** The one command that keeps the manifest true; there is none to keep where the project has none. */
function upkeep({ program }: SessionStartFacts, { id, manifest }: ProjectFacts): readonly string[] {
  if (manifest === null) return [];
  return [`- Update resume-context.md then: ${clipLine(program, 200)} resume.update ${clipLine(id, 160)}`];
}

function planning(project: ProjectFacts, kept: readonly string[], words: Words): readonly string[] {
  const { firm, rule } = words;
  return [
    ...phaseHeading("PROJECT PLANNING CONTINUATION", "The project is being planned", words),
    `Project: ${clipLine(project.id, 160)}`,
    "Phase: PLANNING (Phase 1 incomplete)",
    "",
    step(1, "Initialize task list", words),
    "- Read the Phase 1 tasks of 04-steps.md",
    "- If you have a task list tool, use it: all unchecked planning tasks, the first one in progress",
    "",
    step(2, "Follow plan-project skill", words),
    "- Complete planning documents: overview, discovery, plan, steps",
    "- Use mental models for key decisions (suggest them where they fit)",
    "- Pause for user confirmation at each document",
    "",
    step(3, "Update progress", words),
    "- Mark tasks [x] as completed in 04-steps.md",
    ...kept,
    "",
    ...rule,
    `Current task: ${taskText(project)}`,
    `${firm ? "DO NOT" : "Do not"} start implementation until ${firm ? "ALL" : "all"} Phase 1 tasks are [x] complete.`,
    ...start("current planning task", words),
    ...rule,
  ];
}

function execution(project: ProjectFacts, kept: readonly string[], words: Words): readonly string[] {
  const { rule } = words;
  return [
    ...phaseHeading("PROJECT EXECUTION CONTINUATION", "The project is being carried out", words),
    `Project: ${clipLine(project.id, 160)}`,
    "Phase: EXECUTION (Phase 1 complete, implementing)",
    "",
    step(1, "Initialize task list", words),
    "- Read 04-steps.md for the current execution phase",
    "- Find the first unchecked [ ] task",
    "- If you have a task list tool, use it: the remaining tasks, the current one in progress",
    "",
    step(2, "Follow execute-project skill", words),
    "- Work on ONE task at a time",
    "- Mark [x] complete as soon as it is done",
    "- Move to the next unchecked task; skip none",
    "",
    step(3, "Track progress", words),
    "- Update 04-steps.md checkboxes as you complete",
    ...kept,
    "",
    ...rule,
    `Current task: ${taskText(project)}`,
    ...start("this task", words),
    ...rule,
  ];
}

function phaseHeading(title: string, plain: string, { firm, rule }: Words): readonly string[] {
  return firm ? [...rule, `MANDATORY: ${title}`, ...rule, ""] : ["", `${plain}.`, ""];
}

function step(number: number, title: string, { firm }: Words): string {
  return firm ? `STEP ${number} - MANDATORY: ${title}` : `Step ${number}: ${title}`;
}

/** The work was the user's wish before the loss; what the user says now comes first. */
function start(what: string, { firm }: Words): readonly string[] {
  return [
    firm
      ? `DO NOT display menu. DO NOT ask what to do. START on ${what} immediately.`
      : `No menu, and no question what to do: go on with ${what}.`,
    "It is what the user asked for before; where the user now asks for something else, that comes first.",
  ];
}
