import { CATALOGUE } from "./catalogue.ts";
import { FINDING_CODES, FINDING_TEXTS } from "./docs-findings.ts";
import { CHECKS } from "./judge.ts";

/** docs/doctor.md: what is looked at, and every kind of finding, from the tables that the command itself uses. */
export function doctorMarkdown(): string {
  const checks = CHECKS.map(({ id, summary }) => `| \`${id}\` | ${summary} |`);
  const rows = FINDING_CODES.map((code) => {
    const { summary, fix } = FINDING_TEXTS[code];
    return `| \`${code}\` | ${CATALOGUE[code].severity} | ${summary} | ${fix ?? "-"} |`;
  });
  return `${[INTRODUCTION, "| check | what is as it should be |", "| --- | --- |", ...checks, "", FINDINGS, ...rows].join("\n")}\n`;
}

const INTRODUCTION = `# context doctor

\`context doctor\` runs the hook commands that are installed, as Claude Code would: the line as it stands in the settings, through \`/bin/sh -c\`, with a
payload of the client's form, \`CLAUDE_PROJECT_DIR\` in the environment, and a working directory outside the project. It looks at what comes back, at
everything the hooks depend on, and at what the transcripts say of their last runs. The exit code is 1 if something fails; warnings alone are 0.

The settings of every level are read: an enabled plugin of ours, the user's, the project's shared and local ones, the local ones of the
main checkout (the client takes hooks from there in a worktree and in folders below), and the administrator's (\`--managed-settings <file>\` names others).
Hooks of other people are not judged and never run; nor is a line that does more than start a hook of ours, nor a hook of a folder that the client was not told to trust.

Nothing is changed without \`--fix\`, except that steps which hooks noted for a store are passed on to it, as by any command that reaches it. Each hook command
first runs with \`CONTEXT_ROOT\` at an empty folder, where it says which program and version it is. One that knows \`CONTEXT_PROBE=1\`, with which it reads everything,
writes nothing and moves no role's machine, then runs again on the project itself. No command gets more than ten seconds.

\`--fix\` does what \`init\` would do, sets time-outs, removes what is registered twice, releases locks whose owner has ended and deletes temporary files of
killed writers; then it looks again. Every byte of the settings that is not ours stays.

\`--json\` prints one document, described by \`schemas/doctor_report_v1.json\`. The times of our hooks are those that the client wrote into the transcripts
(\`durationMs\`); \`--perf\` shows them for each command as well.

## Checks
`;

const FINDINGS = `## Findings

| code | severity | what is wrong | what \`--fix\` does |
| --- | --- | --- | --- |`;
