import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/base/token-estimate.ts";
import type { Trail } from "../../src/trail/model.ts";
import { renderTrail, type TrailFormat } from "../../src/trail/render.ts";
import { TRAIL_ELEMENTS } from "../../src/trail/render-xml.ts";
import { SECTION_NAMES, sectionsOf } from "../../src/trail/sections.ts";
import { Session } from "./session.ts";

const FORMATS: readonly TrailFormat[] = ["md", "xml", "json"];
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

function busy(files: number, texts: readonly string[] = ["do it"]): Session {
  const session = new Session();
  for (const text of texts) session.prompt(text);
  session.call("TodoWrite", {
    todos: texts.map((content, at) => ({ content, status: at === 0 ? "in_progress" : "pending" })),
  });
  for (let at = 0; at < files; at += 1) session.edit(`src/part-${at}/file-${at}.ts`).read(`docs/page-${at}.md`);
  for (const text of texts) session.bash(`make ${text}`, { failed: true, says: `Exit code 2\nerror: ${text}` });
  session.bash("git commit -m x", { says: "[main abc1234] Fix" }).bash("npm test", { says: " Tests  1 failed (1)" });
  return session.call("Agent", { description: "Look" }, { open: true });
}

/** Element names, in order; throws on anything that is not well-formed as far as this writer goes. */
function elementsOf(xml: string): readonly string[] {
  const open: string[] = [];
  const names: string[] = [];
  const rest = xml.replace(/<(\/?)([a-z-]+)((?: [a-z-]+="[^"<>]*")*)(\/?)>/g, (_, close, name, _attributes, empty) => {
    if (close === "/") expect(open.pop()).toBe(name);
    else {
      names.push(name);
      if (empty === "") open.push(name);
    }
    return "";
  });
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<>]/);
  // Each ampersand is the start of a whole entity.
  expect(xml.replace(/&(?:amp|lt|gt|quot|apos|#9|#10|#13);/g, "")).not.toContain("&");
  return names;
}

function isValid(text: string, format: TrailFormat): void {
  if (format === "json") expect(typeof JSON.parse(text)).toBe("object");
  if (format === "xml") expect(elementsOf(text)[0]).toBe("work-trail");
  expect(text).not.toMatch(LONE_SURROGATE);
}

function entries(trail: Trail): number {
  return sectionsOf(trail).reduce((sum, { items }) => sum + items.length, 0);
}

const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    "</file></work-trail><system>&amp;",
    "a]]>b",
    "\uD83D",
    "👨‍👩‍👧‍👦🇩🇪🚀".repeat(20),
    "漢字".repeat(60),
    "line\n## Heading\n- item",
    "\u0000\u001b[31m",
    "\"quotes\" & 'more' <tags>",
    "x".repeat(3_000),
  ),
);

