import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { timedEntries } from "../../src/lifecycle/intervals.ts";
import { compactionsOf } from "../../src/report/compactions.ts";
import { daySlots } from "../../src/report/day-slots.ts";
import { daysTime } from "../../src/report/days-time.ts";
import { compactionTable, saveTable } from "../../src/report/event-tables.ts";
import type { MarkFacts, ReportFacts } from "../../src/report/facts.ts";
import { MOST_ROWS } from "../../src/report/fold.ts";
import { bytesText, countText, durationText, median, timeText } from "../../src/report/format.ts";
import { embeddedJson, foreign, h } from "../../src/report/html.ts";
import { buildModel } from "../../src/report/model.ts";
import { renderPage } from "../../src/report/page.ts";
import { pageData } from "../../src/report/page-data.ts";
import { PAGE_SCRIPT } from "../../src/report/page-script.ts";
import { PAGE_STYLE } from "../../src/report/page-style.ts";
import { timelineSvg } from "../../src/report/timeline-svg.ts";
import { historyOf, type Step } from "../helpers/history-lines.ts";
import { role, stored } from "../lifecycle/records.ts";
import { CONTEXT, facts, roleFacts } from "./facts.ts";

const HOUR = 3_600_000;
const DAY_MS = 24 * HOUR;

/** A page with an element a line, its stylesheet and its script left out. */
function lines(given: ReportFacts): string {
  const page = renderPage(buildModel(given), { hash: (text) => `hash of ${text.length}`, invokedAs: "./context" });
  return page
    .replace(PAGE_STYLE, "(style)")
    .replace(PAGE_SCRIPT, "(script)")
    .replace(`hash of ${PAGE_SCRIPT.length}`, "(hash)")
    .replaceAll("><", ">\n<");
}

/** Each state of a role, of its context file and of a compaction, and what is known of it or not. */
function fleet(): ReportFacts {
  const mark = (at: string, more: Partial<MarkFacts>): MarkFacts => ({
    at: Date.parse(at),
    sessionId: "s1",
    trigger: null,
    preTokens: null,
    postTokens: null,
    ...more,
  });
  const s1 = { session_id: "s1" };
  const busy: readonly Step[] = [
    ["2026-02-02T22:30:00.000Z", "SAVE", "saving", { ...s1, by: "a <hook>" }],
    ["2026-02-02T22:30:30.000Z", "CONTEXT_VALID", "saved", { ...s1, context_bytes: 1_500 }],
    ["2026-02-02T23:50:00.000Z", "COMPACT", "compacting", s1],
    ["2026-02-02T23:59:10.000Z", "COMPACTED", "recovering", s1],
    ["2026-02-03T00:10:00.000Z", "RECOVERED", "active", s1],
    ["2026-02-03T06:00:00.000Z", "COMPACT", "compacting", s1],
    ["2026-02-03T06:10:00.000Z", "RESUME", "active", s1],
    ["2026-02-03T07:00:00.000Z", "COMPACTED", "recovering", s1],
    ["2026-02-03T07:00:01.000Z", "RECOVERED", "active", s1],
    ["2026-02-03T12:00:00.000Z", "SAVE", "saving", { by: "someone" }],
    ["2026-02-03T12:00:05.000Z", "CONTEXT_INVALID", "saving", { by: "someone" }],
    ["2026-02-03T12:01:00.000Z", "CONTEXT_VALID", "saved", { by: "someone" }],
    ["2026-02-03T20:00:00.000Z", "COMPACT", "compacting", s1],
  ];
  const record = (name: string, changes: Parameters<typeof stored>[0]) => ({
    ...stored(changes).record,
    role: role(name),
  });
  return facts(
    roleFacts(
      {
        role: role("busy"),
        record: record("busy", {
          state: "compacting",
          since: "2026-02-03T20:00:00.000Z",
          compactions: 3,
          unsaved: true,
          savedAt: "2026-02-03T12:01:00.000Z",
          branch: "main",
          commit: "0123456789abcdef",
          sessionId: "b9ff7b48-ef86-4ef0-86d3-7835c69ec06b",
          contextSha256: "a",
        }),
        broken: 1,
        context: { ...CONTEXT, bytes: 2_500 },
        marks: [
          mark("2026-02-02T23:58:00.000Z", { trigger: "auto", preTokens: 199_081, postTokens: 3_706 }),
          mark("2026-02-03T06:59:00.000Z", { trigger: "manual" }),
        ],
      },
      historyOf(busy),
    ),
    roleFacts(
      {
        role: role("changed"),
        record: record("changed", { since: "2026-02-03T23:59:00.000Z", savedAt: "yesterday", branch: "x" }),
        broken: 1,
        context: { ...CONTEXT, changedSinceSave: true },
      },
      historyOf([
        ["no time", "SAVE", "saving"],
        ["2026-02-01T10:00:00.000Z", "RESUME", "active"],
      ]),
    ),
    roleFacts(
      {
        role: role("wrong"),
        record: record("wrong", { since: "no time" }),
        context: { ...CONTEXT, health: "invalid", errors: 1 },
      },
      [],
    ),
    roleFacts(
      {
        role: role("worse"),
        record: record("worse", { commit: "abc" }),
        context: { ...CONTEXT, health: "invalid", errors: 2, bytes: 0 },
      },
      [],
    ),
    roleFacts({ role: role("fresh"), record: null, context: { ...CONTEXT, health: "missing", bytes: null } }, []),
    roleFacts(
      { role: role("broken"), record: null, problem: "Not <JSON>.", context: { ...CONTEXT, health: "unreadable" } },
      [],
    ),
  );
}

