import { expect, test } from "vitest";
import { DEFAULT_GATE, readGate } from "../../src/resume/gate.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

const SEED = `# Notes

# Validation Gate

Verify:

1. **Project Purpose** (from overview.md):
   - [ ] What problem are we solving?
   - [ ] What is the success criterion?

2. **Approach** (from plan.md):
   - [ ] What is the strategy?
     - [ ] And its risk?
   - [x] Who decides? (from notes.md)

\`\`\`
- [ ] quoted
\`\`\`

3. What is next?

# Other

- [ ] not a question
`;

test("reads the questions with what they are about and the file that tells", () => {
  const gate = readGate(`---\n# Validation Gate\na: 1\n---\n${SEED}`);
  expect(gate?.line).toBe(7);
  expect(gate?.questions).toEqual([
    { section: "Project Purpose", from: "overview.md", text: "What problem are we solving?", line: 12 },
    { section: "Project Purpose", from: "overview.md", text: "What is the success criterion?", line: 13 },
    { section: "What is the strategy?", from: "plan.md", text: "And its risk?", line: 17 },
    { section: "Approach", from: "notes.md", text: "Who decides?", line: 18 },
    { section: null, from: null, text: "What is next?", line: 24 },
  ]);
});

test("reads a question and what it is about that go on in the next line", () => {
  const text = `---
a: 1
---
# Validation Gate

1. **Project Purpose**
   (from overview.md):
   - [ ] Which problem does it solve,
     and for whom?
`;
  const [question, ...more] = readGate(text)?.questions ?? [];
  expect(more).toEqual([]);
  expect(question).toEqual({
    section: "Project Purpose",
    from: "overview.md",
    text: "Which problem does it solve, and for whom?",
    line: 8,
  });
});

test("takes headings for what the questions are about", () => {
  const gate = readGate(
    "## The validation gate\n### Purpose (from a.md)\n- Why?\n- How?\n### Rest\n- Who?\n## End\n- no\n",
  );
  expect(gate?.questions.map(({ section, from, text }) => [section, from, text])).toEqual([
    ["Purpose", "a.md", "Why?"],
    ["Purpose", "a.md", "How?"],
    ["Rest", null, "Who?"],
  ]);
});

test.each([
  ["# Title\n- [ ] a\n"],
  ["```\n# Validation Gate\n```\n"],
  ["---\n# Validation Gate\n---\n"],
  ["---\na: 1\n# Validation Gate\n"],
])("finds none in %j", (text) => {
  expect(readGate(text)).toBeNull();
});

test("a gate may ask nothing", () => {
  expect(readGate("a\n# Validation Gate\n")).toEqual({ line: 2, questions: [] });
  expect(readGate("# Validation Gate\n# More\n- no\n")).toEqual({ line: 1, questions: [] });
});

test("the gate that is appended has a question for purpose, position and approach", () => {
  const sections = readGate(DEFAULT_GATE)?.questions.map(({ section, from }) => `${section} from ${from}`);
  expect(new Set(sections)).toEqual(new Set(["Purpose from overview", "Position from steps", "Approach from plan"]));
});

test.each([
  ["two hundred thousand questions", "- [ ] Why?\n".repeat(200_000)],
  ["items each deeper than the one before", Array.from({ length: 1400 }, (_, i) => `${" ".repeat(i)}- a`).join("\n")],
  ["a million openings of a file's name", `- ${"(from ".repeat(170_000)}`],
  ["a million stars", `- ${"*".repeat(1_000_000)}`],
])("reads %s in time that grows with the text only", (_name, body) => {
  const start = cpuTime();
  readGate(`# Validation Gate\n${body}`);
  expect(cpuTime() - start).toBeLessThan(2500);
});
