import { describe, expect, test } from "vitest";
import { isActive, type ProjectTexts, summariseProject } from "../../src/projects/project.ts";
import { readYaml } from "../../src/projects/read-yaml.ts";

const STEPS = "# Steps\n\n## Section 1: First\n- [x] one\n\n## Section 2: Second\n- [ ] two\n- [ ] three\n";
const NONE = { overview: null, steps: null, manifest: null };

describe("a project's summary", () => {
  test("of an empty folder is its name, and nothing else", () => {
    expect(summariseProject("24-demo", NONE)).toMatchObject({
      name: "24-demo",
      phase: null,
      closed: 0,
      total: 0,
      currentTask: null,
      currentSection: null,
      description: null,
      updated: null,
    });
  });

  test("takes name, description and status from the overview, the work in hand from the boxes and the date from the manifest", () => {
    const overview = "---\nname: Demo\ndescription: What it is for\nstatus: COMPLETE\n---\n# Demo\n";
    const manifest = "---\nlast_updated: 2026-02-03T12:15:00Z\n---\n";
    expect(summariseProject("24-demo", { overview, steps: STEPS, manifest })).toMatchObject({
      name: "Demo",
      status: "COMPLETE",
      phase: "execution",
      closed: 1,
      total: 3,
      currentTask: "two",
      currentSection: 2,
      description: "What it is for",
      updated: "2026-02-03T12:15:00Z",
    });
  });

  test("has no section in hand where there is no box", () => {
    expect(summariseProject("24-demo", { ...NONE, steps: "# Steps\n" })).toMatchObject({
      total: 0,
      currentSection: null,
    });
  });

  test("has no date where the manifest has none, one that is no text, or front matter that nobody read", () => {
    const of = (manifest: string, reader: typeof readYaml | null = null) =>
      summariseProject("24-demo", { ...NONE, manifest }, reader).updated;
    expect(of("no front matter")).toBeNull();
    expect(of("---\na: 1\n---\n")).toBeNull();
    expect(of("---\nlast_updated: 5\n---\n")).toBeNull();
    const odd = '---\nlast_updated: "2026-02-03" # at noon\n---\n';
    expect(of(odd)).toBeNull();
    expect(of(odd, readYaml)).toBe("2026-02-03");
  });

  test("is of work that goes on while it is planned or in progress", () => {
    const of = (status: string) =>
      isActive(summariseProject("x", { ...NONE, overview: `---\nstatus: ${status}\n---\n` }));
    expect(["PLANNING", "IN_PROGRESS"].map(of)).toEqual([true, true]);
    expect(["COMPLETE", "ARCHIVED"].map(of)).toEqual([false, false]);
  });

  test("whose boxes are all closed goes on no more, whatever status the overview was left with", () => {
    const overview = "---\nstatus: IN_PROGRESS\n---\n";
    const of = (steps: string) => isActive(summariseProject("x", { ...NONE, overview, steps }));
    expect(["- [x] one\n- [x] two\n", "- [x] one\n- [ ] two\n", "# No box\n"].map(of)).toEqual([false, true, true]);
  });
});

test("YAML is asked for where the overview's or the manifest's front matter is more than plain", () => {
  const odd = "---\na: {b: c}\n---\n";
  const plain = "---\na: b\n---\n";
  const asked = (texts: ProjectTexts): readonly string[] => {
    const raws: string[] = [];
    summariseProject("24-demo", texts, (raw) => {
      raws.push(raw);
      return null;
    });
    return raws;
  };
  expect(asked(NONE)).toEqual([]);
  expect(asked({ overview: plain, steps: odd, manifest: plain })).toEqual([]);
  expect(asked({ overview: odd, steps: null, manifest: null })).toEqual(["a: {b: c}\n"]);
  expect(asked({ overview: null, steps: null, manifest: odd })).toEqual(["a: {b: c}\n"]);
  expect(asked({ overview: "---\nnever closed", steps: null, manifest: "a: {b: c}" })).toEqual([]);
});

describe("YAML", () => {
  const read = (raw: string) => {
    const values = readYaml(raw);
    return "at" in values ? values : Object.fromEntries(values);
  };

  test("gives its plain values, the first of each name, and passes over all others", () => {
    expect(read('a: "x # y"\nb: 5\nc: true\nd: ~\ne: [1]\nf: {g: 1}\n5: x\n? [k]\n: v\n')).toEqual({
      a: "x # y",
      b: 5,
      c: true,
      d: null,
    });
    expect(read("a: first\na: second\n")).toEqual({ a: "first" });
    expect(read("a: &x 1\nb: *x\n")).toEqual({ a: 1 });
  });

  test.each([
    ["- a\n", 0, /no keys with values/],
    ["text", 0, /no keys with values/],
    ["a: [", 4, /end with a \]/],
    ["a: b\nc: d: e", 8, /mapping/],
    [`a: ${"[".repeat(40)}`, 0, /nests brackets deeper than 32/],
    ["x".repeat(40_000), 0, /40000 characters/],
    ["a: 1\n...\nb: 2\n", 9, /^it holds a second YAML document$/],
  ])("that is no map, or not to be read, is told with its place: %#", (raw, at, message) => {
    expect(readYaml(raw)).toEqual({ at, message: expect.stringMatching(message) });
  });
});
