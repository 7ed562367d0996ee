import { readdirSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectProject } from "../../src/transcript/detect-project.ts";
import { isAnyAtWork } from "../../src/transcript/project-score.ts";
import { openProjectSearch } from "../../src/transcript/project-search.ts";
import { activitiesOfText, FIXTURES, fixture, KNOWN, OPTIONS, ROOT, Session } from "./helpers.ts";

/** What the search says of a transcript, and how many of its rows it was shown. */
function search(text: string, options = OPTIONS) {
  const { wants, look, answer, worked } = openProjectSearch(options);
  const newestFirst = text.split("\n").filter(Boolean).reverse();
  const stop = newestFirst.findIndex((row) => wants(row.slice(0, 256)) && !look(Buffer.from(row).toString("latin1")));
  return { answer: answer() ?? many(worked()), looked: stop === -1 ? newestFirst.length : stop + 1 };
}

/** What reading all of it says. */
function whole(text: string, options = OPTIONS) {
  const { project, confidence, scores } = detectProject(activitiesOfText(text), options);
  return project === null ? many(isAnyAtWork(scores)) : { project, confidence };
}

/** Why there is none in hand. */
function many(worked: boolean): string | null {
  return worked ? "worked on many" : null;
}

const IDS = ["24-demo", "27-xml-context", "99-gone"];
const id = fc.constantFrom(...IDS);
const folder = id.map((name) => `02-projects/${name}`);
const path = fc.oneof(
  folder.map((at) => `${at}/01-planning/x.md`),
  folder.map((at) => `${ROOT}/${at}/é.md`),
  fc.constantFrom("src/x.ts", "x.md", "../27-xml-context/y.md", "00-system/skills/other/SKILL.md", "~/z.md"),
);
const command = fc.oneof(
  path.map((at) => `cat ${at}`),
  path.map((at) => `cd $(pwd) && rm ${at} > /dev/null`),
  folder.map((at) => `cd ${at}; touch notes.md`),
  fc.constantFrom("npm test", "git status", "cd 02-projects/24-demo && npm test"),
);
const origin = fc.record(
  {
    isSidechain: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.boolean()),
    cwd: fc.constantFrom(ROOT, `${ROOT}/02-projects/24-demo`, "/elsewhere"),
  },
  { requiredKeys: [] },
);
const tool = fc.oneof(
  { weight: 4, arbitrary: path.map((file_path) => ({ name: "Edit", input: { file_path } })) },
  { weight: 3, arbitrary: path.map((file_path) => ({ name: "Read", input: { file_path } })) },
  { weight: 3, arbitrary: command.map((text) => ({ name: "Bash", input: { command: text } })) },
  fc.record({ name: fc.constant("Grep"), input: fc.record({ path: folder, glob: fc.constant("*.ts") }) }),
  fc.record({
    name: fc.constant("Skill"),
    input: fc.record({ skill: fc.constantFrom("execute-project", "nexus:plan-project", "other"), args: id }),
  }),
  id.map((name) => ({ name: "Task", input: { prompt: `look at ${name}` } })),
  id.map((name) => ({ name: "TodoWrite", input: { todos: [{ content: `finish ${name}` }] } })),
);
// Few, so that some are used twice, and some results have no call.
const callId = fc.nat(12).map((number) => `toolu_${number}`);
const said = fc.oneof(
  id.map((name) => `the project ${name} is "in hand"`),
  fc.constantFrom('a quoted "tool_use" and "is_error":true', "plain", "<command-name>no", "a compact_boundary"),
);
const record = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.array(fc.tuple(callId, tool), { minLength: 1, maxLength: 3 }).map((calls) => ({
      type: "assistant",
      message: { role: "assistant", content: calls.map(([use, call]) => ({ type: "tool_use", id: use, ...call })) },
    })),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(callId, said, fc.constantFrom({}, { is_error: false }, { is_error: false }, { is_error: true }))
      .map(([use, content, failed]) => ({
        type: "user",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: use, content, ...failed }] },
      })),
  },
  said.map((content) => ({ type: "user", message: { role: "user", content } })),
  said.map((text) => ({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] } })),
  fc.tuple(fc.constantFrom("execute-project", "other", "compact"), id).map(([name, args]) => ({
    type: "user",
    message: {
      content: `<command-message>${name}</command-message><command-name>/${name}</command-name><command-args>${args}</command-args>`,
    },
  })),
  fc.constant({ type: "system", subtype: "compact_boundary" }),
  said.map((content) => ({ type: "user", isCompactSummary: true, message: { role: "user", content } })),
  fc.constantFrom({ type: "progress" }, ["no record"], 7),
);
const row = fc.tuple(origin, record).map(([where, what]) => {
  return Array.isArray(what) || typeof what !== "object" ? what : { ...where, ...what };
});
/** Long runs of one kind, as sessions have them: a search that stops early stops in those. */
const session = fc
  .array(fc.tuple(row, fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, fc.constantFrom(3, 12, 20))), {
    maxLength: 30,
  })
  .map((runs) =>
    runs.flatMap(([one, times]) => Array.from({ length: times }, () => `${JSON.stringify(one)}\n`)).join(""),
  );

