import { err, type Outcome, ok } from "./outcome.ts";

/** Resolves the five entities and character references; the error names what is none. */
export function decodeXml(text: string): Outcome<string, string> {
  if (!text.includes("&")) return ok(text);
  let unknown: string | null = null;
  const decoded = text.replace(/&([^&;]{1,10};)?/g, (reference, name: string | undefined) => {
    const character = name === undefined ? null : resolve(name.slice(0, -1));
    if (character === null) unknown ??= reference;
    return character ?? reference;
  });
  return unknown === null
    ? ok(decoded)
    : err(`expected &amp; &lt; &gt; &quot; &apos; or a character reference, found ${JSON.stringify(unknown)}`);
}

const ENTITIES = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

function resolve(name: string): string | null {
  const entity = ENTITIES.get(name);
  if (entity !== undefined) return entity;
  const [, hexadecimal, decimal] = /^#(?:x([0-9A-Fa-f]+)|([0-9]+))$/.exec(name) ?? [];
  if (hexadecimal === undefined && decimal === undefined) return null;
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  return isXmlCharacter(code) ? String.fromCodePoint(code) : null;
}

/** `Char` of XML 1.0, section 2.2. */
function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}
