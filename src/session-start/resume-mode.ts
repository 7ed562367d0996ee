import { clip, clipLine } from "./clip.ts";
import type { ProjectFacts, Resumption } from "./facts.ts";
import { type Element, element, type Node, textElement } from "./vocabulary.ts";

/** Whether resumption happened, and why not: one form for each case. */
export function resumeMode(resumption: Resumption, project: ProjectFacts | null, program: string): Element {
  const active = resumption.kind === "resumed" || resumption.kind === "files-missing";
  const manifest = active ? (project?.manifest ?? null) : null;
  return element(
    "resume-mode",
    {
      active,
      case: resumption.kind,
      "project-id": projectId(resumption, project),
      confidence: active ? (project?.confidence ?? null) : null,
      "resume-file": manifest === null ? null : clip(manifest.absolutePath, 500),
      "next-action": manifest === null ? null : clip(manifest.nextAction, 120),
      "current-section": manifest?.currentSection ?? null,
      "current-task": manifest?.currentTask ?? null,
    },
    [...told(resumption, program), ...(active && project?.confidence === "medium" ? [inferred()] : [])],
  );
}

function projectId(resumption: Resumption, project: ProjectFacts | null): string | null {
  const id = "projectId" in resumption ? resumption.projectId : (project?.id ?? null);
  return id === null ? null : clip(id, 160);
}

function inferred(): Element {
  return textElement(
    "warning",
    "The project was inferred from the transcript. If it seems wrong, tell the user before going on.",
  );
}

function told(resumption: Resumption, program: string): readonly Node[] {
  switch (resumption.kind) {
    case "resumed":
      return [];
    case "files-missing":
      return [
        textElement("error", `Missing or refused of files_to_load: ${listed(resumption.paths)}.`),
        textElement("suggestion", "Say which file is missing; it may have been moved or deleted."),
      ];
    case "no-state":
      return [textElement("reason", noState(resumption.path, resumption.stale ?? null))];
    case "state-not-json":
      return [textElement("error", `${shown(resumption.path)} is invalid: ${clipLine(resumption.problem, 200)}`)];
    case "manifest-missing":
      return [
        textElement(
          "error",
          `Project ${clipLine(resumption.projectId, 160)} is in hand, but ${shown(resumption.path)} does not exist.`,
        ),
        textElement(
          "suggestion",
          "The project may not have been set up for resumption: work on it from its steps file.",
        ),
      ];
    case "front-matter-invalid":
      return [
        textElement(
          "error",
          `${shown(resumption.path)}, line ${resumption.line}, column ${resumption.column}: ${clipLine(resumption.problem, 200)}`,
        ),
        textElement(
          "suggestion",
          resumption.migrates === true
            ? `${clipLine(program, 200)} resume.migrate ${clipLine(resumption.projectId, 160)} makes a whole manifest of it.`
            : `${clipLine(program, 200)} resume.validate ${clipLine(resumption.projectId, 160)} shows what is wrong.`,
        ),
      ];
    case "low-confidence":
      return [
        textElement(
          "reason",
          `Confidence is ${clipLine(resumption.confidence, 40)}: too low to resume without being asked.`,
        ),
      ];
    case "fault":
      return [textElement("error", `Resumption failed: ${clipLine(resumption.message, 300)}`)];
    default:
      return resumption satisfies never;
  }
}

function noState(path: string, stale: string | null): string {
  if (stale === null) return `There is no ${shown(path)} of this session.`;
  return `The state that was in ${shown(path)} is stale: it is of ${clipLine(stale, 40)}, long before this start.`;
}

function shown(path: string): string {
  return clipLine(path, 300);
}

const MOST_LISTED = 10;

function listed(paths: readonly string[]): string {
  const rest = paths.length - MOST_LISTED;
  const names = paths
    .slice(0, MOST_LISTED)
    .map((path) => clipLine(path, 120))
    .join(", ");
  return rest > 0 ? `${names} and ${rest} more` : names;
}
