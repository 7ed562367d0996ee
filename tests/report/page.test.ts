import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { daySlots } from "../../src/report/day-slots.ts";
import { daysTime } from "../../src/report/days-time.ts";
import { bytesText, countText, durationText, median } from "../../src/report/format.ts";
import { embeddedJson, h } from "../../src/report/html.ts";
import { buildModel } from "../../src/report/model.ts";
import { GENERATOR, renderPage } from "../../src/report/page.ts";
import { PAGE_SCRIPT } from "../../src/report/page-script.ts";
import { PAGE_STYLE } from "../../src/report/page-style.ts";
import type { Step } from "../helpers/history-lines.ts";
import { historyOf } from "../helpers/history-lines.ts";
import { EVIL } from "../helpers/unsafe-text.ts";
import { facts, roleFacts } from "./facts.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("base64");
const options = { hash, invokedAs: "./context" };

test("the same facts give the same bytes", () => {
  const page = () => renderPage(buildModel(facts(roleFacts())), options);
  expect(page()).toBe(page());
});

test("the page names its maker early, loads nothing, and allows its one script by its hash", () => {
  const page = renderPage(buildModel(facts(roleFacts())), options);
  expect(page.slice(0, 512)).toContain(GENERATOR);
  expect(page).toContain(`script-src &apos;sha256-${hash(PAGE_SCRIPT)}&apos;`);
  // A name, not an address: nothing is loaded from a namespace.
  const named = page.replaceAll("http://www.w3.org/2000/svg", "");
  expect(named).not.toMatch(/https?:|\bsrc=|@import|url\(/);
  expect(page.match(/<script/g)).toHaveLength(2);
  for (const text of [PAGE_SCRIPT, PAGE_STYLE]) expect(text).not.toMatch(/<\/|<!--/);
  expect(PAGE_SCRIPT).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|Function\(/);
});

test("a stranger's text stays a text, in markup and in data", () => {
  expect(h("p", { title: '"><b>' }, "<i>&").markup).toBe('<p title="&quot;&gt;&lt;b&gt;">&lt;i&gt;&amp;</p>');
  const json = embeddedJson({ by: "</script><script>\u2028<!--" }).markup;
  expect(json).not.toMatch(/[<>\u2028]/);
  expect(JSON.parse(json)).toEqual({ by: "</script><script>\u2028<!--" });
  const history = historyOf([["2026-02-03T08:00:00Z", "SAVE", "saving", { by: `</script><img src=x>${EVIL}` }]]);
  const page = renderPage(buildModel(facts(roleFacts({ problem: `<b>${EVIL}` }, history))), options);
  expect(page).not.toMatch(/<img|<b>|[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202E\u2066\u2028]/);
});

test("without a role the page says how to begin", () => {
  const page = renderPage(buildModel(facts()), options);
  expect(page).toContain("./context new oosh-expert");
  expect(page).not.toContain('id="filters"');
});

test("ten thousand transitions are few shapes", () => {
  const steps = Array.from({ length: 10_000 }, (_, index): Step => {
    const time = new Date(Date.parse("2026-02-01T00:00:00Z") + index * 25_000).toISOString();
    return [time, index % 2 === 0 ? "SAVE" : "RESUME", index % 2 === 0 ? "saving" : "active"];
  });
  const page = renderPage(buildModel(facts(roleFacts({}, historyOf(steps)))), options);
  expect(page.match(/<(?:rect|tr)\b/g)?.length).toBeLessThan(1000);
});

test("a slot shows what filled most of it, a day is the sum of its parts", () => {
  const day = Date.parse("2026-02-03T00:00:00Z");
  const days = [day, day + 86_400_000];
  const [found] = buildModel({ ...facts(roleFacts()), since: day }).roles;
  const [slots, next] = daySlots(found?.intervals ?? [], days, 24);
  expect(slots?.map(({ state, first, end }) => `${state} ${first}-${end}`)).toEqual([
    "saving 8-9",
    "saved 9-12",
    "compacting 12-13",
    "active 13-24",
  ]);
  expect(next).toEqual([]);
  const [times] = daysTime(found?.intervals ?? [], days);
  expect([...(times ?? [])].reduce((sum, [, ms]) => sum + ms, 0)).toBe(16 * 3_600_000);
});

test("numbers as a person says them", () => {
  expect([0, 400, 59_999, 3_725_000, 90_000_000].map(durationText)).toEqual([
    "0 s",
    "< 1 s",
    "59 s",
    "1 h 2 min",
    "1 d 1 h",
  ]);
  expect([0, 999, 1000, 14_249, 2_500_000].map(bytesText)).toEqual(["0 B", "999 B", "1.0 kB", "14.2 kB", "2.5 MB"]);
  expect([0, 999, 199_081, 1_000_000].map(countText)).toEqual(["0", "999", "199\u202f081", "1\u202f000\u202f000"]);
  expect([median([]), median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([null, 2, 2.5]);
});
