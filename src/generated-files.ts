import { COMMANDS, type CommandSpec } from "./cli/command-table.ts";
import { EXIT } from "./cli/exit-code.ts";
import { manPage } from "./cli/man-page.ts";
import { DEFAULT_CONFIG, PROJECT_MARKS } from "./config/default-config.ts";
import { rulesMarkdown } from "./context-file/rules-text.ts";
import { contextFileJsonSchema } from "./context-file/schema-json.ts";
import { schemaMarkdown } from "./context-file/schema-text.ts";
import { doctorMarkdown } from "./doctor/docs-text.ts";
import { doctorReportJsonSchema } from "./doctor/report-schema.ts";
import { hookScript } from "./install/hook-scripts.ts";
import { pluginHookScript, pluginHooks, pluginLauncher } from "./install/plugin-files.ts";
import { mermaidDiagram } from "./lifecycle/diagram.ts";
import { lifecycleExportJsonSchema } from "./lifecycle/machine-document.ts";
import { lifecycleStatusJsonSchema, lifecycleTransitionJsonSchema } from "./lifecycle/status-schema.ts";
import { precompactStateJsonSchema, resumeContextJsonSchema } from "./resume/json-schema.ts";

export interface GeneratedFile {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly text: string;
  readonly executable: boolean;
}

/** The committed files that are made from the source; `npm run generate` writes them, a test holds them to it. */
export function generatedFiles(): readonly GeneratedFile[] {
  return [
    { path: "docs/context-file.md", text: schemaMarkdown(), executable: false },
    { path: "docs/rules.md", text: rulesMarkdown(), executable: false },
    { path: "schemas/context_file_v1.json", text: schema(contextFileJsonSchema()), executable: false },
    { path: "schemas/resume_context_v1.json", text: schema(resumeContextJsonSchema()), executable: false },
    { path: "schemas/precompact_state_v1.json", text: schema(precompactStateJsonSchema()), executable: false },
    { path: "docs/doctor.md", text: doctorMarkdown(), executable: false },
    { path: "schemas/doctor_report_v1.json", text: schema(doctorReportJsonSchema()), executable: false },
    { path: "schemas/lifecycle_status_v1.json", text: schema(lifecycleStatusJsonSchema()), executable: false },
    { path: "schemas/lifecycle_transition_v1.json", text: schema(lifecycleTransitionJsonSchema()), executable: false },
    { path: "schemas/lifecycle_export_v1.json", text: schema(lifecycleExportJsonSchema()), executable: false },
    { path: ".claude/hooks/pre-compact.sh", text: hookScript("pre-compact"), executable: true },
    { path: ".claude/hooks/session-start.sh", text: hookScript("session-start"), executable: true },
    { path: ".claude/hooks/gate.sh", text: hookScript("gate"), executable: true },
    { path: "docs/context.1", text: manPage(), executable: false },
    { path: "plugin/hooks/hooks.json", text: json(pluginHooks(DEFAULT_CONFIG.delivery.parts)), executable: false },
    { path: "plugin/hooks/run.sh", text: pluginHookScript(PROJECT_MARKS), executable: true },
    { path: "plugin/bin/context", text: pluginLauncher(), executable: true },
  ];
}

/** With tabs, and on one line what is short enough: of a schema that a package carries, half was indentation. */
function schema(value: object): string {
  return `${unfolded(value, "")}\n`;
}

const LINE_MAX = 100;

/** A JSON value whose first line stands behind what is indented by `indent`. */
function unfolded(value: unknown, indent: string): string {
  const folded = JSON.stringify(value);
  if (typeof value !== "object" || value === null || folded.length <= LINE_MAX) return folded;
  const inner = `${indent}\t`;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const lines = Array.isArray(value)
    ? value.map((item) => unfolded(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${unfolded(item, inner)}`);
  return `${open}\n${lines.map((line) => `${inner}${line}`).join(",\n")}\n${indent}${close}`;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A part of a hand-written file that is made from the source, between `<!-- name -->` and `<!-- /name -->`. */
export interface GeneratedBlock {
  readonly path: string;
  readonly name: string;
  readonly text: string;
}

export function generatedBlocks(): readonly GeneratedBlock[] {
  return [
    { path: "README.md", name: "commands", text: commandTable() },
    { path: "README.md", name: "machine", text: `\`\`\`mermaid\n${mermaidDiagram()}\`\`\`\n` },
  ];
}

/** The file's text with the block's part replaced; throws where the file has no such part. */
export function withBlock(text: string, { name, text: content }: GeneratedBlock): string {
  const opening = `<!-- ${name} -->\n`;
  const closing = `<!-- /${name} -->`;
  const start = text.indexOf(opening);
  const end = text.indexOf(closing, start);
  if (start === -1 || end === -1) throw new Error(`There is no part between "${opening.trim()}" and "${closing}".`);
  return `${text.slice(0, start + opening.length)}${content}${text.slice(end)}`;
}

function commandTable(): string {
  const rows = COMMANDS.map((command: CommandSpec) => {
    const words = command.arguments.map(({ name, required, variadic }) => {
      const shown = `${name}${variadic ? "..." : ""}`;
      return required ? `<${shown}>` : `[${shown}]`;
    });
    // What means the same everywhere is said once, below the table.
    const own = command.exits.filter(([code]) => code < EXIT.locked);
    const exits = own.map(([code, meaning]) => `${code}: ${meaning}`).join("<br>");
    return `| \`${[command.name, ...words].join(" ")}\` | ${command.summary} | ${exits || "-"} |`;
  });
  return `${["| command | does | exit codes of its own |", "| --- | --- | --- |", ...rows].join("\n")}\n`;
}
