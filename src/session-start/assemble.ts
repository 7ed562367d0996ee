import { invariant } from "../base/invariant.ts";
import { countForbidden, openTag } from "../base/xml.ts";
import type { Loaded, Marks } from "./marks.ts";
import { countAttributes, indentOf, type Piece, pieceOf, UNCOUNTED } from "./piece.ts";
import { comparePlacements, isFile, isList, type Placement } from "./placement.ts";
import type { ListUnit, SectionId, Wrapper } from "./sections.ts";

/** A line of markup in a document: what stands in it, and around it. */
export interface Entry {
  readonly section: SectionId | "omitted";
  readonly wrappers: readonly Wrapper[];
  readonly text: string;
  readonly replaced: number;
}

/** The document's own order, or what matters most first. */
export type Order = "document" | "priority";

/** What stands in document `bin`, in order. */
export function entriesIn(bin: number, placements: readonly Placement[], order: Order, marks: Marks): readonly Entry[] {
  const ordered = order === "document" ? placements : placements.toSorted(comparePlacements);
  return ordered.flatMap((placement) => entriesOf(placement, bin, marks));
}

function entriesOf(placement: Placement, bin: number, marks: Marks): readonly Entry[] {
  const wrappers = placement.frames.map(({ wrapper }) => wrapper);
  if (isList(placement)) return listEntries(placement, bin, wrappers);
  if (placement.at?.bin !== bin) return [];
  const { section } = placement;
  if (isFile(placement)) return [entryOf(section, wrappers, placement.at.piece)];
  const { at, unit } = placement;
  // Worded with the longest marks so far; with the true ones it is as long or shorter.
  const build = unit.forms[at.form];
  invariant(build !== undefined, "a form is one that the unit has");
  return [entryOf(section, wrappers, pieceOf(build(marks), wrappers.length, UNCOUNTED))];
}

function listEntries(
  { section, unit, stub, items }: Extract<Placement, { readonly stub: number | null }>,
  bin: number,
  wrappers: readonly Wrapper[],
): readonly Entry[] {
  const omitted = unit.items.length - items.length;
  const home = items.at(-1)?.bin ?? stub;
  const here = items.filter((item) => item.bin === bin).map(({ piece }) => piece);
  if (here.length === 0 && (home !== bin || omitted === 0)) return [];
  const counted = home === bin && omitted > 0 ? withCounts(wrappers, unit, omitted) : wrappers;
  if (here.length === 0) return [{ section, wrappers: counted, text: "", replaced: 0 }];
  return here.map((piece) => entryOf(section, counted, piece));
}

function entryOf(section: SectionId, wrappers: readonly Wrapper[], { text, replaced }: Piece): Entry {
  return { section, wrappers, text, replaced };
}

/** The list's own wrapper, which is the innermost, says what is left out. */
function withCounts(
  wrappers: readonly Wrapper[],
  { wrapper, items, howToList }: ListUnit,
  omitted: number,
): readonly Wrapper[] {
  const counts = countAttributes({ count: items.length, omitted, howToList });
  return [...wrappers.slice(0, -1), { ...wrapper, attributes: [...wrapper.attributes, ...counts] }];
}

/** The markup of entries, with each wrapper opened once for neighbours that share it. */
export function joinEntries(entries: readonly Entry[]): { readonly text: string; readonly replaced: number } {
  let markup = "";
  let replaced = 0;
  let open: readonly Wrapper[] = [];
  let pending: string | null = null;
  for (const entry of entries) {
    const { wrappers, text } = entry;
    replaced += entry.replaced;
    let shared = 0;
    while (shared < open.length && open[shared]?.key === wrappers[shared]?.key) shared += 1;
    close(shared);
    for (const wrapper of wrappers.slice(shared)) {
      flush(">\n");
      pending = `${indentOf(open.length)}${openTag(wrapper)}`;
      open = [...open, wrapper];
      for (const [, value] of wrapper.attributes) replaced += countForbidden(value);
    }
    if (text === "") continue;
    flush(">\n");
    markup += text;
  }
  close(0);
  return { text: markup, replaced };

  /** A wrapper with nothing in it closes itself. */
  function flush(end: string): void {
    if (pending !== null) markup += pending + end;
    pending = null;
  }

  function close(depth: number): void {
    for (let index = open.length - 1; index >= depth; index--) {
      if (pending !== null) flush("/>\n");
      else markup += `${indentOf(index)}</${open[index]?.name}>\n`;
    }
    open = open.slice(0, depth);
  }
}

/** What became of each file, over all documents. */
export function marksOf(placements: readonly Placement[]): Marks {
  const loaded = new Map<string, Loaded>();
  for (const placement of placements) {
    if (!isFile(placement) || placement.unit.absolutePath === null || placement.at === null) continue;
    const { cut } = placement.at;
    const kind: Loaded =
      cut.charactersLeft === 0
        ? { kind: "whole" }
        : cut.end === 0
          ? { kind: "absent" }
          : { kind: "cut", line: cut.line };
    loaded.set(placement.unit.absolutePath, kind);
  }
  return (path) => loaded.get(path) ?? { kind: "absent" };
}
