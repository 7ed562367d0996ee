import { clip, clipLine } from "./clip.ts";
import { USUAL_QUESTIONS } from "./compact-instruction.ts";
import type { FileFact, ProjectFacts, SessionStartFacts } from "./facts.ts";
import { fileUnit } from "./file-elements.ts";
import type { FixedUnit, Section, SectionId, Unit, Wrapper } from "./sections.ts";
import {
  actionSection,
  fixed,
  instructionSection,
  resumeModeSection,
  roleSection,
  sessionSection,
  wrapper,
} from "./shared-sections.ts";
import { element, textElement } from "./vocabulary.ts";

/** The sections of a document that brings a project back, in the order of the design. */
export function compactSections(facts: SessionStartFacts, project: ProjectFacts): readonly Section[] {
  const inProject = [wrapper("project-files", [["project-id", clip(project.id, 160)]])];
  const listed = project.files.filter((file) => project.phase === "planning" || isInlinedInExecution(file.path));
  const inlined = [...listed, ...(project.beside ?? [])];
  const skillFile =
    project.skillFile === null ? null : fileUnit(project.skillFile, { name: "skill-file", marked: true });
  return [
    sessionSection(facts),
    resumeProject(project),
    ...resumeModeSection(facts),
    ...roleSection(facts),
    ...filesSection("system-files", facts.systemFiles.filter(isThere), [wrapper("system-files")]),
    ...filesSection("project-files", inlined, inProject),
    ...(skillFile === null ? [] : [{ id: "skill-file", units: [skillFile] } as const]),
    ...workTrail(facts.workTrail),
    ...validationGate(project),
    actionSection(facts),
    instructionSection(facts),
  ];
}

/** In execution the overview and the steps are enough: what the plan said is in the steps. */
export function isInlinedInExecution(path: string): boolean {
  return /(?:^|[/\\])(?:\d+-)?(?:overview|steps)\.[A-Za-z0-9]+$/i.test(path);
}

function isThere({ content }: FileFact): boolean {
  return content.kind !== "missing";
}

function resumeProject(project: ProjectFacts): Section {
  const { id, phase, skill, currentTask, closed, total } = project;
  const form = (units: number) => () =>
    element("resume-project", { id: clip(id, units), phase }, [
      textElement("skill", skill),
      ...(currentTask === null ? [] : [textElement("current-task", clipLine(currentTask, units * 2))]),
      // Without a box there are no steps to tell of, or they could not be read.
      ...(total === 0 ? [] : [textElement("progress", `${closed}/${total} tasks`)]),
    ]);
  const unit: FixedUnit = { kind: "fixed", within: [], must: true, forms: [form(300), form(40)] };
  return { id: "resume-project", units: [unit] };
}

function filesSection(id: SectionId, files: readonly FileFact[], within: readonly Wrapper[]): readonly Section[] {
  const units: Unit[] = [];
  for (const file of files) {
    // The steps say what comes next: where room is short they come before what explains them.
    const order = /steps\.[A-Za-z0-9]+$/i.test(file.path) ? 0 : 1 + units.length;
    const unit = fileUnit(file, { name: "file", within, marked: true, order });
    if (unit !== null) units.push(unit);
  }
  return units.length === 0 ? [] : [{ id, units }];
}

function workTrail(text: string | null): readonly Section[] {
  if (text === null || text === "") return [];
  const unit: Unit = {
    kind: "file",
    name: "work-trail",
    within: [],
    attributes: [],
    marked: false,
    text,
    absolutePath: null,
    order: 0,
  };
  return [{ id: "work-trail", units: [unit] }];
}

function validationGate({ manifest }: ProjectFacts): readonly Section[] {
  if (manifest === null) return [];
  const questions = manifest.questions.length === 0 ? USUAL_QUESTIONS : manifest.questions.slice(0, 20);
  return [
    fixed("validation-gate", () =>
      element(
        "validation-gate",
        { file: clip(manifest.absolutePath, 500) },
        questions.map((question) => textElement("question", clipLine(question, 300))),
      ),
    ),
  ];
}
