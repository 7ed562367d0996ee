import fc from "fast-check";

const TITLES = [
  "# A — Session Context",
  "# A - Session Context",
  "# A – Context",
  "#A - Context",
  "## B — Session Context",
  "# ScrumMaster Context State",
  "# Session Context",
  "# Notes",
  "#",
  "C - Session Context",
  "# D — Session Context <!-- aside -->",
  "# E - Session Context <!-- open",
  "# `F` - x <!-- y` context",
  "  # G | H: Context ##",
  "---",
  "# Recovery Steps",
];
const FIELDS = [
  "**Updated**: 2026-02-03T12:15Z",
  "**Updated**: 2026/2/3 at noon",
  "**Updated**: 2026-02-30",
  "**Updated**:",
  "**Update**: 2026-02-03",
  "Updated: 2026-02-03 | **Role**: a-b",
  "**Updated**: 2026-02-03 | **Role**: a-b | **Pane**: 0.1",
  "**Role**: A_B (x)",
  "**Role:** a-b (y)",
  "- **role** : a-b",
  "**Role: a-b**",
  "**Role**: ",
  "**Pane**: 0.4 in x",
  "  Pane = 0.4",
  "**pane**: <!-- 0.4 -->",
  "**Pane ID**: %3 <!-- open",
  "**Owner**: me",
  "Rule: be kind",
];
const HEADINGS = [
  "## Recovery Steps",
  "## Recovery",
  "# Recovery Steps",
  "### Recovery Steps",
  "## 2. **recovery steps** ##",
  "## Completed Work This Session",
  "## Completed This Session (2026-02-03)",
  "## ✅ Done",
  "   # Completed Work",
  "## Pending Tasks",
  "## To Do:",
  "## key files",
  "## Key Files",
  "-->## Recovery",
  "### Task 1: x",
  "### Task 2: y (done, commit ABCDEF1)",
  "### Task 3: z (DONE)",
  "## Other",
];
const BODY = [
  "1. Read this file",
  "- Read this file",
  "- [ ] Read this file",
  "  - nested",
  "1.",
  "2) Ask",
  "- `a.md` — why",
  "- - -",
  "===",
  "---",
  "Recovery Steps",
  "Completed Work",
  "text",
  "",
  "",
  "   ",
  "```",
  "```sh",
  "~~~~",
  "`` ` <!--",
  "<!--",
  "-->",
  "<!-- x --> y",
  "    indented",
  "\u2028",
  "\u0000",
];

const line = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...BODY) },
  { weight: 2, arbitrary: fc.constantFrom(...HEADINGS) },
  { weight: 2, arbitrary: fc.constantFrom(...FIELDS) },
  { weight: 1, arbitrary: fc.constantFrom(...TITLES) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
);

const endings = fc.oneof(
  fc.constantFrom("\n", "\r\n", "\r").map((ending) => fc.constant(ending)),
  fc.constant(fc.constantFrom("\n", "\r\n", "\r")),
);

/** Lines that look like the parts of context files, in bad order and worse company; joined by nothing yet. */
export const nastyLines: fc.Arbitrary<string[]> = fc.oneof(
  fc.array(line, { maxLength: 25 }),
  fc
    .tuple(
      fc.constantFrom(...TITLES),
      fc.array(fc.constantFrom("", ...FIELDS), { maxLength: 8 }),
      fc.array(line, { maxLength: 20 }),
    )
    .map(([title, fields, rest]) => [title, ...fields, ...rest]),
);

/** The same as one text: with or without BOM and final newline, in one newline style or a mixture. */
export const nastyText: fc.Arbitrary<string> = fc
  .tuple(nastyLines, endings, fc.boolean(), fc.boolean())
  .chain(([lines, ending, bom, final]) =>
    fc.array(ending, { minLength: lines.length, maxLength: lines.length }).map((ends) => {
      const body = lines.map((text, index) => text + (index < lines.length - 1 || final ? ends[index] : "")).join("");
      return (bom ? "\uFEFF" : "") + body;
    }),
  );

export const nastyOptions = fc.record({ role: fc.option(fc.constantFrom("a-b", "oosh-expert"), { nil: undefined }) });

const HEADER = [
  ...[
    "",
    "text",
    "# A — Session Context",
    "A - Session Context",
    "# A <!-- y --> — Session Context",
    "## Notes",
    "### x",
    "## Recovery Steps",
  ],
  ...[
    "**Updated**: 2026-02-03",
    "**Role**: a-b",
    "**Pane**: 0.4",
    "**Pane**: 1 <!-- x -->",
    "**Role**: a-b | **Pane**: 3",
  ],
  ...["Updated: 2026-02-03", "**Pane: 0.4**", "Role: a-b", "Pane = 5", "<!-- c -->", "<!--", "-->"],
];

/** The first lines of a file, in any order, above sections that have nothing wrong. */
export const nastyHeader: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...HEADER), { minLength: 1, maxLength: 9 })
  .map((lines) => `${lines.join("\n")}\n\n## Recovery Steps\n1. Read this file\n\n## Completed Work\n- x\n`);
