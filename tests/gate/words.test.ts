import { expect, test } from "vitest";
import { denialJson } from "../../src/gate/words.ts";

test("a denial is one line of the only shape that clients take, whatever the reason holds", () => {
  const text = denialJson('Read "a b.md" first:\n  /a b.md');
  expect(text.endsWith("}\n")).toBe(true);
  expect(text.trimEnd()).not.toContain("\n");
  expect(JSON.parse(text)).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: 'Read "a b.md" first:\n  /a b.md',
    },
  });
});
