import { clip, clipLine } from "./clip.ts";
import type { SessionStartFacts } from "./facts.ts";
import { fileUnit } from "./file-elements.ts";
import { instructionForms } from "./instructions.ts";
import { resumeMode } from "./resume-mode.ts";
import type { FixedUnit, Section, SectionId, Unit, Wrapper } from "./sections.ts";
import { type AttributeName, type Element, type ElementName, element, textElement } from "./vocabulary.ts";

/** A section that is one element; `must`: its smallest form takes its room before anything else. */
export function fixed(id: SectionId, build: () => Element, must = false): Section {
  return { id, units: [{ kind: "fixed", within: [], must, forms: [build] }] };
}

/** An element around others; those of one `key` are opened once. */
export function wrapper(name: ElementName, attributes: Wrapper["attributes"] = [], key: string = name): Wrapper {
  return { key, name, attributes };
}

export function sessionSection({ session }: SessionStartFacts): Section {
  const { id, source, timestamp } = session;
  const attributes = {
    id: id === null ? null : clip(id, 100),
    source: clip(source, 40),
    timestamp: timestamp === null ? null : clip(timestamp, 40),
  };
  return fixed("session", () => element("session", attributes));
}

export function resumeModeSection({ resumption, project, program }: SessionStartFacts): readonly Section[] {
  return resumption === null ? [] : [fixed("resume-mode", () => resumeMode(resumption, project, program))];
}

/** A sentence or two with a command and its path in them, which no cut may fall into. */
const ITEM_MAX = 800;

/** The role, its state, the checklist and the context file. */
export function roleSection({ role }: SessionStartFacts): readonly Section[] {
  if (role === null) return [];
  const attributes: [AttributeName, string][] = [];
  if (role.name !== null) attributes.push(["role", clip(role.name, 80)]);
  if (role.state !== null) attributes.push(["state", clip(role.state, 40)]);
  const within = [wrapper("role-context", attributes)];
  const units: Unit[] = [];
  if (role.checklist.length > 0) {
    const items = role.checklist.slice(0, 12).map((item) => textElement("item", clipLine(item, ITEM_MAX)));
    units.push({ kind: "fixed", within, must: false, forms: [() => element("checklist", {}, items)] });
  }
  const file =
    role.contextFile === null ? null : fileUnit(role.contextFile, { name: "context-file", within, marked: true });
  if (file !== null) units.push(file);
  if (units.length > 0) return [{ id: "role-context", units }];
  return [fixed("role-context", () => element("role-context", Object.fromEntries(attributes)))];
}

export function actionSection({ decision }: SessionStartFacts): Section {
  return fixed("action", () => textElement("action", decision.action), true);
}

export function instructionSection(facts: SessionStartFacts): Section {
  const unit: FixedUnit = { kind: "fixed", within: [], must: true, forms: instructionForms(facts) };
  return { id: "instruction", units: [unit] };
}
