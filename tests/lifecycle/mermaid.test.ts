import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { mermaidDiagram } from "../../src/lifecycle/diagram.ts";
import { ganttDiagram } from "../../src/lifecycle/gantt.ts";
import { intervalsOf } from "../../src/lifecycle/intervals.ts";
import { LIFECYCLE_STATES } from "../../src/lifecycle/states.ts";
import { browserMissing, useBrowser } from "../helpers/browser.ts";
import { DAY, historyOf } from "../helpers/history-lines.ts";
import { role } from "./records.ts";

const missing = browserMissing();
if (missing !== null) console.warn(`Mermaid is not asked: ${missing}.`);

const [FROM, TO] = [Date.parse("2026-02-03T00:00:00Z"), Date.parse("2026-02-04T00:00:00Z")];
const EVIL = 'x;\n click a href "javascript:alert(1)" :done, %%{init: {}}%% <img src=x onerror=alert(1)> #quot;';

describe.skipIf(missing !== null)("Mermaid itself", () => {
  const browser = useBrowser();
  /** The diagram's kind and its drawing's words, as Mermaid makes them; a text that it refuses rejects. */
  let draw: (text: string) => Promise<{ type: string; words: string }>;

  beforeAll(async () => {
    const page = await browser.page();
    await page.setContent("<!doctype html><title>Mermaid</title>");
    await page.addScriptTag({ path: join("node_modules", "@mermaid-js", "tiny", "dist", "mermaid.tiny.js") });
    draw = (text) =>
      page.evaluate(`(async () => {
        mermaid.initialize({ startOnLoad: false });
        const { diagramType } = await mermaid.parse(${JSON.stringify(text)});
        const { svg } = await mermaid.render("drawing", ${JSON.stringify(text)});
        const words = new DOMParser().parseFromString(svg, "text/html").body.querySelector("svg");
        for (const style of words.querySelectorAll("style")) style.remove();
        return { type: diagramType, words: words.textContent };
      })()`);
  });

  test("draws the machine, and marks each state in turn", async () => {
    for (const state of [null, ...LIFECYCLE_STATES]) {
      const drawn = await draw(mermaidDiagram(state));
      expect(drawn.type).toBe("stateDiagram");
      for (const name of LIFECYCLE_STATES) expect(drawn.words).toContain(name);
    }
  });

  test("draws a Gantt chart of roles whose names are Mermaid's own words", async () => {
    const history = historyOf(DAY.map(([at, event, to]) => [at, event, to, { by: EVIL, session_id: EVIL }]));
    const { intervals } = intervalsOf(history, TO);
    const names = ["oosh-expert", "end", "section", "title", "gantt", "click", "done", "0", "a".repeat(64)];
    const { text } = ganttDiagram(
      names.map((name) => ({ role: role(name), intervals })),
      FROM,
      TO,
    );
    const drawn = await draw(text ?? "");
    expect(drawn.type).toBe("gantt");
    for (const name of [...names.slice(0, -1), "saved", "compacting"]) expect(drawn.words).toContain(name);
    expect(drawn.words).not.toContain("alert");
  });

  test("draws a Gantt chart of more bars than it takes: the shortest are left out and counted", async () => {
    const [bar] = intervalsOf(historyOf(DAY), TO).intervals;
    const intervals = Array.from({ length: 150 }, (_, index) => {
      const from = FROM + index * 576_000;
      return {
        by: "x",
        event: "SAVE",
        open: false,
        ...bar,
        state: "saving",
        from,
        to: from + 300_000 + index * 1000,
      } as const;
    });
    const rows = Array.from({ length: 30 }, (_, index) => ({ role: role(`role-${index}`), intervals }));
    const { text, omitted } = ganttDiagram(rows, FROM, TO);
    expect(omitted).toBeGreaterThan(4000);
    expect(text === null ? 0 : text.length).toBeLessThan(50_000);
    const few = ganttDiagram(rows.slice(0, 2), FROM, TO);
    expect(few.omitted).toBe(0);
    expect((await draw(few.text ?? "")).type).toBe("gantt");
  });

  test("refuses a text that is none, so that its word counts", async () => {
    await expect(draw("gantt\n  nonsense")).rejects.toThrow();
    await expect(draw("stateDiagram-v2\n  active -->")).rejects.toThrow();
  });
});
