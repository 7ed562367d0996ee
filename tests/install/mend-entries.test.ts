import { expect, test } from "vitest";
import { mendEntries } from "../../src/install/mend-entries.ts";

const REQUEST = { foreign: new Set<string>(), verbs: ["pre-compact", "lifecycle.save"], timeoutOf: () => 5 };

const entry = (command: string, timeout: string) =>
  `{ "type": "command", "command": "${command}", "timeout": ${timeout} }`;
const file = (...entries: readonly string[]) =>
  `\uFEFF{ "hooks": {\t"PreCompact": [ { "hooks": [${entries.join(", ")}] } ] },\r\n "x": 1e2 }`;

test("a time-out of ours is replaced where it stands, and no other byte", () => {
  const text = (own: string) => file(entry("notify", "900"), entry("context pre-compact --guidance", own));
  expect(mendEntries(text("9e2"), REQUEST)).toBe(text("5"));
});

test("a command that there is not is taken out, with its spaced and dotted neighbours left in", () => {
  const kept = [entry("context lifecycle save x", "1"), entry("context lifecycle.save x", "1"), entry("notify", "1")];
  expect(mendEntries(file(...kept, entry("context remember", "1")), REQUEST)).toBe(file(...kept));
});

test("a line that does more is a person's own", () => {
  const text = file(entry("context remember; notify", "1"));
  expect(mendEntries(text, REQUEST)).toBe(text);
});

test("a file that held nothing else is to go", () => {
  const text = `{\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": [\n          ${entry("context remember", "1")}\n        ]\n      }\n    ]\n  }\n}\n`;
  expect(mendEntries(text, REQUEST)).toBeNull();
});
