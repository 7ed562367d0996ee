import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  countForbidden,
  escapedUnits,
  escapeXml,
  escapeXmlAttribute,
  openTag,
  writeXml,
  type XmlElement,
} from "../../src/base/xml.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

const anyText = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    fc.constantFrom("&", "<", "]]>", '"', "'", "\r\n", "🚀"),
  ),
});

function decode(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, "&");
}

const replaced = (text: string) =>
  text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/gu, "\uFFFD");

describe("text", () => {
  test("writes the five entities, also where an entity stands already", () => {
    expect(escapeXml(`a & b < c > d " e ' &lt;`)).toBe("a &amp; b &lt; c &gt; d &quot; e &apos; &amp;lt;");
  });

  test("keeps a carriage return as a reference, and tabs and newlines in attributes too", () => {
    expect(escapeXml("a\r\n\tb")).toBe("a&#13;\n\tb");
    expect(escapeXmlAttribute("a\r\n\tb")).toBe("a&#13;&#10;&#9;b");
    expect(escapeXmlAttribute("\n\t")).toBe("&#10;&#9;");
  });

  test("replaces what XML forbids and counts it, and leaves the rest of Unicode alone", () => {
    const text = "\u0000\u001b\ud83d \udc00 \ufffe\uffff 🚀 \u200f\u2028 \ufffd \u007f é";
    expect(escapeXml(text)).toBe("\ufffd\ufffd\ufffd \ufffd \ufffd\ufffd 🚀 \u200f\u2028 \ufffd \u007f é");
    expect(countForbidden(text)).toBe(6);
    expect(countForbidden("🚀 \ufffd")).toBe(0);
    expect([escapeXml("\u0000"), countForbidden("\u0000")]).toEqual(["\ufffd", 1]);
  });

  test("decodes to what it was, and is as long as its units say", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const escaped = escapeXml(text);
        expect(decode(escaped)).toBe(replaced(text));
        let units = 0;
        for (let at = 0; at < text.length; at++) units += escapedUnits(text.charCodeAt(at));
        expect(escaped.length).toBe(units);
        expect(escapeXmlAttribute(text)).not.toMatch(/[<>"'\n\t\r]/);
      }),
    );
  });

  test.each(["&", "<", "\r", "\u0000", "\ud800", "a"])("takes linear time on a megabyte of %j", (character) => {
    const started = cpuTime();
    escapeXmlAttribute(character.repeat(1_000_000));
    expect(cpuTime() - started).toBeLessThan(2000);
  });
});

describe("elements", () => {
  const node = (name: string, children: XmlElement["children"] = [], attributes: XmlElement["attributes"] = []) => ({
    name,
    attributes,
    children,
  });

  test("stand on lines of their own, and close themselves when empty", () => {
    expect(writeXml(node("a", [node("b"), node("c", [node("d", ["x"])])], [["k", '<"v">']]))).toBe(
      '<a k="&lt;&quot;v&quot;&gt;">\n  <b/>\n  <c>\n    <d>x</d>\n  </c>\n</a>',
    );
  });

  test("add no white space to text", () => {
    expect(writeXml(node("a", ["  x\n", node("cut")]), "    ")).toBe("    <a>  x\n<cut/></a>");
    expect(openTag({ name: "a", attributes: [["n", "1\n2"]] })).toBe('<a n="1&#10;2"');
  });
});
