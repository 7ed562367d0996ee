import { sourceText } from "../base/source-text.ts";
import type { TextEdit } from "../base/text-edit.ts";
import { type Entry, type EntryValue, replaceValue } from "./front-matter-entry.ts";
import type { FrontMatterMap } from "./front-matter-map.ts";
import type { ManifestKey } from "./manifest.ts";
import { OLD_KEYS } from "./manifest-record.ts";

/** Gathers edits of an old front matter, in which a key may stand under its old name. */
export interface KeyEditor {
  /** What stands under a key or its old name. */
  readonly found: (key: ManifestKey) => EntryValue | null;
  /** The scalar under a key, as it is written; null where there is none. */
  readonly written: (key: ManifestKey) => string | null;
  /** Puts a written value under a key, in the place of what is there; a key that is not there gets a line at the end. */
  readonly put: (key: ManifestKey, value: string) => void;
  /** Gives a key its new name. */
  readonly rename: (key: ManifestKey) => void;
  readonly add: (edits: readonly TextEdit[]) => void;
  readonly edits: () => readonly TextEdit[];
}

/** An editor of the front matter `map` of `text`; nothing is changed until its edits are applied. */
export function keyEditor(text: string, map: FrontMatterMap): KeyEditor {
  const edits: TextEdit[] = [];
  const lines: string[] = [];
  const { newline } = sourceText(text);

  const entryFor = (key: ManifestKey): Entry | undefined => {
    const old = [...OLD_KEYS].find(([, renamed]) => renamed === key)?.[0];
    return map.entries.get(key) ?? (old === undefined ? undefined : map.entries.get(old));
  };
  const found = (key: ManifestKey): EntryValue | null => entryFor(key)?.value ?? null;
  const rename = (key: ManifestKey): void => {
    const entry = entryFor(key);
    if (entry !== undefined && entry.key !== key) edits.push({ span: entry.keySpan, text: key });
  };
  const put = (key: ManifestKey, value: string): void => {
    const entry = entryFor(key);
    if (entry === undefined) {
      lines.push(`${map.indent}${key}: ${value}${newline}`);
      return;
    }
    rename(key);
    const { keySpan, afterColon } = entry;
    if (entry.value.kind === "empty")
      edits.push({
        span: { start: keySpan.end, end: afterColon ?? keySpan.end },
        // `? key` without a colon takes its value from a line of its own.
        text: afterColon === null ? `${newline}${map.indent}: ${value}` : `: ${value}`,
      });
    else edits.push(replaceValue(text, entry.value.span, value));
  };
  return {
    found,
    written: (key) => {
      const value = found(key);
      return value?.kind === "scalar" && value.value !== null ? value.source : null;
    },
    put,
    rename,
    add: (more) => edits.push(...more),
    edits: () => {
      const end = map.span.end;
      return lines.length === 0 ? edits : [...edits, { span: { start: end, end }, text: lines.join("") }];
    },
  };
}