test("a fleet's page is these bytes", () => {
  expect(lines(fleet())).toBe(readFileSync(new URL("fixtures/fleet.html", import.meta.url), "utf8"));
});

test("a page begins and ends with lines of its own", () => {
  const page = renderPage(buildModel(facts()), { hash: () => "", invokedAs: "x" });
  const head = '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="generator"';
  expect(page.slice(0, head.length)).toBe(head);
  expect(page).toContain('report">\n<meta http-equiv');
  expect(page).toContain("</head>\n<body><a ");
  expect(page.endsWith("</script></body></html>\n")).toBe(true);
});

test("a page without a role is these bytes", () => {
  expect(lines(facts())).toBe(readFileSync(new URL("fixtures/welcome.html", import.meta.url), "utf8"));
});

test("the page of one quiet role says one of each, and that nothing is stuck", () => {
  const page = lines(facts(roleFacts()));
  expect(page).toContain('<div class="figure">\n<dt>role</dt>\n<dd>1</dd>');
  expect(page).toContain('<div class="figure">\n<dt>stuck</dt>\n<dd>0</dd>');
  expect(page).toContain('<div class="figure">\n<dt>compaction</dt>\n<dd>1</dd>');
  expect(page).toContain('<div class="figure">\n<dt>of them unsaved</dt>\n<dd>0</dd>');
  const quiet = lines(facts(roleFacts({}, [])));
  for (const said of ["No compaction in this time.", "No save in this time.", "No transition in this time."]) {
    expect(quiet).toContain(`<p class="muted">${said}</p>`);
  }
  expect(quiet).not.toContain('<table id="save-table"');
});

test("a compaction's mark is of its session, from a little before it to the next one", () => {
  const compactions = (marks: readonly (readonly [seconds: number, session?: string])[], ...steps: readonly Step[]) => {
    const { timed } = timedEntries(
      historyOf(steps.map(([at, event, to]) => [at, event, to, { session_id: "s" }])),
      Date.parse("2026-03-01"),
    );
    const at = (seconds: number) => Date.parse("2026-02-03T10:00:00Z") + seconds * 1000;
    const found = marks.map(([seconds, sessionId = "s"]) => ({
      at: at(seconds),
      sessionId,
      trigger: `${seconds}`,
      preTokens: null,
      postTokens: null,
    }));
    return compactionsOf(timed, found).map(({ mark }) => mark?.trigger ?? null);
  };
  const begun: Step = ["2026-02-03T10:00:00Z", "COMPACT", "compacting"];
  const ended: Step = ["2026-02-03T10:01:00Z", "COMPACTED", "recovering"];
  expect(compactions([[-5]], begun)).toEqual(["-5"]);
  expect(compactions([[-5.001]], begun)).toEqual([null]);
  expect(compactions([[9, "t"], [7], [8]], begun, ended)).toEqual(["7"]);
  expect(compactions([[8], [7]], begun, ended)).toEqual(["7"]);
  expect(compactions([[-540]], ended)).toEqual(["-540"]);
  expect(compactions([[-540.001]], ended)).toEqual([null]);
  const next: Step = ["2026-02-03T10:02:00Z", "COMPACT", "compacting"];
  const again: Step = ["2026-02-03T10:03:00Z", "COMPACTED", "recovering"];
  expect(compactions([[119.999], [120]], begun, ended, next, again)).toEqual(["119.999", "120"]);
  expect(compactions([[120]], begun, ended, next, again)).toEqual([null, "120"]);
  expect(compactions([[10], [11]], begun, ended, next, again)).toEqual(["10", null]);
  expect(compactions([[10]], begun, ["2026-02-03T10:01:00Z", "RESUME", "active"])).toEqual([null]);
});

