import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeXml, escapeXmlAttribute } from "../../src/thread/escape-xml.ts";
import { countForbidden } from "../../src/thread/index.ts";
import { createStringWriter, createXmlWriter } from "../../src/thread/xml-writer.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { anyText, writable } from "./arbitrary-event.ts";

describe("escapeXml", () => {
  it("writes the five entities and leaves existing ones apart from the characters they name", () => {
    expect(escapeXml(`<a b="c" d='e'> & &lt;`)).toBe("&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt; &amp; &amp;lt;");
  });

  it("keeps tabs, newlines and pairs, and writes a carriage return as a reference", () => {
    expect(escapeXml("a\tb\r\n🚀")).toBe("a\tb&#13;\n🚀");
  });

  it("writes tabs and newlines of an attribute as references", () => {
    expect(escapeXmlAttribute("a\tb\r\n<")).toBe("a&#9;b&#13;&#10;&lt;");
  });

  it("replaces and counts what XML forbids", () => {
    const text = "\0a\u001B[0m\uD83D b \uDE80\uFFFE\uFFFF\u000C";
    expect(escapeXml(text)).toBe("\uFFFDa\uFFFD[0m\uFFFD b \uFFFD\uFFFD\uFFFD\uFFFD");
    expect(countForbidden(text)).toBe(7);
    expect(countForbidden("🚀 plain\r\n")).toBe(0);
  });

  it("gives the text back through a decoder that knows only XML's rules", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const escaped = escapeXml(text);
        expect(escaped).not.toMatch(/[<>"'\r]|&(?!(?:amp|lt|gt|quot|apos|#13);)/);
        const named = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#13": "\r" };
        const decoded = escaped.replace(/&(amp|lt|gt|quot|apos|#13);/g, (_, name: keyof typeof named) => named[name]);
        expect(decoded).toBe(writable(text));
      }),
    );
  });

  it.each(["<", "&", "\uD800", "\0", "a", "\r"])("stays linear on a megabyte of %j", (character) => {
    const started = cpuTime();
    escapeXml(character.repeat(1_000_000));
    expect(cpuTime() - started).toBeLessThan(2_000);
  });
});

describe("createXmlWriter", () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant("text" as const), text: anyText, times: fc.constantFrom(1, 3, 700, 9_000) }),
      fc.record({ kind: fc.constant("json" as const), text: anyText, times: fc.constantFrom(1, 50, 900) }),
      fc.record({
        kind: fc.constant("raw" as const),
        text: fc.constantFrom("<a>", "é", "x"),
        times: fc.constantFrom(1, 20_000),
      }),
    ),
    { maxLength: 6 },
  );

  it("writes the same by bytes as by strings", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const [bytes, strings] = [createXmlWriter(), createStringWriter()];
        for (const writer of [bytes, strings]) {
          for (const { kind, text, times } of list) {
            const long = text.repeat(times);
            if (kind === "json")
              writer.json({ [text]: long, n: 1, list: [text, null], gone: undefined, s: text, o: {} });
            else writer[kind](long);
          }
        }
        expect(bytes.finish() === strings.finish()).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it("writes every ASCII character the same by bytes as by strings, at each place in a word and in JSON", () => {
    for (let code = 0; code < 128; code++) {
      for (let place = 0; place < 4; place++) {
        const text = `${"a".repeat(place)}${String.fromCharCode(code)}${"b".repeat(140)}`;
        const [bytes, strings] = [createXmlWriter(), createStringWriter()];
        for (const writer of [bytes, strings]) {
          writer.text(text);
          writer.json({ text });
        }
        expect(bytes.finish()).toBe(strings.finish());
      }
    }
  });

  it("serves a second writer while the first is in use", () => {
    const [first, second] = [createXmlWriter(), createXmlWriter()];
    first.text("one <");
    second.text("two <");
    first.text(" more");
    expect([first.finish(), second.finish()]).toEqual(["one &lt; more", "two &lt;"]);
  });

  it("goes on after more megabytes than it gathers at once", () => {
    const writer = createXmlWriter();
    writer.text("<".repeat(2 ** 24 + 1));
    writer.raw("<a>");
    writer.text("é >");
    const xml = writer.finish();
    expect(xml.length).toBe(2 ** 26 + "&lt;<a>é &gt;".length);
    expect(xml.endsWith("&lt;&lt;<a>é &gt;")).toBe(true);
  });
});