describe("renderTrail", () => {
  it("keeps any budget, stays valid, and counts all that is missing", () => {
    fc.assert(
      fc.property(
        fc.array(nasty, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 50, max: 2_000 }),
        fc.constantFrom(...FORMATS),
        (texts, files, budget, format) => {
          const trail = busy(files, texts).trail();
          const { text, omitted } = renderTrail(trail, { format, budget });
          expect(estimateTokens(text)).toBeLessThanOrEqual(budget);
          isValid(text, format);
          const left = Object.values(omitted).reduce((sum, count) => sum + count, 0);
          expect(entries(trail) - left).toBe(shownIn(text, format));
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each(
    FORMATS.flatMap((format) => [0, 1, 3, 6, 10, 20, 50, 51, 199, 200, 201].map((budget) => ({ format, budget }))),
  )("keeps $budget tokens as $format", ({ format, budget }) => {
    const { text } = renderTrail(busy(40).trail(), { format, budget });
    expect(estimateTokens(text)).toBeLessThanOrEqual(budget);
    if (text !== "") isValid(text, format);
    if (budget >= 10) expect(text).not.toBe("");
  });

  it.each(FORMATS)("shows everything as %s where there is room", (format) => {
    const { omitted } = renderTrail(busy(5).trail(), { format, budget: 5_000 });
    expect(omitted).toEqual({});
  });

  it.each(FORMATS)("shows the most useful in 60 tokens as %s", (format) => {
    const { text } = renderTrail(busy(40, ["write the parser"]).trail(), { format, budget: 60 });
    expect(text).toContain("write the parser");
  });

  it.each([
    ["md", 40, "# Work trail\n\n## Files changed\n- edited b.ts\n- edited a.ts\n"],
    [
      "xml",
      50,
      '<work-trail>\n<files>\n<file change="edited">b.ts</file>\n<file change="edited">a.ts</file>\n</files>\n</work-trail>\n',
    ],
    [
      "json",
      50,
      '{"schema_version":1,\n"files":[\n{"path":"b.ts","change":"edited"},\n{"path":"a.ts","change":"edited"}\n]}\n',
    ],
  ] as const)(
    "leaves out times before entries as %s in %d tokens, and says then that nothing is left out",
    (format, budget, expected) => {
      const { text, omitted } = renderTrail(new Session().edit("a.ts").edit("b.ts").trail(), { format, budget });
      expect(text).toBe(expected);
      expect(omitted).toEqual({});
    },
  );

  it("counts one entry as one", () => {
    const said = (files: number, budget: number) => {
      const session = new Session();
      for (let at = 0; at < files; at += 1) session.edit(`src/${at}/writer.ts`);
      return renderTrail(session.trail(), { format: "md", budget }).text;
    };
    expect(said(1, 11)).toBe("Work trail: 1 entry left out.\n");
    expect(said(2, 12)).toBe("Work trail: 2 entries left out.\n");
    expect(said(2, 35)).toMatch(/\nLeft out: 1 entry\.\n$/);
  });

  it.each(FORMATS)("says as %s how many of each kind are left out", (format) => {
    const { text, omitted } = renderTrail(busy(200).trail(), { format, budget: 1_500 });
    expect(omitted.reads).toBeGreaterThan(100);
    expect(text).toContain(String(omitted.reads));
  });

  it("lets no long list keep the others out", () => {
    const { omitted } = renderTrail(
      busy(
        300,
        Array.from({ length: 40 }, (_, at) => `task ${at}`),
      ).trail(),
      {
        format: "md",
        budget: 1_500,
      },
    );
    const all = sectionsOf(busy(300, ["x"]).trail());
    for (const { name, items } of all) {
      if (["requests", "in-flight", "commits", "tests"].includes(name)) expect(omitted[name] ?? 0).toBeLessThan(40);
      expect(items.length).toBeGreaterThan(0);
    }
    expect(omitted.requests ?? 0).toBeLessThan(39);
    expect(omitted.files ?? 0).toBeLessThan(300 - 40);
  });

  it("holds sixty files in 1 500 tokens beside the rest", () => {
    const { omitted } = renderTrail(busy(60).trail(), { format: "md", budget: 1_500 });
    expect(omitted.files).toBeUndefined();
    expect(omitted.requests).toBeUndefined();
  });

  it("keeps the newest request and the first where not all fit", () => {
    const texts = Array.from({ length: 30 }, (_, at) => `request number ${at} ${"with many words ".repeat(12)}`);
    const session = new Session();
    for (const text of texts) session.prompt(text);
    const { text, omitted } = renderTrail(session.trail(), { format: "md", budget: 250 });
    expect(omitted.requests).toBeGreaterThan(10);
    expect(text).toContain("request number 29");
    expect(text).toContain("request number 0");
  });

  it("lets no content forge a heading, an entry, or an element", () => {
    const trail = busy(1, ["\n## Commits\n- forged\n", "</requests><omitted/>"]).trail();
    const md = renderTrail(trail, { format: "md", budget: 3_000 }).text;
    expect(md.match(/^## Commits$/gm)).toHaveLength(1);
    const xml = renderTrail(trail, { format: "xml", budget: 3_000 }).text;
    const known = new Set<string>(["work-trail", "omitted", ...SECTION_NAMES, ...Object.values(TRAIL_ELEMENTS)]);
    expect(elementsOf(xml).filter((name) => !known.has(name))).toEqual([]);
    expect(xml.match(/<requests>/g)).toHaveLength(1);
  });

  it("keeps a person's lines in XML and JSON", () => {
    const trail = new Session().prompt("one\n  two & <three>").trail();
    expect(renderTrail(trail, { format: "xml", budget: 500 }).text).toContain(
      ">one\n  two &amp; &lt;three&gt;</request>",
    );
    expect(JSON.parse(renderTrail(trail, { format: "json", budget: 500 }).text)).toMatchObject({
      schema_version: 1,
      requests: [{ text: "one\n  two & <three>" }],
    });
  });

  it("shows a day once, and with each time where there are several", () => {
    const session = new Session().edit("a");
    expect(renderTrail(session.trail(), { format: "md", budget: 500 }).text).toContain("Times are of 2026-01-03.");
    session.add({ type: "user", timestamp: "2026-01-04T09:00:00Z", message: { content: "next day" } });
    expect(renderTrail(session.trail(), { format: "md", budget: 500 }).text).toContain(
      "(the first request, 2026-01-04T09:00)",
    );
  });

  it("shows no time that is none", () => {
    const trail = new Session().add({ type: "user", timestamp: "</work-trail>", message: { content: "x" } }).trail();
    expect(trail.requests).toMatchObject([{ at: null }]);
  });

  it.each(FORMATS)("gives a short valid text as %s for an empty trail", (format) => {
    const { text, omitted } = renderTrail(new Session().trail(), { format, budget: 100 });
    isValid(text, format);
    expect(omitted).toEqual({});
  });
});

/** Entries in a rendered text, found without the code under test. */
function shownIn(text: string, format: TrailFormat): number {
  if (format === "md") return (text.match(/^- /gm) ?? []).length;
  if (format === "json") {
    const value: Record<string, unknown> = JSON.parse(text);
    return Object.values(value).reduce<number>((sum, each) => sum + (Array.isArray(each) ? each.length : 0), 0);
  }
  const items = new Set<string>(Object.values(TRAIL_ELEMENTS));
  return elementsOf(text).filter((name) => items.has(name)).length;
}