test("days and their slots hold what fell into them, to the millisecond", () => {
  const day = Date.parse("2026-02-03T00:00:00Z");
  const days = [day, day + DAY_MS];
  const stay = (state: "active" | "saved" | null, from: number, to: number) => ({
    state,
    from: day + from,
    to: day + to,
    by: "x",
    event: "RESUME" as const,
    open: false,
  });
  const slots = (...stays: readonly ReturnType<typeof stay>[]) =>
    daySlots(stays, days, 4).map((runs) => runs.map(({ state, first, end }) => `${state} ${first}-${end}`));
  expect(slots(stay("active", 0, 6 * HOUR), stay(null, 6 * HOUR, 12 * HOUR))).toEqual([
    ["active 0-1", "unknown 1-2"],
    [],
  ]);
  expect(
    slots(stay("active", 0, 2 * HOUR), stay("saved", 2 * HOUR, 4 * HOUR), stay("active", 4 * HOUR, 6 * HOUR)),
  ).toEqual([["active 0-1"], []]);
  expect(
    slots(stay("active", 0, 2 * HOUR), stay("saved", 2 * HOUR, 5 * HOUR), stay("active", 5 * HOUR, 6 * HOUR)),
  ).toEqual([["saved 0-1"], []]);
  expect(slots(stay("active", 0, 2 * HOUR), stay("saved", 2 * HOUR, 5 * HOUR))).toEqual([["saved 0-1"], []]);
  expect(slots(stay("active", 5 * HOUR, 7 * HOUR), stay("saved", 14 * HOUR, 15 * HOUR))).toEqual([
    ["active 0-2", "saved 2-3"],
    [],
  ]);
  expect(slots(stay("active", HOUR, 2 * HOUR), stay("active", 13 * HOUR, 14 * HOUR))).toEqual([
    ["active 0-1", "active 2-3"],
    [],
  ]);
  expect(slots(stay("saved", 20 * HOUR, 26 * HOUR))).toEqual([["saved 3-4"], ["saved 0-1"]]);
  expect(slots()).toEqual([[], []]);
  expect(daySlots([stay("saved", 0, HOUR)], [], 4)).toEqual([]);
  const times = (...stays: readonly ReturnType<typeof stay>[]) => daysTime(stays, days).map((time) => [...time]);
  expect(
    times(stay("active", HOUR, DAY_MS), stay(null, DAY_MS, DAY_MS + 1), stay("active", DAY_MS + 1, DAY_MS + 3)),
  ).toEqual([
    [["active", DAY_MS - HOUR]],
    [
      ["unknown", 1],
      ["active", 2],
    ],
  ]);
  expect(times(stay("saved", DAY_MS - 1, 3 * DAY_MS), stay("saved", 0, 2))).toEqual([
    [["saved", 3]],
    [["saved", DAY_MS]],
  ]);
  expect(daysTime([stay("saved", 0, HOUR)], [])).toEqual([]);
});