/** Sessions in which a person goes back, again and again, to before something that they said; and what is left of them. */
const rewound = fc
  .array(
    fc.oneof(
      {
        weight: 8,
        arbitrary: row.map((what) => ({ what: typeof what !== "object" || Array.isArray(what) ? {} : what })),
      },
      { weight: 2, arbitrary: said.map((content) => ({ what: { type: "user", message: { content } }, back: 0 })) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(said, fc.nat(9))
          .map(([content, back]) => ({ what: { type: "user", message: { content } }, back })),
      },
    ),
    { minLength: 3, maxLength: 40 },
  )
  .map((steps) => {
    const all: object[] = [];
    let left: { readonly record: object; readonly isSaid: boolean }[] = [];
    for (const step of steps) {
      const [what, back] = [step.what, "back" in step ? step.back : null];
      const saids = left.flatMap(({ isSaid }, at) => (isSaid && at > 0 ? at : []));
      const to = back === null || back === 0 ? undefined : saids.at(-back);
      if (to !== undefined) left = left.slice(0, to);
      const record = {
        parentUuid: left.length === 0 ? null : `record-${all.indexOf(left.at(-1)?.record ?? {})}-`,
        ...what,
        uuid: `record-${all.length}-`,
      };
      all.push(record);
      left.push({ record, isSaid: back !== null });
    }
    const text = (records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join("");
    return { all: text(all), left: text(left.map(({ record }) => record)) };
  });

describe("the search from a transcript's end", () => {
  it("says nothing of what a person took back, and neither does reading all of it", () => {
    const property = fc.property(rewound, ({ all, left }) => {
      expect(search(all).answer).toEqual(whole(left));
      expect(whole(all)).toEqual(whole(left));
    });
    fc.assert(property, { numRuns: 150 });
  });

  it("says what reading all of it says", () => {
    const options = fc.record({
      root: fc.constant(ROOT),
      home: fc.constantFrom("/home/dev", null),
      projectsFolder: fc.constantFrom("02-projects", "02-projects", "./02-projects/", "."),
      knownProjects: fc.constantFrom(KNOWN, KNOWN, null, new Set(IDS)),
      cwd: fc.constantFrom(null, ROOT, `${ROOT}/02-projects/27-xml-context`, "/elsewhere"),
    });
    const property = fc.property(session, options, (text, given) => {
      expect(search(text, given).answer).toEqual(whole(text, given));
    });
    fc.assert(property, { numRuns: 750 });
  });

  it.each(
    ["2.0.76", "2.1.332"].flatMap((version) =>
      readdirSync(new URL(`${version}/transcripts`, FIXTURES))
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => [version, name.replace(/\.jsonl$/, "")] as const),
    ),
  )("says it of a transcript of the client's, %s %s", (version, name) => {
    const text = fixture(version, name);
    for (const knownProjects of [KNOWN, null]) {
      const options = { ...OPTIONS, knownProjects };
      expect(search(text, options).answer).toEqual(whole(text, options));
    }
  });

  it("takes a call's first result, also where a second one failed", () => {
    const twice = new Session().edit("02-projects/27-xml-context/a.md").edit("02-projects/24-demo/a.md");
    const result = { type: "tool_result", tool_use_id: "toolu_2", content: "said", is_error: true };
    twice.add({ type: "user", message: { role: "user", content: [result] } });
    expect(whole(twice.text())).toEqual({ project: "24-demo", confidence: "medium" });
    expect(search(twice.text()).answer).toEqual(whole(twice.text()));
  });

  it("reads names beyond ASCII in the projects' folder", () => {
    const options = { ...OPTIONS, projectsFolder: "02-projétés" };
    const named = new Session().edit("02-projétés/27-xml-context/a.md").edit("02-projétés/24-demo/é.md");
    expect(search(named.text(), options).answer).toEqual({ project: "24-demo", confidence: "medium" });
    expect(whole(named.text(), options)).toEqual({ project: "24-demo", confidence: "medium" });
  });

  it("looks beyond much work on another project, where that lies before the compaction", () => {
    const later = new Session().read("02-projects/24-demo/a.md");
    for (let n = 0; n < 20; n += 1) later.edit("02-projects/27-xml-context/a.md");
    later.compacted().read("02-projects/24-demo/a.md");
    expect(whole(later.text())).toEqual({ project: "24-demo", confidence: "high" });
    expect(search(later.text()).answer).toEqual(whole(later.text()));
  });

  it("stops where the end is clear, and not before", () => {
    const work = (count: number) => {
      const made = new Session().edit("02-projects/27-xml-context/a.md");
      for (let n = 0; n < count; n += 1) made.edit("02-projects/24-demo/a.md");
      return made.text();
    };
    // A call and its result are two rows.
    expect(search(work(40))).toEqual({ answer: { project: "24-demo", confidence: "high" }, looked: 20 });
    expect(search(work(10))).toEqual({ answer: { project: "24-demo", confidence: "high" }, looked: 20 });
    expect(search(work(9))).toEqual({ answer: { project: "24-demo", confidence: "high" }, looked: 20 });
    expect(search(work(8))).toEqual({ answer: { project: "24-demo", confidence: "high" }, looked: 18 });
  });

  it("stops where the end is clear, also where a person spoke behind a hook's text, which the client keeps in a row of its own", () => {
    const rows: object[] = [];
    const add = (row: object) => {
      rows.push({
        parentUuid: rows.length === 0 ? null : `row-${rows.length - 1}-`,
        ...row,
        uuid: `row-${rows.length}-`,
      });
    };
    for (let n = 0; n < 60; n += 1) {
      add({ isSidechain: false, attachment: { type: "hook_additional_context", content: "x" }, type: "attachment" });
      add({ isSidechain: false, type: "user", message: { role: "user", content: "go on" } });
      const file_path = `${ROOT}/02-projects/24-demo/a.md`;
      const content = [{ type: "tool_use", id: `toolu_${n}`, name: "Edit", input: { file_path } }];
      add({ isSidechain: false, type: "assistant", message: { role: "assistant", content } });
      const result = [{ type: "tool_result", tool_use_id: `toolu_${n}`, content: "done" }];
      add({ isSidechain: false, type: "user", message: { role: "user", content: result } });
    }
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    const { answer, looked } = search(text);
    expect(answer).toEqual({ project: "24-demo", confidence: "high" });
    expect(looked).toBeLessThan(60);
  });

  it("does not count the end of a call that a person took back", () => {
    const record = (uuid: string, parentUuid: string, type: string, content: unknown) =>
      `${JSON.stringify({ parentUuid, isSidechain: false, type, message: { role: type, content }, uuid })}\n`;
    const edit = { type: "tool_use", id: "1", name: "Edit", input: { file_path: `${ROOT}/02-projects/24-demo/a.md` } };
    const failed = { type: "tool_result", tool_use_id: "1", content: "no", is_error: true };
    const begun = record("b-", "a-", "assistant", [edit]);
    const after = record("e-", "b-", "user", "go on");
    const text = begun + record("c-", "b-", "user", "stop") + record("d-", "c-", "user", [failed]) + after;
    expect(whole(text)).toEqual(whole(begun + after));
    expect(search(text).answer).toEqual(whole(text));
    expect(whole(text)).not.toBeNull();
  });

  it("takes a prompt that was written again for no going back", () => {
    const record = (uuid: string, parentUuid: string, type: string, content: unknown) =>
      `${JSON.stringify({ parentUuid, isSidechain: false, type, message: { role: type, content }, uuid })}\n`;
    const edit = (id: string) => [
      { type: "tool_use", id, name: "Edit", input: { file_path: `${ROOT}/02-projects/24-demo/a.md` } },
    ];
    const prompt = record("b-", "a-", "user", "go on");
    const text =
      prompt + record("c-", "b-", "assistant", edit("1")) + record("d-", "c-", "assistant", edit("2")) + prompt;
    expect(whole(text)).toEqual({ project: "24-demo", confidence: "high" });
    expect(search(text).answer).toEqual(whole(text));
  });

  it("does not stop where two projects are worked on, or where the work is only read", () => {
    const mixed = new Session();
    for (let n = 0; n < 20; n += 1) mixed.edit(`02-projects/${IDS[n % 2]}/a.md`);
    expect(search(mixed.text()).looked).toBe(40);
    const read = new Session();
    for (let n = 0; n < 20; n += 1) read.read("02-projects/24-demo/a.md");
    expect(search(read.text())).toEqual({ answer: { project: "24-demo", confidence: "high" }, looked: 40 });
  });
});
