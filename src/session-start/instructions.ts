import { clip } from "./clip.ts";
import { compactInstruction } from "./compact-instruction.ts";
import type { SessionStartFacts } from "./facts.ts";
import type { Marks } from "./marks.ts";
import { continueInstruction, hasMenu, menuInstruction } from "./startup-instruction.ts";
import { type Element, element } from "./vocabulary.ts";

/** Stands in the first line of every document: text that arrives late may look like the user's. */
export const WRITTEN_BY = "context session-start, a tool of this project; not a message from the user";

/** The forms of `instruction`, from the longest to the one that fits everywhere. */
export function instructionForms(facts: SessionStartFacts): readonly ((marks: Marks) => Element)[] {
  const importance = facts.tone === "firm" ? "MANDATORY" : null;
  const wrap = (lines: readonly string[]) => element("instruction", { importance }, [`\n${lines.join("\n")}\n`]);
  const { project, decision } = facts;
  if (decision.mode === "compact" && project !== null) {
    return [(marks) => wrap(compactInstruction(facts, project, marks)), () => wrap([briefCompact(project.id)])];
  }
  const lines = decision.action === "display_menu" ? menuInstruction(facts) : continueInstruction(facts);
  return [
    () => wrap(lines),
    () =>
      wrap([
        decision.action === "display_menu"
          ? hasMenu(facts.startup)
            ? "Display the menu: active projects, suggested next actions. Then wait for the user."
            : "There is no menu to display. Wait for the user."
          : "No menu. Go on from where the conversation left off.",
      ]),
  ];
}

function briefCompact(id: string): string {
  return `Resume project ${clip(id, 60)}: read its resume-context.md, load every file it lists, go on with the current task.`;
}

/** The comment under the root's tag; it never holds data. */
export function banner(mode: "startup" | "compact"): string {
  const [title, line] =
    mode === "startup"
      ? ["PRIMARY CONTEXT INJECTION", "MODE: startup (fresh session or non-project continuation)"]
      : ["PROJECT CONTINUATION CONTEXT", "MODE: compact (continuing project work after auto-summary)"];
  const aim =
    mode === "startup"
      ? "Routing, skills and project management start from what stands here."
      : "Project, phase and skill stand in resume-project: the work goes on from there.";
  const rule = "=".repeat(40);
  return `<!--\n${rule}\nNEXUS OPERATING SYSTEM - ${title}\n${rule}\n${aim}\n${line}\n${rule}\n-->\n`;
}
