/** A node of a document: an element, or text that stands for itself. */
export type XmlNode<Name extends string = string> = XmlElement<Name> | string;

export interface XmlElement<Name extends string = string> {
  readonly name: Name;
  /** In the order they are written. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: readonly XmlNode<Name>[];
}

/**
 * An element with what stands in it as markup, without a newline at its end. Children that are all elements stand on lines
 * of their own, two blanks further in than `indent`; where text is among them nothing is added, so that text survives.
 */
export function writeXml(element: XmlElement, indent = ""): string {
  const { children } = element;
  const tag = openTag(element);
  if (children.length === 0) return `${indent}${tag}/>`;
  let body = "";
  if (children.some((child) => typeof child === "string")) {
    for (const child of children) body += typeof child === "string" ? escapeXml(child) : writeXml(child);
  } else {
    for (const child of children) if (typeof child !== "string") body += `\n${writeXml(child, `${indent}  `)}`;
    body += `\n${indent}`;
  }
  return `${indent}${tag}>${body}</${element.name}>`;
}

/** The start of an element's tag, up to where `>` or `/>` follows. */
export function openTag({ name, attributes }: Pick<XmlElement, "name" | "attributes">): string {
  let tag = `<${name}`;
  for (let index = 0; index < attributes.length; index++) {
    const pair = attributes[index];
    if (pair !== undefined) tag += ` ${pair[0]}="${escapeXmlAttribute(pair[1])}"`;
  }
  return tag;
}

/**
 * Text for an element's body: the five entities, `&#13;` for a carriage return (a parser would turn it into a newline),
 * and U+FFFD for each character that XML 1.0 forbids (section 2.2: controls, lone surrogates, U+FFFE, U+FFFF).
 */
export function escapeXml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return replaceForbidden(text)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&apos;")
    .replace(/\r/g, "&#13;");
}

/** As `escapeXml`, for an attribute's value: a parser turns a raw tab or newline there into a blank. */
export function escapeXmlAttribute(text: string): string {
  const escaped = escapeXml(text);
  return UNEVEN.test(escaped) ? escaped.replace(/\t/g, "&#9;").replace(/\n/g, "&#10;") : escaped;
}

/** How many characters of `text` XML cannot hold: as many as `escapeXml` replaces by U+FFFD. */
export function countForbidden(text: string): number {
  return mayHoldForbidden(text) ? (text.match(FORBIDDEN)?.length ?? 0) : 0;
}

/** How many UTF-16 units one of them takes once it is escaped for an element's body; half a character counts as one. */
export function escapedUnits(unit: number): number {
  switch (unit) {
    case 0x26: // &amp;
    case 0x0d: // &#13;
      return 5;
    case 0x3c: // &lt;
    case 0x3e: // &gt;
      return 4;
    case 0x22: // &quot;
    case 0x27: // &apos;
      return 6;
    default:
      return 1;
  }
}

const SPECIAL = /[^\t\n !#-%(-;=?-~\u0080-\uD7FF\uE000-\uFFFD]/;
const UNEVEN = /[\t\n]/;
const MAYBE_FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/;
/** Read by code points, so that only lone surrogates are surrogates. */
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/gu;

function mayHoldForbidden(text: string): boolean {
  return MAYBE_FORBIDDEN.test(text);
}

function replaceForbidden(text: string): string {
  return mayHoldForbidden(text) ? text.replace(FORBIDDEN, "\uFFFD") : text;
}
