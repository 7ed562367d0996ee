import type { Marks } from "./marks.ts";
import type { AttributeName, Element, ElementName } from "./vocabulary.ts";

// What matters most comes first: the order in which sections take room, and of the elements in a part. The document as a
// whole keeps the order in which its sections are listed.
export const PRIORITIES = {
  instruction: 0,
  action: 1,
  "resume-project": 2,
  "active-projects": 3,
  "core-routing": 4,
  session: 5,
  "resume-mode": 6,
  "role-context": 7,
  "validation-gate": 8,
  state: 9,
  "suggested-next-actions": 10,
  stats: 11,
  "project-files": 12,
  "user-goals": 13,
  "work-trail": 14,
  "skill-file": 15,
  "orchestrator-file": 16,
  "system-files": 17,
  "system-skills": 18,
  "user-skills": 19,
  "integration-skills": 20,
  "project-skills": 21,
} as const satisfies Partial<Record<ElementName, number>>;

export type SectionId = keyof typeof PRIORITIES;

/** A part of the document with a name of its own; it is kept, shortened or left out by itself. */
export interface Section {
  readonly id: SectionId;
  readonly units: readonly Unit[];
}

export type Unit = FixedUnit | FileUnit | ListUnit;

/** An element around units; units next to each other in the same one share it. */
export interface Wrapper {
  /** Tells it from others of the same name. */
  readonly key: string;
  readonly name: ElementName;
  readonly attributes: readonly (readonly [AttributeName, string])[];
}

interface UnitBase {
  /** Outermost first. */
  readonly within: readonly Wrapper[];
}

/** Stands whole in one of its forms, or is left out. */
export interface FixedUnit extends UnitBase {
  readonly kind: "fixed";
  /** The fullest first. */
  readonly forms: readonly ((marks: Marks) => Element)[];
  /** Its smallest form takes its room before anything else. */
  readonly must: boolean;
}

/** A text that may be cut at a line; how much is left, and where, stands behind it. */
export interface FileUnit extends UnitBase {
  readonly kind: "file";
  readonly name: ElementName;
  readonly attributes: readonly (readonly [AttributeName, string])[];
  /** With `loaded="true|part|false"`. */
  readonly marked: boolean;
  readonly text: string;
  /** Its absolute path, where the rest is; null for a text that is no file. */
  readonly absolutePath: string | null;
  /** Among the files of its section, the lowest first. */
  readonly order: number;
}

/** Items in a wrapper of their own, most useful first: as many as fit, the others counted. */
export interface ListUnit extends UnitBase {
  readonly kind: "list";
  readonly wrapper: Wrapper;
  readonly items: readonly ListItem[];
  /** How to list what is left out. */
  readonly howToList: string;
}

export interface ListItem {
  /** About the UTF-16 units that it takes in full, rather too few: more than there is room for is not tried. */
  readonly leastUnits: number;
  readonly full: () => Element;
  /** The same as in full, where it does not lose anything. */
  readonly short: () => Element;
  readonly loses: boolean;
}
