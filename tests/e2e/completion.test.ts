import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COMMANDS, type CommandSpec, GLOBAL_OPTIONS } from "../../src/cli/command-table.ts";
import { manPage } from "../../src/cli/man-page.ts";
import { addProject, makeAcme } from "../helpers/acme-project.ts";
import { LAUNCHER } from "../helpers/program-under-test.ts";
import { runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

function has(program: string): boolean {
  return runProgram("sh", ["-c", `command -v ${program}`], { cwd: "/" }).code === 0;
}

/** What a shell offers for the last word of a line. */
type Complete = (workspace: Workspace, line: string, env?: Record<string, string>) => readonly string[];

function lines(shell: string, args: readonly string[], workspace: Workspace, env = {}): readonly string[] {
  const ran = runProgram(shell, args, { cwd: workspace.root, env: { HOME: workspace.path("home"), ...env } });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  return ran.stdout.split("\n").filter((line) => line !== "");
}

const SHELLS: Readonly<Record<string, Complete>> = {
  bash: (workspace, line, env) => {
    const script = `set -u
. ./completion.bash
line=\${1//=/ = }
IFS=' ' read -r -a COMP_WORDS <<< "$line"
case $1 in *' ') COMP_WORDS+=('') ;; esac
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_context
printf '%s\\n' \${COMPREPLY[@]+"\${COMPREPLY[@]}"}`;
    return lines("bash", ["--norc", "-c", script, "bash", line], workspace, env);
  },
  zsh: (workspace, line, env) => {
    // The completion system's own parts print what they are given; what fits the word is chosen here as they would.
    const script = `setopt no_unset
compdef() { :; }
compset() { PREFIX=\${PREFIX#*=}; }
compadd() { shift; local w; for w in "$@"; do [[ $w = \${PREFIX}* ]] && print -r -- $w; done; return 0; }
_describe() { local w; for w in "\${(@P)2}"; do compadd -- "\${w%%:*}"; done; }
_files() { if [[ \${1-} = -/ ]]; then compadd -- *(N/); else compadd -- *(N); fi; }
. ./completion.zsh
words=("\${(@s: :)1}"); CURRENT=$#words; PREFIX=$words[CURRENT]
_context`;
    return lines("zsh", ["-f", "-c", script, "zsh", line], workspace, env);
  },
  fish: (workspace, line, env) =>
    lines("fish", ["--no-config", "-c", "source ./completion.fish; complete -C $argv[1]", line], workspace, env).map(
      (offered) => (offered.split("\t")[0] ?? "").replace(/^--[a-z]+=/, ""),
    ),
};

/** What the command prints for a shell: the same wherever it is asked. */
const scripts = new Map<string, string>();

function scriptFor(shell: string, workspace: Workspace): string {
  const known = scripts.get(shell);
  if (known !== undefined) return known;
  const ran = workspace.context(`completion ${shell}`);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  scripts.set(shell, ran.stdout);
  return ran.stdout;
}

function prepared(shell: string): Workspace {
  const workspace = makeAcme();
  workspace.role("oosh-expert");
  workspace.role("tester");
  addProject(workspace, "31-other");
  workspace.write(`completion.${shell}`, scriptFor(shell, workspace));
  mkdirSync(workspace.path("home"));
  symlinkSync(workspace.root, workspace.path("home/p"));
  return workspace;
}

for (const [shell, complete] of Object.entries(SHELLS)) {
  const missing = has(shell) ? "" : `: ${shell} is not installed here, skipped`;
  describe.skipIf(missing !== "")(`completion ${shell}${missing}`, () => {
    const offers = (line: string) => complete(prepared(shell), line).toSorted();

    test("offers every command, and help", () => {
      const names = COMMANDS.map(({ name }) => name);
      expect(offers("./context ")).toEqual([...names, "help"].toSorted());
      expect(offers("./context help lifecycle.s")).toEqual(["lifecycle.save", "lifecycle.status"]);
    });

    test.each([
      ["./context lifecycle.s", ["lifecycle.save", "lifecycle.status"]],
      ["./context lifecycle s", ["save", "status"]],
      ["./context lifecycle pre ", ["compact"]],
      ["./context lifecycle.save ", ["oosh-expert", "tester"]],
      ["./context lifecycle save o", ["oosh-expert"]],
      ["./context recover ", ["oosh-expert", "tester"]],
      ["./context recover --check --project ", ["24-demo", "27-xml-context", "31-other"]],
      ["./context resume.show 2", ["24-demo", "27-xml-context"]],
      ["./context resume show 3", ["31-other"]],
      ["./context completion ", ["bash", "fish", "zsh"]],
      ["./context validate --format ", ["github", "json", "pretty", "sarif"]],
      ["./context trail --format ", ["json", "md", "xml"]],
      ["./context -C . resume.show 31", ["31-other"]],
      ["./context -C ~/p resume.show 31", ["31-other"]],
      ["./context --root ~/p lifecycle.save o", ["oosh-expert"]],
      ['./context -C "home/p" resume.show 31', ["31-other"]],
      ["./context -C 'home/p' resume.show 31", ["31-other"]],
      ["./context -C 02-projects lifecycle.save ", []],
      ["./context gate --s", ["--skip"]],
      ["./context help lifecycle s", ["save", "status"]],
      ["./context help lifecycle pre ", ["compact"]],
      ["./context help lifecycle.save ", []],
      ["./context help resume s", ["show"]],
      ["./context -C . help resume.s", ["resume.show"]],
      ["./context lifecycle.save tester ", []],
      ["./context lifecycle save tester ", []],
      ["./context new --pane 0.1 t", ["tester"]],
      ["./context resume.show --json 2", ["24-demo", "27-xml-context"]],
      ["./context resume.show 24-demo ", []],
      ["./context lifecycle.wait --for saved tester o", ["oosh-expert"]],
      ["./context lifecycle.wait tester --for sav", ["saved", "saving"]],
      ["./context explain --source c", ["clear", "compact"]],
      ["./context validate --format=g", ["github"]],
      ["./context validate --format=", ["github", "json", "pretty", "sarif"]],
      ["./context --root=. resume.show 31", ["31-other"]],
      ["./context --root=02-projects lifecycle.save ", []],
      ["./context schema lifecycle ", []],
      ["./context nonsense ", []],
    ])("%j offers %j", (line, offered) => {
      expect(offers(line)).toEqual(offered);
    });

    test("takes a tilde alone for the home folder", () => {
      const workspace = prepared(shell);
      const HOME = workspace.path(".");
      expect(complete(workspace, "./context -C ~ resume.show 31", { HOME })).toEqual(["31-other"]);
    });

    test("offers a command's own options and those of all", () => {
      const offered = offers("./context lifecycle.save --");
      for (const word of ["--take-over", "--json", "--root", "--help"]) expect(offered).toContain(word);
      expect(offered).not.toContain("--fix");
      expect(offers("./context --ver")).toEqual(["--verbose", "--version"]);
    });

    test("asks the program that made the script, and never one that the line names: a clone may hold any", () => {
      const workspace = prepared(shell);
      rmSync(workspace.path("context"));
      chmodSync(workspace.write("context", "#!/bin/sh\ntouch ran\necho evil\n"), 0o755);
      expect(complete(workspace, "./context recover ")).toEqual(["oosh-expert", "tester"]);
      expect(workspace.exists("ran")).toBe(false);
    });

    test("asks the one on the PATH where the program that made the script is gone", () => {
      const workspace = prepared(shell);
      workspace.write(`completion.${shell}`, scriptFor(shell, workspace).replaceAll(LAUNCHER, "/gone/context"));
      chmodSync(workspace.write("bin/context", `#!/bin/sh\nexec '${LAUNCHER}' "$@"\n`), 0o755);
      const PATH = `${workspace.path("bin")}:${process.env.PATH}`;
      expect(complete(workspace, "./context recover ", { PATH })).toEqual(["oosh-expert", "tester"]);
    });

    test("offers files where a file may stand, and roles where both may", () => {
      const workspace = prepared(shell);
      workspace.write("session one.jsonl", "");
      expect(complete(workspace, "./context validate ")).toEqual(expect.arrayContaining(["oosh-expert", "tester"]));
      const file = complete(workspace, "./context trail s").map((name) => name.replaceAll("\\", "").replace(/\/$/, ""));
      expect(file.toSorted()).toEqual(["session", "session one.jsonl"]);
    });
  });
}

test.skipIf(!has("zsh"))("the zsh script completes in a real zsh with its completion system", () => {
  const workspace = prepared("zsh");
  workspace.write("fpath/_context", workspace.read("completion.zsh"));
  const script = `zmodload zsh/zpty
zpty -b z zsh -f -i
seen=
wait_for() {
  local n=0 part
  while ((n++ < 300)); do
    zpty -r -t z part && seen+=$part
    [[ $seen = *$1* ]] && return
    sleep 0.05
  done
}
wait_for '#'
zpty -w z "PS1='>'; fpath=(./fpath \\$fpath); autoload -U compinit; compinit -u -d ./dump; print read''y"
wait_for ready
zpty -w -n z $'./context lifecycle.save o\\t'
wait_for oosh-expert
print -r -- $seen
zpty -d z`;
  const ran = runProgram("zsh", ["-f", "-c", script], {
    cwd: workspace.root,
    env: { HOME: workspace.root, TERM: "dumb" },
  });
  expect(ran.stdout).toContain("oosh-expert");
});

test("an option is followed by a value in every command that has it, or in none: completion steps over it", () => {
  const options = [...GLOBAL_OPTIONS, ...COMMANDS.flatMap((command: CommandSpec) => command.options)];
  const valued = new Set(options.filter(({ value }) => value !== undefined).map(({ long }) => long));
  expect(options.filter(({ long, value }) => value === undefined && valued.has(long))).toEqual([]);
});

describe("completion", () => {
  test("refuses what is no shell, and suggests one", () => {
    const workspace = makeWorkspace();
    const ran = workspace.context("completion zhs");
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain('Did you mean "zsh"?');
    expect(workspace.context("completion tcsh").stderr).toContain("Expected bash, zsh or fish.");
    expect(workspace.context("completion").code).toBe(2);
  });

  test("lists roles and projects by name, of the project that is named", () => {
    const workspace = makeAcme();
    workspace.role("tester");
    workspace.role("Bad Name; rm -rf ~", "x");
    expect(workspace.context("completion roles").stdout).toBe("tester\n");
    expect(workspace.context("completion projects").stdout).toBe("24-demo\n27-xml-context\n");
    expect(makeWorkspace().context("completion projects")).toMatchObject({ code: 0, stdout: "" });
  });

  test.each(["bash", "zsh", "fish"].filter(has))("the %s script is one that the shell takes", (shell) => {
    const workspace = makeWorkspace();
    const path = workspace.write("script", workspace.context(`completion ${shell}`).stdout);
    expect(runProgram(shell, ["-n", path], { cwd: "/" })).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("the manual page", () => {
  const rendered = (text: string) => {
    const ran = runProgram("groff", ["-man", "-ww", "-Tascii", "-P-cbou", "-rLL=200n"], { cwd: "/", input: text });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    return ran.stdout;
  };

  test("names the exit codes and the files that a script has to know", () => {
    const text = manPage().replaceAll("\\-", "-");
    for (const said of ["the store of the machines cannot be reached", ".B 130, 143", ".I session/stateMachines/"])
      expect(text.slice(text.indexOf(".SH EXIT STATUS"))).toContain(said);
  });

  test.skipIf(!has("groff"))("is set without a warning, and holds each command, option, exit code and example", () => {
    const flat = rendered(manPage()).replace(/\s+/g, " ");
    const spec = (command: CommandSpec) => [
      command.name,
      command.summary,
      ...command.options.flatMap(({ long, summary }) => [`--${long}`, summary]),
      ...command.arguments.map(({ summary }) => summary),
      ...command.exits.map(([, meaning]) => meaning),
      ...command.examples.map((example) => `$ context ${example}`),
    ];
    const expected = [
      ...COMMANDS.flatMap(spec),
      ...GLOBAL_OPTIONS.flatMap(({ long, summary }) => [`--${long}`, summary]),
    ];
    for (const text of expected) expect(flat).toContain(text.replace(/\s+/g, " "));
  });

  test.skipIf(!has("groff"))("keeps text that looks like a request, and what a reader copies", () => {
    const odd: CommandSpec = {
      name: "odd",
      summary: ".SH is no heading",
      arguments: [],
      options: [{ long: "back", value: "n", summary: "'quoted' with a \\ and a - and ~" }],
      examples: ['odd --back "1 2" ~/x'],
      exits: [[1, ".TH neither"]],
    };
    const flat = rendered(manPage([odd])).replace(/\s+/g, " ");
    expect(flat).toContain(".SH is no heading.");
    expect(flat).toContain("'quoted' with a \\ and a - and ~");
    expect(flat).toContain('$ context odd --back "1 2" ~/x');
    expect(flat).toContain(".TH neither");
  });

  test("has no date: the same source gives the same bytes", () => {
    expect(manPage()).toBe(manPage());
    expect(manPage().split("\n")[0]).toMatch(/^\.TH CONTEXT 1 "" "context \d+\.\d+\.\d+" "User Commands"$/);
  });
});
