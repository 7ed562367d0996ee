import { FIELD_FORMS, LAST_METADATA_LINE } from "./fields.ts";
import { rulesTable } from "./rules-text.ts";
import { FIRST_STEP, OPTIONAL_SECTIONS, SECTION_FORMS } from "./sections.ts";
import { contextFileText } from "./template.ts";
import { TITLE_FORM } from "./title-form.ts";

/** Version of the schema for context files. */
const SCHEMA_VERSION = "1.0";

/** The schema of context files as Markdown, made from the rules, the fields and the sections. */
export function schemaMarkdown(): string {
  const parts = [
    `# Context file schema ${SCHEMA_VERSION}`,
    "A context file is what a role wrote down for the time after its memory is lost: `session/agents/<role>.context.md`.",
    "## Structure",
    `\`\`\`markdown\n${skeleton()}\`\`\``,
    "## Title",
    `Line 1: \`${TITLE_FORM}\`. The separator is an em dash (U+2014), the last word \`Context\`.`,
    "## Metadata",
    `Each on its own line, within the first ${LAST_METADATA_LINE} lines.`,
    [
      "| field | value | example |",
      "| --- | --- | --- |",
      ...FIELD_FORMS.map(({ name, value, example }) => `| \`**${name}**\` | ${value} | \`${example}\` |`),
    ].join("\n"),
    "## Sections",
    "A `##` heading that starts with the name is the section: `## Pending Tasks` is `Pending`. What stands in fenced code or in HTML comments does not count.",
    [
      "| section | need | holds |",
      "| --- | --- | --- |",
      ...SECTION_FORMS.map(({ name, need, holds }) => `| \`## ${name}\` | ${need} | ${holds} |`),
    ].join("\n"),
    `Others are free. Often seen: ${OPTIONAL_SECTIONS.map((name) => `\`## ${name}\``).join(", ")}.`,
    "## Rules",
    rulesTable(),
    "Errors make a file invalid; warnings do so with `--strict` only.",
  ];
  return `${parts.join("\n\n")}\n`;
}

function skeleton(): string {
  return contextFileText(
    "<Role Name>",
    { Updated: "YYYY-MM-DDTHH:MMZ", Role: "<role-name> (<description>)", Pane: "<pane-id> in <session-name>" },
    {
      "recovery-steps": [`1. ${FIRST_STEP}`, "2. …"],
      "completed-work": ["### Task N: <description> (DONE — commit <hash>)", "- …"],
      pending: ["- …"],
      "key-files": ["- `<path>` — <why it matters>"],
    },
  );
}
