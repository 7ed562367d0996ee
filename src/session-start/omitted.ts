import { clipPath } from "./clip.ts";
import { PATH_UNITS } from "./file-elements.ts";
import { isFile, isList, type Placement } from "./placement.ts";
import type { Section, SectionId } from "./sections.ts";
import { type Element, element } from "./vocabulary.ts";

/** What of one section did not find room. */
export interface Loss {
  readonly section: SectionId;
  /** Left out whole: elements, items of a list, files. */
  readonly items: number;
  /** Kept in part: files cut, items and elements in their short form. */
  readonly shortened: number;
  /** Characters of files that are left. */
  readonly characters: number;
}

/** What was lost of each section, in the order of the document; sections that stand whole are not named. */
export function lossesOf(placements: readonly Placement[]): readonly Loss[] {
  const losses = new Map<SectionId, Loss>();
  for (const placement of placements) {
    const loss = lossOf(placement);
    const before = losses.get(placement.section) ?? {
      section: placement.section,
      items: 0,
      shortened: 0,
      characters: 0,
    };
    losses.set(placement.section, {
      section: placement.section,
      items: before.items + loss.items,
      shortened: before.shortened + loss.shortened,
      characters: before.characters + loss.characters,
    });
  }
  return [...losses.values()].filter(({ items, shortened }) => items + shortened > 0);
}

function lossOf(placement: Placement): Omit<Loss, "section"> {
  if (isList(placement)) {
    const { items, unit } = placement;
    const shortened = items.filter(({ form }, index) => form === "short" && unit.items[index]?.loses);
    return { items: unit.items.length - items.length, shortened: shortened.length, characters: 0 };
  }
  if (isFile(placement)) {
    const { at, unit } = placement;
    if (at === null) return { items: 1, shortened: 0, characters: unit.text.length };
    const { end, charactersLeft } = at.cut;
    if (charactersLeft === 0) return { items: 0, shortened: 0, characters: 0 };
    return { items: end === 0 ? 1 : 0, shortened: end === 0 ? 0 : 1, characters: charactersLeft };
  }
  const { at } = placement;
  return { items: at === null ? 1 : 0, shortened: at !== null && at.form > 0 ? 1 : 0, characters: 0 };
}

/** Names what was left out for space, and where the whole document is. */
export function omittedElement(losses: readonly Loss[], whole: string | null): Element {
  return element(
    "omitted",
    { whole: whole === null ? null : clipPath(whole, PATH_UNITS) },
    losses.map(({ section, items, shortened, characters }) =>
      element("section", {
        name: section,
        items: items === 0 ? null : items,
        shortened: shortened === 0 ? null : shortened,
        characters: characters === 0 ? null : characters,
      }),
    ),
  );
}

/** As much as files and lists may lose; `withFixed`: what stands whole or not at all too. */
export function largestLosses(sections: readonly Section[], withFixed: boolean): readonly Loss[] {
  return sections.flatMap(({ id, units }) => {
    let items = 0;
    let characters = 0;
    for (const unit of units) {
      items += unit.kind === "list" ? unit.items.length : unit.kind === "file" || withFixed ? 1 : 0;
      if (unit.kind === "file") characters += unit.text.length;
    }
    return items === 0 ? [] : [{ section: id, items, shortened: items, characters }];
  });
}
