import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PRIORITIES } from "../../src/session-start/sections.ts";
import { ATTRIBUTES, ELEMENTS } from "../../src/session-start/vocabulary.ts";
import { wholeDocument } from "./documents.ts";
import { estimate, startupFacts } from "./facts.ts";
import { readDocument } from "./read-document.ts";

const SCHEMA = readFileSync(new URL("../../schemas/nexus-context-v4.rng", import.meta.url), "utf8");

function namesIn(tag: "element" | "attribute"): readonly string[] {
  return [
    ...new Set([...SCHEMA.matchAll(new RegExp(`<${tag} name="([a-z-]+)"`, "g"))].map((match) => match[1] ?? "")),
  ].sort();
}

describe("the schema", () => {
  test("knows the same names as the program", () => {
    expect(namesIn("element")).toEqual([...ELEMENTS].sort());
    expect(namesIn("attribute")).toEqual([...ATTRIBUTES].sort());
    expect(ELEMENTS).toEqual(expect.arrayContaining(Object.keys(PRIORITIES)));
  });

  test.each([
    [
      "another order",
      (xml: string) =>
        xml.replace(/( {2}<action>.*\n)/, "").replace("  <session", "  <action>display_menu</action>\n  <session"),
    ],
    ["an unknown element", (xml: string) => xml.replace("  <session", "  <x/>\n  <session")],
    ["an unknown attribute", (xml: string) => xml.replace("<session", '<session x="y"')],
    ["a missing attribute", (xml: string) => xml.replace(/ source="[^"]*"/, "")],
    ["another mode", (xml: string) => xml.replace('mode="startup"', 'mode="other"')],
    ["what is not well-formed", (xml: string) => xml.replace("</state>", "")],
  ])("refuses %s", (_, spoil) => {
    const xml = wholeDocument(startupFacts(), estimate);
    expect(() => readDocument(xml)).not.toThrow();
    expect(spoil(xml)).not.toBe(xml);
    expect(() => readDocument(spoil(xml))).toThrow();
  });
});
