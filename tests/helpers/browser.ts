import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

/** Debian's; another one where `CONTEXT_CHROMIUM` names it. */
const PROGRAM: string = process.env.CONTEXT_CHROMIUM || "/usr/bin/chromium";

/** Nothing that a fresh profile asks the network for. */
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Why no browser can be had, or null where one can. `CONTEXT_BROWSER=required` makes its absence a failure, so that a
 * build that should have run these tests cannot pass without them.
 */
export function browserMissing(program = PROGRAM, wanted = process.env.CONTEXT_BROWSER): string | null {
  if (existsSync(program)) return null;
  const missing = `${program} is missing: install chromium, or name one in CONTEXT_CHROMIUM`;
  if (wanted === "required") throw new Error(`${missing}. CONTEXT_BROWSER=required, so this is a failure.`);
  return missing;
}

export interface BrowserUnderTest {
  /** A page in a context of its own, gone when the file's tests are. */
  readonly page: (options?: Parameters<Browser["newContext"]>[0]) => Promise<Page>;
}

/** One browser for the tests of a file, with an empty profile. */
export function useBrowser(): BrowserUnderTest {
  let browser: Browser | null = null;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: PROGRAM, args: ARGS });
  });
  afterAll(async () => browser?.close());
  return {
    page: async (options = {}) => {
      if (browser === null) throw new Error("The browser runs from the first test on.");
      const context = await browser.newContext(options);
      context.setDefaultTimeout(10_000);
      return context.newPage();
    },
  };
}