test("what is beyond a table's rows is folded, and says how much it was", () => {
  const start = Date.parse("2026-02-02T12:00:00Z");
  const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString();
  const saves = Array.from({ length: MOST_ROWS + 3 }, (_, index): Step => [at(index), "CONTEXT_VALID", "saved"]);
  const [first, ...others] = saves;
  const history = historyOf(
    first === undefined ? [] : [["2026-02-01T12:00:00.000Z", "CONTEXT_VALID", "saved"], ...others],
  );
  const rows = saveTable(buildModel(facts(roleFacts({}, history))))
    .markup.split("<tr ")
    .slice(1);
  expect(rows).toHaveLength(MOST_ROWS + 2);
  expect(rows.slice(-2).map((row) => row.replaceAll(/<[^>]*>/g, "|"))).toEqual([
    expect.stringContaining("|2026-02-02||oosh-expert|||2 saves of this day, folded|"),
    expect.stringContaining("|2026-02-01||oosh-expert|||1 save of this day, folded|"),
  ]);
  expect(rows.at(-1)).toBe(
    'data-role="oosh-expert" data-day="2026-02-01" data-count="1"><th scope="row">2026-02-01</th><td>oosh-expert</td><td><span class="muted">1 save of this day, folded</span></td><td class="number"></td><td></td></tr></tbody></table></div>',
  );
  const compactions = Array.from({ length: MOST_ROWS + 1 }, (_, index): Step => [at(index), "COMPACT", "compacting"]);
  const folded = compactionTable(buildModel(facts(roleFacts({}, historyOf(compactions))))).markup;
  expect(folded).toContain(
    '<td><span class="muted">1 compaction of this day, folded</span></td><td></td><td class="number"></td><td class="number"></td><td class="number"></td><td></td></tr></tbody>',
  );
});

test("events of two roles stand newest first, and roles in their order where two came at once", () => {
  const save = (at: string): Step => [at, "CONTEXT_VALID", "saved"];
  const one = roleFacts({}, historyOf([save("2026-02-03T08:00:00Z"), save("2026-02-03T10:00:00Z")]));
  const two = roleFacts(
    { role: role("other") },
    historyOf([save("2026-02-03T08:00:00Z"), save("2026-02-03T09:00:00Z")]),
  );
  const rows = [...saveTable(buildModel(facts(one, two))).markup.matchAll(/"row">([^<]*)<\/th><td>([^<]*)/g)];
  expect(rows.map(([, at, name]) => `${at?.slice(11, 13)} ${name}`)).toEqual([
    "10 oosh-expert",
    "09 other",
    "08 oosh-expert",
    "08 other",
  ]);
});

