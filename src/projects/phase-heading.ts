/** What the heading of a phase says. */
export interface PhaseHeading {
  readonly kind: "phase" | "section";
  readonly number: number;
  /** Without the number and without a mark that it is complete. */
  readonly title: string;
  /** The heading says that the phase is complete. Its boxes win over it. */
  readonly marked: boolean;
}

const SEPARATORS = /^[\s:.*_)\u2013\u2014-]*/u;
const CHECK = /[\u2705\u2611\u2713\u2714]\uFE0F?$/u;

/** Reads the title of a `##` heading; null where it is no phase. */
export function readPhaseHeading(title: string): PhaseHeading | null {
  const match = startOf(title);
  if (match?.[1] === undefined || match[2] === undefined) return null;
  const { text, marked } = withoutMark(title.slice(match[0].length));
  const checkedBefore = /[\u2705\u2611\u2713\u2714]/u.test(title.slice(0, match[0].length));
  return {
    kind: match[1].toLowerCase() === "phase" ? "phase" : "section",
    number: Number(match[2]),
    title: text.replace(SEPARATORS, ""),
    marked: marked || checkedBefore,
  };
}

/** `Phase 2: Build`, `Section 2`, `✅ **Phase 2b** - Build`, `Phase 2.1`, all of phase 2; 29A in `Phase 2: Part 29A` is title. */
function startOf(title: string): RegExpExecArray | null {
  if (isAscii(title)) return ASCII_START.exec(title);
  // To make this pattern takes a fresh process a millisecond.
  return /^[^\p{L}\p{N}]*(phase|section)[ \t]+([0-9]{1,6})(?:\.[0-9]{1,4}){0,3}[a-z]?(?![\p{L}\p{N}_])/iu.exec(title);
}

/** What it is where no other letters and digits can stand. */
const ASCII_START = /^[^A-Za-z0-9]*(phase|section)[ \t]+([0-9]{1,6})(?:\.[0-9]{1,4}){0,3}[a-z]?(?![A-Za-z0-9_])/i;

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

/** Marks in use: `(COMPLETE)`, `✅ COMPLETE`, ` - COMPLETE`, and a check mark alone. */
function withoutMark(text: string): { readonly text: string; readonly marked: boolean } {
  const bare = withoutCheck(text.trimEnd());
  if (bare.text.endsWith(")")) {
    const open = bare.text.lastIndexOf("(");
    const inside = withoutCheckBefore(bare.text.slice(open + 1, -1).trim());
    if (open !== -1 && /^completed?$/i.test(inside)) return { text: bare.text.slice(0, open).trimEnd(), marked: true };
    return bare;
  }
  const word = ["COMPLETED", "COMPLETE"].find((candidate) => bare.text.endsWith(candidate));
  if (word === undefined) return bare;
  const rest = bare.text.slice(0, -word.length);
  const before = withoutCheck(rest.trimEnd());
  if (before.marked) return before;
  const dash = rest.trimEnd().at(-1);
  const apart = rest.trimEnd().slice(0, -1);
  if ((dash === "-" || dash === "\u2013" || dash === "\u2014") && apart !== apart.trimEnd())
    return { text: apart.trimEnd(), marked: true };
  return bare;
}

function withoutCheck(text: string): { readonly text: string; readonly marked: boolean } {
  const match = CHECK.exec(text.slice(-2));
  if (match === null) return { text, marked: false };
  return { text: text.slice(0, text.length - match[0].length).trimEnd(), marked: true };
}

function withoutCheckBefore(text: string): string {
  return text.replace(/^[\u2705\u2611\u2713\u2714]\uFE0F?\s*/u, "");
}
