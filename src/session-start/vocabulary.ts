import type { XmlElement, XmlNode } from "../base/xml.ts";
import { attributePairs } from "./attribute-pairs.ts";

/** Every element that a document may hold. Names never come from data. */
export const ELEMENTS = [
  "nexus-context",
  "session",
  "role-context",
  "checklist",
  "context-file",
  "orchestrator-file",
  "core-routing",
  "primary-skills",
  "skill",
  "trigger",
  "proactive-suggest",
  "when",
  "action",
  "routing-priority",
  "rule",
  "never-do",
  "always-do",
  "mode-rules",
  "user-goals",
  "active-projects",
  "project",
  "name",
  "current-task",
  "system-skills",
  "category",
  "integration-skills",
  "user-skills",
  "project-skills",
  "state",
  "goals-personalized",
  "workspace-configured",
  "onboarding-complete",
  "pending-onboarding",
  "item",
  "stats",
  "suggested-next-actions",
  "instruction",
  "resume-project",
  "progress",
  "resume-mode",
  "reason",
  "error",
  "suggestion",
  "warning",
  "system-files",
  "project-files",
  "file",
  "skill-file",
  "work-trail",
  "validation-gate",
  "question",
  "cut",
  "omitted",
  "section",
  "loop",
] as const;

/** Every attribute that a document may have. */
export const ATTRIBUTES = [
  "version",
  "mode",
  "part",
  "of",
  "last",
  "id",
  "replaced",
  "written-by",
  "source",
  "timestamp",
  "role",
  "state",
  "path",
  "importance",
  "name",
  "priority",
  "status",
  "progress",
  "location",
  "action",
  "count",
  "omitted",
  "list",
  "projects",
  "active",
  "skills",
  "condition",
  "phase",
  "case",
  "project-id",
  "confidence",
  "resume-file",
  "next-action",
  "current-section",
  "current-task",
  "loaded",
  "reason",
  "line",
  "column",
  "lines-left",
  "characters-left",
  "read-on",
  "whole",
  "characters",
  "items",
  "compactions",
  "minutes",
  "file",
  "shortened",
] as const;

export type ElementName = (typeof ELEMENTS)[number];
export type AttributeName = (typeof ATTRIBUTES)[number];

export type Node = XmlNode<ElementName>;
export type Element = XmlElement<ElementName>;
/** Null and absent leave the attribute out. */
export type Attributes = Readonly<Partial<Record<AttributeName, string | number | boolean | null>>>;

/** An element of the document, its attributes as text. */
export function element(name: ElementName, attributes: Attributes = {}, children: readonly Node[] = []): Element {
  return { name, attributes: attributePairs(attributes), children };
}

/** An element with text alone. */
export function textElement(name: ElementName, text: string, attributes: Attributes = {}): Element {
  return element(name, attributes, [text]);
}
