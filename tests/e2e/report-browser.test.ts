import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { browserMissing, useBrowser } from "../helpers/browser.ts";
import { contextText } from "../helpers/context-text.ts";
import { DAY, historyOf, historyText } from "../helpers/history-lines.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const missing = browserMissing();
if (missing !== null) console.warn(`The report is not looked at: ${missing}.`);

const HOSTILE = `</td></script><script>window.owned=1</script><img src=x onerror="window.owned=1">'"&{{x}}`;

/** Two roles with a history of two days each, everything that can be a stranger's text hostile. */
function fleet(): Workspace {
  const workspace = makeWorkspace();
  for (const role of ["oosh-expert", "test-writer"]) {
    workspace.role(role, contextText({ role, title: `# ${HOSTILE} — Context`, pane: HOSTILE }));
    workspace.context(`lifecycle.save ${role}`);
    const machine = role.replace("-", "_");
    const later = DAY.map(([at, event, to]) => [at.replace("02-03", "02-04"), event, to] as const);
    const steps = role === "oosh-expert" ? [...DAY, ...later] : DAY;
    const entries = historyOf(steps.map(([at, event, to]) => [at, event, to, { by: HOSTILE, session_id: HOSTILE }]));
    workspace.write(`session/stateMachines/${machine}.history.jsonl`, historyText(entries));
    workspace.setState(role, {
      CURRENT: "active",
      REVISION: String(entries.length),
      SINCE: "2026-02-03T13:00:00.000Z",
      BRANCH: `'${HOSTILE.replaceAll("'", "'\\''")}'`,
      SESSION_ID: `'${HOSTILE.replaceAll("'", "'\\''")}'`,
    });
  }
  return workspace;
}

/** A role that saved and compacted once a minute. */
function busy(): Workspace {
  const workspace = makeWorkspace();
  workspace.context("lifecycle.init tester");
  const round = [
    ["SAVE", "saving"],
    ["CONTEXT_VALID", "saved"],
    ["COMPACT", "compacting"],
    ["COMPACTED", "recovering"],
    ["RECOVERED", "active"],
  ] as const;
  const start = Date.parse("2026-02-03T00:00:00Z");
  const steps = Array.from({ length: 600 }, (_, minute) =>
    round.map(
      ([event, to], step) => [new Date(start + minute * 60_000 + step * 1_000).toISOString(), event, to] as const,
    ),
  ).flat();
  workspace.write("session/stateMachines/tester.history.jsonl", historyText(historyOf(steps)));
  workspace.setState("tester", { REVISION: String(steps.length) });
  return workspace;
}

