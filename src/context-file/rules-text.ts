import type { Rule } from "./rule.ts";
import { RULES } from "./rules/index.ts";

/** One Markdown page on every rule: what it asks, why, and what passes. */
export function rulesMarkdown(): string {
  const intro =
    "What `context validate` says about `session/agents/<role>.context.md`. Made from the rules themselves.";
  return `${["# Rules for context files", intro, ...RULES.map(ruleSection)].join("\n\n")}\n`;
}

/** The rules as a Markdown table: code, severity, what `--fix` may do, and the demand. */
export function rulesTable(): string {
  const rows = RULES.map(
    ({ code, severity, mends, summary }) =>
      `| \`${code}\` | ${severity} | ${mends === null ? "no" : "yes"} | ${summary} |`,
  );
  return ["| code | severity | fixable | rule |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function ruleSection({ code, severity, summary, why, good, mends }: Rule): string {
  return [
    `## ${code}`,
    `**${severity}** · ${summary}`,
    `Why: ${why}`,
    mends === null ? "`--fix` leaves it to a person." : `With \`--fix\`: ${mends}`,
    `\`\`\`markdown\n${good}\n\`\`\``,
  ].join("\n\n");
}