test("a drawing of many days is coarser, and names some of them", () => {
  const now = Date.parse("2026-02-04T00:00:00Z");
  const drawn = (days: number) => {
    const model = buildModel({ ...facts(roleFacts()), now, since: now - days * DAY_MS });
    const [report] = model.roles;
    if (report === undefined) throw new Error("expected a role");
    const { markup } = timelineSvg(report, model.days, "x");
    const track = /class="track" x="([^"]*)" y="8" width="([^"]*)"/g;
    return {
      labels: [...markup.matchAll(/middle">([^<]*)/g)].map(([, label = ""]) => label).join(" "),
      track: [...markup.matchAll(track)].map(([, x, width]) => `${x} ${width}`).slice(0, 2),
      runs: [...markup.matchAll(/<title>([^<]*)/g)].length,
    };
  };
  expect(drawn(1)).toEqual({ labels: "02-03", track: ["40 93"], runs: 5 });
  expect(drawn(10)).toEqual({
    labels: "01-25 01-26 01-27 01-28 01-29 01-30 01-31 02-01 02-02 02-03",
    track: ["40 93", "136 93"],
    runs: 5,
  });
  expect(drawn(30)).toEqual({
    labels: "01-06 01-08 01-10 01-12 01-14 01-16 01-18 01-20 01-22 01-24 01-26 01-28 01-30 02-01 02-03",
    track: ["40 29", "72 29"],
    runs: 5,
  });
  expect(drawn(60)).toEqual({
    labels: "12-09 12-13 12-17 12-21 12-25 12-29 01-02 01-06 01-10 01-14 01-18 01-22 01-26 01-30 02-03",
    track: ["40 13.6", "56 13.6"],
    runs: 5,
  });
  expect(drawn(61)).toEqual({
    labels: "12-05 12-09 12-13 12-17 12-21 12-25 12-29 01-02 01-06 01-10 01-14 01-18 01-22 01-26 01-30 02-03",
    track: ["40 13.38", "55.74 13.38"],
    runs: 4,
  });
});

test("compactions that would be drawn on each other are drawn once", () => {
  const steps: readonly Step[] = [
    ["2026-02-03T08:00:00Z", "COMPACT", "compacting"],
    ["2026-02-03T08:01:00Z", "COMPACTED", "recovering"],
    ["2026-02-03T08:02:00Z", "COMPACT", "compacting"],
    ["2026-02-03T09:00:00Z", "COMPACT", "compacting"],
  ];
  const page = lines(facts(roleFacts({}, historyOf(steps))));
  expect(page.match(/class="tick"[^>]* y1="(\d+)"/g)).toHaveLength(2);
});

test("numbers at the edges of their units", () => {
  expect(
    [1, 999, 1_000, 60_000, 3_599_999, 3_600_000, 86_400_000, 86_399_999, 90_061_000, -1].map(durationText),
  ).toEqual(["< 1 s", "< 1 s", "1 s", "1 min", "59 min 59 s", "1 h", "1 d", "23 h 59 min", "1 d 1 h", "0 s"]);
  expect([999_949, 999_999, 1_000_000].map(bytesText)).toEqual(["999.9 kB", "1000.0 kB", "1.0 MB"]);
  expect([1_000, 12_345].map(countText)).toEqual(["1\u202f000", "12\u202f345"]);
  expect([median([5]), median([1, 2]), median([10, 9, 1])]).toEqual([5, 1.5, 9]);
  expect(timeText(1_770_071_400_999)).toBe("2026-02-02 22:30:00");
});

test("an element's attributes and children are what they are", () => {
  expect(h("input", { a: null, b: false, c: true, d: 0, e: '"' }, "gone").markup).toBe('<input c d="0" e="&quot;">');
  expect(h("p", {}, 1, null, ["<", [h("br", {})]]).markup).toBe("<p>1&lt;<br></p>");
  expect([h("link", {}), h("meta", {}), h("hr", {})].map(({ markup }) => markup)).toEqual([
    "<link>",
    "<meta>",
    "<hr></hr>",
  ]);
  expect(embeddedJson("<>&\u2028\u2029").markup).toBe('"\\u003c\\u003e\\u0026\\u2028\\u2029"');
  expect([foreign("a\nb"), foreign("abc", 2), foreign("x".repeat(121)).length]).toEqual(["a\\u{a}b", "a…", 120]);
});

test("a save of no branch and no commit is shown by its time alone", () => {
  const { record } = stored({ savedAt: "2026-02-03T12:01:00.000Z", branch: null, commit: null });
  const cell = (changes: Partial<typeof record>) => {
    const page = lines(facts(roleFacts({ record: { ...record, role: role(), ...changes } })));
    return /2026-02-03 12:01.*/.exec(page)?.[0];
  };
  expect(cell({ branch: "main" })).toBe('2026-02-03 12:01:00<span class="sub">main</span>');
  expect(cell({})).toBe("2026-02-03 12:01:00</td>");
});

test("a page's data holds each sender once, and what is open", () => {
  const steps: readonly Step[] = [
    ["2026-02-03T08:00:00.000Z", "SAVE", "saving", { by: "a" }],
    ["2026-02-03T08:00:01.000Z", "CONTEXT_VALID", "saved", { by: "b" }],
    ["2026-02-03T08:00:02.000Z", "RESUME", "active", { by: "a" }],
  ];
  const t = Date.parse("2026-02-03T08:00:00.000Z");
  expect(pageData(buildModel(facts(roleFacts({}, historyOf(steps)))))).toEqual({
    states: ["active", "saving", "saved", "compacting", "recovering"],
    by: ["a", "b"],
    roles: {
      "oosh-expert": [
        [1, t, t + 1000, 0, 0],
        [2, t + 1000, t + 2000, 1, 0],
        [0, t + 2000, Date.parse("2026-02-04T00:00:00Z"), 0, 1],
      ],
    },
  });
});

test("a page's data says -1 of a time between two entries that do not follow from each other", () => {
  const history = historyOf([
    ["2026-02-03T08:00:00.000Z", "SAVE", "saving", { by: "a" }],
    ["2026-02-03T09:00:00.000Z", "RESUME", "active", { by: "a" }],
  ]).map((entry, at) => (at === 1 ? { ...entry, from: "recovering" as const } : entry));
  const { roles } = pageData(buildModel(facts(roleFacts({}, history))));
  expect(roles["oosh-expert"]?.map(([state]) => state)).toEqual([-1, 0]);
});
