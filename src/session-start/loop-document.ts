import { openTag, writeXml } from "../base/xml.ts";
import { loopText } from "../transcript/loop-text.ts";
import { clip, clipPath } from "./clip.ts";
import { documentMode } from "./document.ts";
import type { SessionStartFacts } from "./facts.ts";
import { fingerprint } from "./fingerprint.ts";
import { WRITTEN_BY } from "./instructions.ts";
import { type Element, element, textElement } from "./vocabulary.ts";

/** The contract's figure, in UTF-16 units. */
export const LOOP_DOCUMENT_UNITS = 1000;

/** All that a session gets whose compactions follow each other: what is injected may be what fills the context. */
export function loopDocument(facts: SessionStartFacts, loop: NonNullable<SessionStartFacts["loop"]>): string {
  for (const units of [200, 60]) {
    const document = withLength(facts, loop, units);
    if (document.length <= LOOP_DOCUMENT_UNITS) return document;
  }
  // What so few characters become, each an entity of six, leaves a tenth of the limit over.
  return withLength(facts, loop, 10);
}

function withLength(facts: SessionStartFacts, loop: NonNullable<SessionStartFacts["loop"]>, units: number): string {
  const firm = facts.tone === "firm";
  const { session, project, documentPath } = facts;
  // A path that is shortened leads nowhere.
  const path = documentPath !== null && documentPath.length <= units ? clipPath(documentPath, units) : null;
  const where = path === null ? "" : ` The last whole document: ${path}`;
  const body: Element[] = [
    element("session", {
      id: session.id === null ? null : clip(session.id, Math.min(units, 60)),
      source: clip(session.source, 20),
    }),
    textElement(
      "loop",
      `${loopText(loop)}. Only this short document is given, so that it does not fill the context again.${where}`,
      { compactions: loop.compactions, minutes: loop.minutes },
    ),
    textElement(
      "instruction",
      `Tell the user that the session compacts in a loop and ask how to go on.${project === null ? "" : ` Project in hand: ${clip(project.id, Math.min(units, 60))}.`}`,
      { importance: firm ? "MANDATORY" : null },
    ),
  ];
  const text = `${body.map((part) => `${writeXml(part, "  ")}\n`).join("")}`;
  const root = element("nexus-context", {
    version: "v4",
    mode: documentMode(facts),
    id: fingerprint([text]),
    "written-by": WRITTEN_BY,
  });
  return `${openTag(root)}>\n${text}</nexus-context>`;
}
