import { decodeXml } from "./decode-xml.ts";
import { err, type Outcome, ok } from "./outcome.ts";

/** One `<event>` of a document; `line` is the line (from 1) its tag begins on, entities are resolved. */
export type EventElement = {
  readonly line: number;
  readonly attributes: ReadonlyMap<string, string>;
  readonly body: string;
};

export type ThreadDocument = { readonly elements: readonly EventElement[]; readonly rest: string };

/** Where and why a text is no thread; `line` counts from 1. */
export type ThreadError = { readonly line: number; readonly message: string };

/** The `<event>` elements of a `<thread>`, and the text after it. Reads that much of XML and nothing more, in one pass. */
export function readElements(xml: string): Outcome<ThreadDocument, ThreadError> {
  const lineAt = lineCounter(xml);
  const fail = (at: number, expected: string) =>
    err({ line: lineAt(at), message: `expected ${expected}, found ${excerpt(xml, at)}` });

  let at = matchEnd(PROLOGUE, xml, 0) ?? 0;
  const empty = matchEnd(EMPTY_THREAD, xml, at);
  if (empty !== null) return ok({ elements: [], rest: xml.slice(empty) });
  const start = matchEnd(THREAD_TAG, xml, at);
  if (start === null) return fail(at, "<thread>");
  at = start;

  const elements: EventElement[] = [];
  for (;;) {
    at = matchEnd(BLANK, xml, at) ?? at;
    const close = matchEnd(THREAD_CLOSE, xml, at);
    if (close !== null) return ok({ elements, rest: xml.slice(close) });
    const name = matchEnd(EVENT_TAG, xml, at);
    if (name === null) return fail(at, "<event …> or </thread>");
    const line = lineAt(at);
    const attributes = new Map<string, string>();
    at = name;
    for (let match = execAt(ATTRIBUTE, xml, at); match !== null; match = execAt(ATTRIBUTE, xml, at)) {
      const key = match[1] ?? "";
      if (attributes.has(key)) return err({ line: lineAt(at), message: `the attribute ${key} stands twice` });
      const value = decodeXml((match[2] ?? match[3] ?? "").replace(/\r\n|[\t\n\r]/g, " "));
      if (!value.ok) return err({ line: lineAt(at), message: value.error });
      attributes.set(key, value.value);
      at += match[0].length;
    }
    const tagEnd = execAt(TAG_END, xml, at);
    if (tagEnd === null) return fail(at, `an attribute name="value" or >`);
    at += tagEnd[0].length;
    let body = "";
    if (!tagEnd[0].endsWith("/>")) {
      const bodyEnd = xml.indexOf("<", at);
      const end = bodyEnd === -1 ? null : matchEnd(EVENT_CLOSE, xml, bodyEnd);
      if (end === null) return fail(bodyEnd === -1 ? xml.length : bodyEnd, "</event>");
      const decoded = decodeXml(xml.slice(at, bodyEnd).replace(/\r\n?/g, "\n"));
      if (!decoded.ok) return err({ line: lineAt(at), message: decoded.error });
      body = decoded.value;
      at = end;
    }
    elements.push({ line, attributes, body });
  }
}

/** Byte order mark, declaration, blanks. A declaration of more than a few words is none. */
const PROLOGUE = /\uFEFF?(?:<\?xml [^>]{0,100}\?>)?[ \t\r\n]*/y;
const EMPTY_THREAD = /<thread[ \t\r\n]*\/>/y;
const THREAD_TAG = /<thread[ \t\r\n]*>/y;
const THREAD_CLOSE = /<\/thread[ \t\r\n]*>/y;
const EVENT_TAG = /<event(?=[ \t\r\n/>])/y;
const EVENT_CLOSE = /<\/event[ \t\r\n]*>/y;
const ATTRIBUTE = /[ \t\r\n]+([A-Za-z_][\w.-]*)[ \t\r\n]*=[ \t\r\n]*(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_END = /[ \t\r\n]*\/?>/y;
const BLANK = /[ \t\r\n]*/y;

function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function matchEnd(pattern: RegExp, text: string, at: number): number | null {
  const match = execAt(pattern, text, at);
  return match === null ? null : at + match[0].length;
}

/** The line of an offset; asked for growing offsets, so that the text is searched for newlines once. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (at) => {
    while (next !== -1 && next < at) {
      line++;
      next = text.indexOf("\n", next + 1);
    }
    return line;
  };
}

function excerpt(text: string, at: number): string {
  return at >= text.length ? "the end of the text" : JSON.stringify(text.slice(at, at + 30));
}
