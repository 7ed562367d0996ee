import { clipped } from "../base/clipped.ts";
import { plural } from "../base/plural.ts";
import { printableLine } from "../base/printable.ts";
import { table } from "../base/table.ts";
import { groupSkills } from "../skills/group.ts";
import type { SkillKind } from "../skills/skill.ts";
import { loadConfig } from "../stores/config-store.ts";
import { openScanCache } from "../stores/scan-cache.ts";
import { type SkillFinding, scanSkills } from "../stores/skill-store.ts";
import type { CommandContext } from "./command-context.ts";
import { lookedInto } from "./looked-into.ts";
import { done, type Report } from "./report.ts";
import { findingsData } from "./report-json.ts";

const HEADINGS = {
  system: "System skills",
  integration: "Integration skills",
  user: "User skills",
  project: "Project skills (.claude/skills)",
} satisfies Record<SkillKind, string>;

/** `skills`: what the session-start document knows of the workspace's skills, and what is wrong with their files. */
export async function skills(context: CommandContext): Promise<Report> {
  const config = await loadConfig(context.paths);
  const cache = openScanCache(context.paths, "skills", { build: context.build, began: context.now().getTime() });
  const scanned = await scanSkills(context.paths, config.value, cache, { deeper: true });
  cache.save();
  const groups = groupSkills(scanned.skills);
  let text = "";
  for (const kind of ["system", "integration", "user", "project"] as const) {
    if (groups[kind].length === 0) continue;
    text += `${text === "" ? "" : "\n"}${HEADINGS[kind]}\n`;
    for (const { name, skills: members } of groups[kind]) {
      if (name !== null) text += `  ${printableLine(name)}\n`;
      text += table(
        members.map((skill) => [`    ${printableLine(skill.name)}`, clipped(printableLine(skill.description), SHOWN)]),
      );
    }
  }
  const none = text === "" && scanned.notes.length === 0 ? [lookedInto(context)] : [];
  if (text === "") text = "No skills found.\n";
  if (scanned.findings.length > 0) text += `\n${findingsText(scanned.findings)}`;
  const data = {
    root: context.paths.root,
    skills: scanned.skills,
    findings: scanned.findings.map(({ path, diagnostics }) => ({
      path,
      findings: findingsData(diagnostics),
    })),
  };
  return done(text, data, [...config.notes, ...scanned.notes, ...none]);
}

/** A few thousand would fill the memory of the agent that reads them. */
const MOST_FINDINGS = 100;

function findingsText(findings: readonly SkillFinding[]): string {
  const all = findings.flatMap(({ path, diagnostics }) =>
    diagnostics.map(({ start, severity, code, message, hint }) => {
      const place = `${printableLine(path)}:${start.line}:${start.column}`;
      const way = hint === undefined ? "" : `  hint: ${printableLine(hint)}\n`;
      return { severity, text: `${place} ${severity} ${code} ${printableLine(message)}\n${way}` };
    }),
  );
  const head = `${plural(all.length, "finding")} in ${plural(findings.length, "file")}:\n`;
  const more = all.length - MOST_FINDINGS;
  if (more <= 0) return head + all.map(({ text }) => text).join("");
  // Where there are too many, what keeps a skill from being taken goes before what is only unusual.
  const isError = ({ severity }: { readonly severity: string }): boolean => severity === "error";
  const shown = [...all.filter(isError), ...all.filter((one) => !isError(one))].slice(0, MOST_FINDINGS);
  return `${head}${shown.map(({ text }) => text).join("")}${plural(more, "more finding")}; --json lists them all.\n`;
}

const SHOWN = 100;
