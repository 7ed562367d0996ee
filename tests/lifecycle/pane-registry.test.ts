import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { paneRole } from "../../src/lifecycle/pane-registry.ts";

const fixture = (name: string) => readFileSync(new URL(`../fixtures/oosh/${name}`, import.meta.url), "utf8");

test("reads two fields and three, as the original wrote them", () => {
  expect(paneRole(fixture("hivemind.roles"), "cursorOrchestrator:0.4")).toBe("oosh-expert");
  expect(paneRole(fixture("hivemind.roles.env"), "projectTeam:0.0")).toBe("orchestrator");
  expect(paneRole(fixture("hivemind.roles.env"), "robbinTeam:0.2")).toBe("robbin-expert");
});

test.each([
  ["another pane", "a:0.1|x\n"],
  ["a pane whose name begins the same", "a:0.00|x\n"],
  ["a pane whose name ends the same", "aa:0.0|x\n"],
  ["the name as a role", "x|a:0.0\n"],
  ["no role", "a:0.0|\n"],
  ["a role of blanks", "a:0.0|  |17\n"],
  ["no bar", "a:0.0\n"],
  ["two roles", "a:0.0|x\na:0.0|y\n"],
  ["nothing", ""],
])("no role for the pane where the registry holds %s", (_name, registry) => {
  expect(paneRole(registry, "a:0.0")).toBeNull();
});

test.each(["a:0.0|x", "a:0.0|x\r\nb:0.0|y\r\n", " a:0.0 | x |1779751306|more\n", "a:0.0|x|1\na:0.0|x|2\n"])(
  "reads %j",
  (registry) => {
    expect(paneRole(registry, "a:0.0")).toBe("x");
  },
);
