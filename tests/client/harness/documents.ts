import { type Read, readDocument } from "../../session-start/read-document.ts";
import type { ModelRequest } from "./model-request.ts";

export interface GivenPart {
  readonly id: string;
  readonly mode: string;
  readonly part: number;
  /** How many there are: the last one says so where there are fewer than hook commands. */
  readonly of: number;
  readonly xml: string;
  /** As a parser reads it, valid against the shipped schema. */
  readonly root: Read;
}

/** The parts of our documents that a request's messages hold, in the order in which they stand there. */
export function partsIn(request: ModelRequest | undefined): readonly GivenPart[] {
  if (request === undefined) throw new Error("the model was not asked");
  const roots = [...request.text.matchAll(/<nexus-context [^>]*>[\s\S]*?<\/nexus-context>/g)].map(([xml]) => {
    return { xml, root: readDocument(xml) };
  });
  const lasts = roots.map(({ root }) => root.attributes).filter(({ last }) => last === "true");
  return roots.map(({ xml, root }) => {
    const { id = "", mode = "", part = "", of = "" } = root.attributes;
    const count = lasts.find((last) => last.id === id)?.part ?? of;
    return { id, mode, part: Number(part), of: Number(count), xml, root };
  });
}

/** The parts of the last document in a request, by number: a conversation keeps those of its earlier starts. */
export function lastDocument(request: ModelRequest | undefined): readonly GivenPart[] {
  const parts = partsIn(request);
  const id = parts.at(-1)?.id;
  return parts.filter((part) => part.id === id).toSorted((one, other) => one.part - other.part);
}

/** Every element with that name in any of the parts. */
export function elements(parts: readonly GivenPart[], name: string): readonly Read[] {
  const within = (element: Read): readonly Read[] => [
    ...(element.name === name ? [element] : []),
    ...element.children.flatMap(within),
  ];
  return parts.flatMap(({ root }) => within(root));
}
