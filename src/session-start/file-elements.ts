import { clip } from "./clip.ts";
import type { FileFact } from "./facts.ts";
import type { FileUnit, FixedUnit, Wrapper } from "./sections.ts";
import { type ElementName, element } from "./vocabulary.ts";

export interface FileElement {
  readonly name: ElementName;
  readonly within?: readonly Wrapper[];
  /** False for elements that the designs give no attribute. */
  readonly withPath?: boolean;
  readonly marked?: boolean;
  readonly order?: number;
}

/** Paths longer than this are shortened: Linux takes 4096 bytes, people far fewer. */
export const PATH_UNITS = 500;

/** The element of a file: its text where it was read, else why it was not; null for a file that is only listed, and a folder. */
export function fileUnit(file: FileFact, options: FileElement): FileUnit | FixedUnit | null {
  const { name, within = [], withPath = true, marked = false, order = 0 } = options;
  const path = clip(file.path, PATH_UNITS);
  const { content } = file;
  switch (content.kind) {
    case "listed":
    case "folder":
      return null;
    case "text":
      return {
        kind: "file",
        name,
        within,
        attributes: withPath ? [["path", path]] : [],
        marked,
        text: content.text,
        absolutePath: file.absolutePath,
        order,
      };
    case "missing":
    case "refused":
    case "binary":
    case "too-large":
    case "empty":
    case "unreadable": {
      const attributes = { path, loaded: false, state: content.kind, reason: clip(content.reason, 200) };
      return { kind: "fixed", within, must: false, forms: [() => element(name, attributes)] };
    }
    default:
      return content satisfies never;
  }
}
