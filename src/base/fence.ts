import { indentOf, listContent } from "./list-content.ts";

interface Fence {
  readonly marker: string;
  readonly length: number;
  /** The column at which the content of the list item begins that holds the fence; 0 outside a list. */
  readonly base: number;
}

/**
 * `fenced`: the line is code, or opens or closes it. `item`: it begins a list item whose content opens a fence, so what
 * follows the marker is code.
 */
export type FencePlace = "outside" | "item" | "fenced";

// The s flag: without it a U+2028 on the line fails the match, after every split of the blanks was tried.
const OPENING = /^(`{3,}|~{3,})(.*)$/s;
const ITEM_LEADS: ReadonlySet<string> = new Set("-*+0123456789");

/**
 * Says of one line after the other where it stands to fenced code. A fence may be indented by up to three columns from
 * what holds it, the page or a list item; it ends with what holds it. `lead` is the line's first character that is no
 * blank.
 */
export function fenceReader(): (text: string, lead: string) => FencePlace {
  let fence: Fence | null = null;
  const items: number[] = [];
  return (text, lead) => {
    if (fence !== null) {
      if (lead === "" || fence.base === 0 || indentOf(text) >= fence.base) {
        if (closes(text, lead, fence)) fence = null;
        return "fenced";
      }
      fence = null;
    }
    if (lead === "") return "outside";
    const opening = lead === "`" || lead === "~";
    const listed = ITEM_LEADS.has(lead);
    if (items.length === 0 && !opening && !listed) return "outside";
    const indent = indentOf(text);
    while ((items.at(-1) ?? 0) > indent) items.pop();
    const content = listed ? listContent(text) : null;
    if (content !== null) {
      items.push(content.column);
      fence = opened(text.slice(content.at), content.column);
      return fence === null ? "outside" : "item";
    }
    const base = items.at(-1) ?? 0;
    if (opening && indent - base <= 3) fence = opened(text.trimStart(), base);
    return fence === null ? "outside" : "fenced";
  };
}

function opened(text: string, base: number): Fence | null {
  const match = OPENING.exec(text);
  const marker = match?.[1];
  // An info string after backticks holds no backtick: that line would be inline code.
  if (marker === undefined || (marker.startsWith("`") && match?.[2]?.includes("`"))) return null;
  return { marker: marker.charAt(0), length: marker.length, base };
}

function closes(text: string, lead: string, fence: Fence): boolean {
  if (lead !== fence.marker || indentOf(text) - fence.base > 3) return false;
  const trimmed = text.trim();
  if (trimmed.length < fence.length) return false;
  for (const character of trimmed) if (character !== fence.marker) return false;
  return true;
}
