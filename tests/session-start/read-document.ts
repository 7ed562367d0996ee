import { readFileSync } from "node:fs";
import { RelaxNGValidator, XmlDocument, XmlElement } from "libxml2-wasm";

const SCHEMA = new URL("../../schemas/nexus-context-v4.rng", import.meta.url);
const validator = RelaxNGValidator.fromDoc(XmlDocument.fromString(readFileSync(SCHEMA, "utf8")));

/** An element as a parser sees it. */
export interface Read {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** All text in it, to any depth. */
  readonly text: string;
  readonly children: readonly Read[];
}

/** Parses a document with libxml2 and checks it against the shipped schema; throws what libxml2 says. */
export function readDocument(xml: string): Read {
  const document = XmlDocument.fromString(xml, { option: 1 << 19 }); // XML_PARSE_HUGE: our limits are tested, not its own
  try {
    validator.validate(document);
    return read(document.root);
  } finally {
    document.dispose();
  }
}

function read(element: XmlElement): Read {
  const children: Read[] = [];
  for (let node = element.firstChild; node !== null; node = node.next) {
    if (node instanceof XmlElement) children.push(read(node));
  }
  return {
    name: element.name,
    attributes: Object.fromEntries(element.attrs.map(({ name, value }) => [name, value])),
    text: element.content,
    children,
  };
}

/** Every element with that name, in document order. */
export function all(root: Read, name: string): readonly Read[] {
  return [...(root.name === name ? [root] : []), ...root.children.flatMap((child) => all(child, name))];
}

export function one(root: Read, name: string): Read {
  const [found] = all(root, name);
  if (found === undefined) throw new Error(`no <${name}> in the document`);
  return found;
}
