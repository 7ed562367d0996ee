import { COMMANDS, type CommandSpec, GLOBAL_OPTIONS, type OptionSpec } from "./command-table.ts";
import { VERSION } from "./version.ts";

/** The manual page, in the `man` macros, made from the table that the help is made from. It holds no date: the same source gives the same bytes. */
export function manPage(commands: readonly CommandSpec[] = COMMANDS): string {
  const lines = [
    `.TH CONTEXT 1 "" "context ${VERSION}" "User Commands"`,
    ".SH NAME",
    "context \\- keeps a coding agent's memory across a compaction",
    ".SH SYNOPSIS",
    ".B context",
    "[\\fIoption\\fR]... \\fIcommand\\fR [\\fIargument\\fR]...",
    ".SH DESCRIPTION",
    "A coding agent's client compacts the conversation when it grows too long, and the agent forgets.",
    "This program keeps what the agent wrote down, and brings it back.",
    escaped('Spaced names mean the same as dotted ones: "lifecycle save" is "lifecycle.save".'),
    ".SH OPTIONS",
    ...GLOBAL_OPTIONS.flatMap(optionLines),
    ".SH COMMANDS",
    ...commands.flatMap(commandLines),
    ".SH EXIT STATUS",
    ...EXITS.flatMap(([code, meaning]) => [".TP", `.B ${code}`, escaped(meaning)]),
    ".SH ENVIRONMENT",
    ...VARIABLES.flatMap(([name, meaning]) => [".TP", `.B ${name}`, escaped(meaning)]),
    ".SH FILES",
    "In the project's root.",
    ...FILES.flatMap(([path, meaning]) => [".TP", `.I ${escaped(path)}`, escaped(meaning)]),
  ];
  return `${lines.join("\n")}\n`;
}

const EXITS = [
  ["0", "done; warnings allowed"],
  ["1", "the thing checked is not as it should be"],
  ["2", "usage: an unknown command or option, a missing argument, an invalid name"],
  ["3", "ran out of time"],
  ["4", "another process held the state for longer than the wait, or the store of the machines cannot be reached"],
  ["70", "a fault of this program"],
  ["130, 143", "interrupted, by SIGINT or SIGTERM"],
] as const;

const VARIABLES = [
  ["CONTEXT_ROOT", "the project's root folder, if --root is not given"],
  ["CLAUDE_PROJECT_DIR", "the root for hook commands, if CONTEXT_ROOT is not set; the client sets it"],
  ["CLAUDE_CONFIG_DIR", "where the client keeps settings and transcripts, in place of ~/.claude"],
  ["HIVEMIND_ROLE", "the role, if a command is given none"],
  ["HIVEMIND_ROLES_FILE", "says whose a tmux pane is; the role is checked against it"],
  ["CONFIG_PATH", "holds the folder of the roles' machines"],
  ["CONTEXT_DISABLED", "1 makes every hook command do nothing"],
  ["CONTEXT_PROBE", "1 makes every hook command read everything and write nothing"],
  ["CONTEXT_PROGRAM", "the program that the hook scripts run, before any other that they find"],
  ["CONTEXT_NODE", "the node that hook scripts and launchers start, before any other that they find"],
  ["CONTEXT_NATIVE", "0 leaves a native program that was built unused"],
  ["CONTEXT_SESSION_ID", "the session that runs the command; without it CLAUDE_CODE_SESSION_ID, which the client sets"],
  ["CONTEXT_STORE", "a server that keeps the machines in place of files"],
  ["CONTEXT_STORE_PREFIX", "the project's name in that server"],
  [
    "CONTEXT_STORE_CA, CONTEXT_STORE_CERT, CONTEXT_STORE_KEY",
    "PEM files: who must have signed the server's certificate, and your own certificate with its key",
  ],
  ["NO_COLOR, TERM=dumb", "no colours"],
] as const;

const FILES = [
  ["session/agents/ROLE.context.md", "what a role wrote down"],
  ["session/stateMachines/", "where each role stands, and its transitions"],
  ["session/.cache/", "what hooks keep from one run to the next, and report.html"],
  [".claude/hooks/", "the hook scripts that init writes"],
  [".claude/settings.json, .claude/settings.local.json", "where init registers them"],
  ["context.yaml", "the project's settings; optional"],
] as const;

function commandLines(spec: CommandSpec): readonly string[] {
  const words = spec.arguments.map(({ name, required, variadic }) => {
    const shown = `\\fI${escaped(name)}\\fR${variadic ? "..." : ""}`;
    return required ? shown : `[${shown}]`;
  });
  return [
    `.SS "${[`${escaped(spec.name)}`, ...words].join(" ")}"`,
    `${escaped(spec.summary)}.`,
    ...spec.arguments.flatMap(({ name, summary }) => [".TP", `.I ${escaped(name)}`, escaped(summary)]),
    ...spec.options.flatMap(optionLines),
    ...(spec.exits.length === 0 ? [] : [".PP", "Exit status:"]),
    ...spec.exits.flatMap(([code, meaning]) => [".TP", `.B ${code}`, escaped(meaning)]),
    ".PP",
    `Example${spec.examples.length === 1 ? "" : "s"}:`,
    ".PP",
    ".nf",
    ".RS",
    ...spec.examples.map((example) => escaped(`$ context ${example}`)),
    ".RE",
    ".fi",
  ];
}

function optionLines({ long, short, value, choices, summary }: OptionSpec): readonly string[] {
  const name = `\\fB${escaped(`--${long}`)}\\fR${value === undefined ? "" : ` \\fI${escaped(value)}\\fR`}`;
  const one = choices === undefined ? "" : `: ${choices.join(", ")}`;
  return [".TP", `${short === undefined ? "" : `\\fB\\-${short}\\fR, `}${name}`, escaped(`${summary}${one}`)];
}

/** A backslash, and a hyphen that a reader copies, as groff prints them. */
function escaped(text: string): string {
  const safe = text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll('"', "\\(dq").replaceAll("~", "\\(ti");
  // A line that begins so would be taken for a request.
  return /^[.']/.test(safe) ? `\\&${safe}` : safe;
}