describe.skipIf(missing !== null)("the report in a browser", () => {
  const browser = useBrowser();

  /** Each project's page, made once: the same files give the same bytes. */
  const pages = new Map<() => Workspace, string>();
  function pageOf(project: () => Workspace): string {
    const ran = project().context("report --out - --now 2026-02-05T00:00Z --since 7d");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    return ran.stdout;
  }

  /** The page of a project, and all that it complained of or asked for beside itself. */
  async function open(project: () => Workspace, options: Parameters<typeof browser.page>[0] = {}) {
    const text = pages.get(project) ?? pageOf(project);
    pages.set(project, text);
    const workspace = makeWorkspace();
    workspace.write("r.html", text);
    const page = await browser.page(options);
    // One that stays open is drawn on.
    onTestFinished(() => page.context().close());
    const trouble: string[] = [];
    page.on("console", (message) => trouble.push(message.text()));
    page.on("pageerror", (error) => trouble.push(error.message));
    const address = pathToFileURL(workspace.path("r.html")).href;
    await page.route("**/*", (route) => {
      if (route.request().url() === address) return route.continue();
      trouble.push(`asked for ${route.request().url()}`);
      return route.abort();
    });
    await page.goto(address);
    return { page, trouble };
  }

  const visible = (page: Page, selector: string) => page.locator(`${selector} >> visible=true`).count();

  test("shows every role, asks for nothing, and complains of nothing", async () => {
    const { page, trouble } = await open(fleet);
    expect(await visible(page, "#fleet-table tbody tr")).toBe(2);
    expect(await visible(page, "svg.timeline")).toBe(2);
    expect(await visible(page, "#compaction-table tbody tr")).toBe(3);
    expect(await page.locator("#compaction-table tbody tr").first().textContent()).toContain("unknown");
    expect(trouble).toEqual([]);
  });

  test("hostile texts stay texts: no element, no script", async () => {
    const { page, trouble } = await open(fleet);
    await page.selectOption("#day", "2026-02-03");
    expect(await page.locator("img, iframe, object, embed").count()).toBe(0);
    expect(await page.locator("script").count()).toBe(2);
    expect(await page.evaluate("window.owned")).toBeUndefined();
    expect(await page.locator("#save-table tbody").textContent()).toContain("<img src=x");
    expect(await page.locator(".day table").first().textContent()).toContain("<img src=x");
    expect(await page.locator("#fleet-table tbody").textContent()).toContain("<script>");
    expect(trouble).toEqual([]);
  });

  test("filters by role and by day, and says what is shown", async () => {
    const { page, trouble } = await open(fleet);
    await page.selectOption("#role", "oosh-expert");
    expect(await visible(page, "#fleet-table tbody tr")).toBe(1);
    expect(await visible(page, "article")).toBe(1);
    expect(await visible(page, "#compaction-table tbody tr")).toBe(2);
    await page.selectOption("#day", "2026-02-04");
    expect(await visible(page, "#compaction-table tbody tr")).toBe(1);
    expect(await page.locator("#status").textContent()).toBe("Showing 1 role, 1 compaction, 2 saves of 2026-02-04.");
    // From midnight on, the state that the day before left behind.
    const rows = await page.locator(".day tbody tr >> visible=true").allTextContents();
    expect(rows).toHaveLength(6);
    expect(rows[0]).toMatch(/^before 00:00:00.*active/);
    expect(rows[1]).toMatch(/^08:00:00.*saving.*1 h/);
    await page.selectOption("#role", "test-writer");
    expect(await visible(page, "#compaction-table")).toBe(0);
    expect(await visible(page, "#compactions .none")).toBe(1);
    await page.getByRole("button", { name: "Show all" }).click();
    await page.locator("#status", { hasText: "Showing 2 roles" }).waitFor();
    expect(await visible(page, "svg.timeline")).toBe(2);
    expect(trouble).toEqual([]);
  });

  test("can be used with the keyboard alone", async () => {
    const { page } = await open(fleet);
    const focused = () =>
      page.evaluate("document.activeElement.id || document.activeElement.className || document.activeElement.tagName");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("skip");
    const seen = new Set<unknown>();
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press("Tab");
      seen.add(await focused());
    }
    expect([...seen]).toEqual(expect.arrayContaining(["theme", "role", "day", "scroll", "SUMMARY"]));
    await page.locator("#role").focus();
    await page.keyboard.press("ArrowDown");
    await page.locator("#status", { hasText: "Showing 1 role," }).waitFor();
    await page.locator("#theme").focus();
    const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    expect(outline).toBe("solid");
    await page.keyboard.press("Enter");
    expect(await page.locator("html").getAttribute("data-theme")).toBe("light");
    await page.keyboard.press("Enter");
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await page.locator("summary").first().focus();
    await page.keyboard.press("Enter");
    expect(await visible(page, ".overview table")).toBe(1);
  });

  test.each(["light", "dark"] as const)("axe finds nothing in %s, with all days and with one", async (colorScheme) => {
    const { page } = await open(fleet, { colorScheme });
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    // The page's own policy lets no script in; the debugger's door is not the page's.
    expect(await violations(page)).toEqual([]);
    await page.selectOption("#day", "2026-02-03");
    expect(await violations(page)).toEqual([]);
  });

  test("is no wider than a telephone", async () => {
    const { page } = await open(fleet, { viewport: { width: 390, height: 800 } });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await violations(page)).toEqual([]);
  });

  test("with a role of the longest name it is no wider either, and a role's state stands beside its name", async () => {
    const role = "r".repeat(64);
    const named = () => {
      const workspace = makeWorkspace();
      workspace.context(`lifecycle.init ${role}`);
      return workspace;
    };
    const { page } = await open(named, { viewport: { width: 390, height: 800 } });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    const state = await page.locator("#fleet-table tbody td").first().boundingBox();
    expect((state?.x ?? 390) + (state?.width ?? 390)).toBeLessThan(390);
  });

  test("counts what a table folds", async () => {
    const { page } = await open(busy);
    const figure = (name: string) => page.locator(".figure", { hasText: name }).locator("dd").textContent();
    expect([await figure("compactions"), await figure("good saves")]).toEqual(["600", "600"]);
    expect(await visible(page, "#compaction-table tbody tr")).toBeLessThan(600);
    expect(await page.locator("#status").textContent()).toBe("Showing 1 role, 600 compactions, 600 saves.");
  });

  test("helps where there is no role yet", async () => {
    const { page, trouble } = await open(makeWorkspace);
    expect(await page.getByRole("heading", { level: 2 }).textContent()).toBe("No role yet");
    expect(await violations(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  test("axe is asked in earnest: it sees a fault that is planted", async () => {
    const { page } = await open(fleet);
    await page.evaluate("document.querySelector('label[for=role]').remove()");
    expect(await violations(page)).toContain("select-name");
  });
});

/** Rules of axe that the page breaks. */
async function violations(page: Page): Promise<string[]> {
  if ((await page.evaluate("typeof axe")) === "undefined") {
    const { source } = await import(pathToFileURL(join("node_modules", "axe-core", "axe.js")).href).then(
      (axe: { default: { source: string } }) => axe.default,
    );
    await page.evaluate(source);
  }
  const run = 'axe.run(document, { resultTypes: ["violations"], selectors: false })';
  return page.evaluate(`${run}.then(({ violations }) => violations.map(({ id }) => id))`);
}
