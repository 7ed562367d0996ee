import type { Severity } from "../base/diagnostic.ts";
import { type CheckedFile, findingText } from "../commands/report.ts";
import { printableJson } from "../commands/report-json.ts";
import { RULES } from "../context-file/rules/index.ts";

const LEVEL = { error: "error", warning: "warning", info: "note" } satisfies Record<Severity, string>;

/** SARIF 2.1.0, which code-scanning services read. Columns are UTF-16 units, as everywhere here. */
export function reportSarif(files: readonly CheckedFile[]): string {
  const known = RULES.map((rule) => ({
    id: rule.code,
    shortDescription: { text: rule.summary },
    fullDescription: { text: rule.why },
    defaultConfiguration: { level: LEVEL[rule.severity] },
  }));
  // A manifest's findings have codes of their own, and so has a file that is not there.
  const codes = new Set(files.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)));
  for (const { id } of known) codes.delete(id);
  const rules = [...known, ...[...codes].sort().map((id) => ({ id }))];
  const results = files.flatMap((file) =>
    file.diagnostics.map(({ code, severity, start, end, ...said }) => ({
      ruleId: code,
      ruleIndex: rules.findIndex((rule) => rule.id === code),
      level: LEVEL[severity],
      message: { text: findingText(said) },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: file.path.split("/").map(encodeURIComponent).join("/") },
            region: { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column },
          },
        },
      ],
    })),
  );
  const document = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver: { name: "context", rules } }, columnKind: "utf16CodeUnits", results }],
  };
  return `${printableJson(JSON.stringify(document, null, 2))}\n`;
}
