import { expect, test } from "vitest";
import { browserMissing } from "./browser.ts";

test("a browser that is missing is told by name, and is a failure where one is required", () => {
  expect(browserMissing("/nowhere/chromium", "")).toContain("/nowhere/chromium is missing");
  expect(() => browserMissing("/nowhere/chromium", "required")).toThrow(/CONTEXT_BROWSER=required/);
  expect(browserMissing(process.execPath, "required")).toBeNull();
});
