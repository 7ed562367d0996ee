import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { FIND_NODE } from "../../src/install/find-node.ts";
import { type Ran, runProgram } from "../helpers/run-program.ts";
import { SHELLS } from "../helpers/shells.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const CONTEXT = fileURLToPath(new URL("../../context", import.meta.url));
const PLUGIN = fileURLToPath(new URL("../../plugin", import.meta.url));
const PAYLOAD = '{"session_id":"s"}';

/** A built clone and the plugin in a folder with a blank in its name, and a `node` that only says how it was called. */
function installed(): Workspace {
  const workspace = makeWorkspace();
  cpSync(CONTEXT, workspace.path("a clone/context"));
  workspace.write("a clone/dist/bundle/cli-start.cjs", "");
  for (const name of ["bin/context", "hooks/run.sh"]) {
    mkdirSync(dirname(workspace.path(`a plugin/${name}`)), { recursive: true });
    cpSync(`${PLUGIN}/${name}`, workspace.path(`a plugin/${name}`));
  }
  const node = `#!/bin/sh
program=$1
shift
echo "\${program##*/} ran $*, certificates \${NODE_EXTRA_CA_CERTS-none}, options \${NODE_OPTIONS-none}, got $(cat | wc -c | tr -d ' ') bytes"
echo "called as \${CONTEXT_INVOKED_AS-nothing}" >&2
exit 3
`;
  chmodSync(workspace.write("programs/node", node), 0o755);
  return workspace;
}

function start(
  shell: readonly string[],
  workspace: Workspace,
  script: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Ran {
  const [file = "", ...first] = shell;
  return runProgram(file, [...first, workspace.path(script), ...words], {
    cwd: "/",
    env: {
      PATH: `${workspace.path("programs")}:${process.env.PATH ?? ""}`,
      NODE_EXTRA_CA_CERTS: "/none",
      CLAUDE_PROJECT_DIR: workspace.root,
      ...env,
    },
    input: PAYLOAD,
  });
}

const WORDS = ["validate", "a b", "*", "$(id)"];
const said = (program: string, words: readonly string[]): string =>
  `${program} ran ${words.join(" ")}, certificates none, options none, got ${PAYLOAD.length} bytes\n`;

test("the clone's launcher looks for Node as the plugin's and the hook scripts do", () => {
  expect(readFileSync(CONTEXT, "utf8")).toContain(FIND_NODE);
});

describe.each(SHELLS.map((shell) => [shell.join(" "), shell] as const))("in %s", (_, shell) => {
  test("a clone's launcher runs its program from anywhere, by any link, with all words, and ends as that does", () => {
    const workspace = installed();
    symlinkSync("a clone/context", workspace.path("by a link"));
    symlinkSync(workspace.path("by a link"), workspace.path("by another"));
    for (const script of ["a clone/context", "by a link", "by another"]) {
      expect(start(shell, workspace, script, WORDS)).toMatchObject({ code: 3, stdout: said("context.js", WORDS) });
    }
  });

  test("a clone's launcher lets no hook start where CONTEXT_DISABLED=1, but a probe, help, and other commands", () => {
    const workspace = installed();
    const disabled = { CONTEXT_DISABLED: "1" };
    for (const hook of ["pre-compact", "session-start", "gate"]) {
      const silent = { code: 0, stdout: "", stderr: "" };
      expect(start(shell, workspace, "a clone/context", [hook], disabled)).toMatchObject(silent);
      expect(start(shell, workspace, "a clone/context", [hook, "--part", "1/4"], disabled)).toMatchObject(silent);
      for (const help of ["--help", "-h"]) {
        expect(start(shell, workspace, "a clone/context", [hook, help], disabled).code).toBe(3);
      }
      expect(start(shell, workspace, "a clone/context", [hook], { ...disabled, CONTEXT_PROBE: "1" }).code).toBe(3);
    }
    expect(start(shell, workspace, "a clone/context", ["validate"], disabled).code).toBe(3);
  });

  test("a clone's launcher gives a hook's Node no options that are meant for others, and a command's the person's", () => {
    const workspace = installed();
    const env = { NODE_OPTIONS: "--require /none" };
    for (const words of [["pre-compact", "--guidance"], ["session-start"], ["-C", "/", "gate"]]) {
      expect(start(shell, workspace, "a clone/context", words, env).stdout).toBe(said("context.js", words));
    }
    expect(start(shell, workspace, "a clone/context", ["recover"], env).stdout).toContain("options --require /none,");
  });

  test("a clone that is not built says how to build it", () => {
    const workspace = installed();
    cpSync(CONTEXT, workspace.path("unbuilt/context"));
    const ran = start(shell, workspace, "unbuilt/context", ["validate"]);
    expect(ran).toMatchObject({ code: 70, stdout: "" });
    expect(ran.stderr).toContain(`npm install --prefix '${workspace.path("unbuilt")}'`);
  });

  /** With the very program of the shell, and what a launcher starts beside Node. */
  const withoutPath = (workspace: Workspace): { shell: readonly string[]; PATH: string } => {
    const place = (name: string): string => runProgram("sh", ["-c", `command -v ${name}`], { cwd: "/" }).stdout.trim();
    mkdirSync(workspace.path("few"));
    for (const name of ["sh", "cat", "wc", "tr", "readlink"]) symlinkSync(place(name), workspace.path(`few/${name}`));
    const [file = "", ...first] = shell;
    return { shell: [place(file), ...first], PATH: workspace.path("few") };
  };

  test("both launchers say that there is no Node where there is none", () => {
    const workspace = installed();
    const { shell, PATH } = withoutPath(workspace);
    for (const script of ["a clone/context", "a plugin/bin/context"]) {
      const ran = start(shell, workspace, script, ["validate"], { PATH, CONTEXT_NODE: workspace.path("no/node") });
      expect(ran).toMatchObject({ code: 70, stdout: "" });
      expect(ran.stderr).toContain("node is not on the PATH; version 20 or later is needed.");
    }
  });

  test("a shell that takes a variable that is not set for a fault looks for Node without HOME, and runs the plugin's hooks", () => {
    const workspace = installed();
    const { shell, PATH } = withoutPath(workspace);
    const strict = ["/usr/bin/env", "-u", "HOME", "-u", "HIVEMIND_ROLE", ...shell, "-u"];
    for (const script of ["a clone/context", "a plugin/bin/context"]) {
      expect(start(strict, workspace, script, ["validate"], { PATH }).stderr).not.toContain("HOME");
    }
    expect(start(strict, workspace, "a plugin/hooks/run.sh", ["gate"])).toMatchObject({
      code: 0,
      stdout: said("context.cjs", ["gate"]),
    });
  });

  test("both launchers find a Node that is not on the PATH: the newest of those that nvm keeps", () => {
    const workspace = installed();
    const { shell, PATH } = withoutPath(workspace);
    for (const version of ["v8.17.0", "v18.20.1", "v20.20.2", "v22.1.0"]) {
      const node = `#!/bin/sh\necho "${version} ran \${1##*/}"\n`;
      chmodSync(workspace.write(`a home/.nvm/versions/node/${version}/bin/node`, node), 0o755);
    }
    symlinkSync("a clone/context", workspace.path("by a link"));
    for (const empty of [PATH, "", "/none"]) {
      const env = { PATH: empty, HOME: workspace.path("a home") };
      for (const script of ["a clone/context", "by a link"]) {
        expect(start(shell, workspace, script, ["validate"], env)).toMatchObject({
          code: 0,
          stdout: "v22.1.0 ran context.js\n",
          stderr: "",
        });
      }
      expect(start(shell, workspace, "a plugin/bin/context", ["validate"], env)).toMatchObject({
        code: 0,
        stdout: "v22.1.0 ran context.cjs\n",
        stderr: "",
      });
    }
  });

  test.each([
    ".volta/bin",
    ".nodenv/versions/22.1.0/bin",
    ".asdf/installs/nodejs/22.1.0/bin",
    ".local/share/mise/installs/node/22.1.0/bin",
    ".local/share/fnm/node-versions/v22.1.0/installation/bin",
    "Library/Application Support/fnm/node-versions/v22.1.0/installation/bin",
    ".fnm/node-versions/v22.1.0/installation/bin",
    // nvm.fish, and nvm where XDG_CONFIG_HOME is set.
    ".local/share/nvm/v22.1.0/bin",
    ".config/nvm/versions/node/v22.1.0/bin",
  ])("a clone's launcher finds a Node in ~/%s", (place) => {
    const workspace = installed();
    const { shell, PATH } = withoutPath(workspace);
    chmodSync(workspace.write(`a home/${place}/node`, "#!/bin/sh\necho here\n"), 0o755);
    const env = { PATH, HOME: workspace.path("a home") };
    expect(start(shell, workspace, "a clone/context", ["validate"], env)).toMatchObject({ code: 0, stdout: "here\n" });
  });

  test("both launchers run the Node that CONTEXT_NODE names, whatever is on the PATH", () => {
    const workspace = installed();
    chmodSync(workspace.write("another place/node", "#!/bin/sh\necho another\n"), 0o755);
    const env = { CONTEXT_NODE: workspace.path("another place/node") };
    for (const script of ["a clone/context", "a plugin/bin/context"]) {
      expect(start(shell, workspace, script, ["validate"], env)).toMatchObject({ code: 0, stdout: "another\n" });
    }
  });

  test("the plugin's launcher runs its own program, and says as what it was called", () => {
    const workspace = installed();
    const ran = start(shell, workspace, "a plugin/bin/context", WORDS);
    expect(ran).toMatchObject({ code: 3, stdout: said("context.cjs", WORDS) });
    expect(ran.stderr).toBe(`called as "${workspace.path("a plugin/bin/context")}"\n`);
  });

  test("the plugin's hook runs that in a project that is for it, and never fails", () => {
    const workspace = installed();
    const words = ["session-start", "--part", "1/4"];
    const env = { NODE_OPTIONS: "--require /none" };
    expect(start(shell, workspace, "a plugin/hooks/run.sh", words, env)).toMatchObject({
      code: 0,
      stdout: said("context.cjs", words),
    });
  });

  test("the plugin's hook is silent elsewhere, unless there is a role, and where it is disabled, unless it is a probe", () => {
    const workspace = installed();
    const silent = { code: 0, stdout: "", stderr: "" };
    const elsewhere = { CLAUDE_PROJECT_DIR: workspace.path("programs") };
    const hook = (env: Readonly<Record<string, string>>) =>
      start(shell, workspace, "a plugin/hooks/run.sh", ["gate"], env);
    expect(hook(elsewhere)).toMatchObject(silent);
    expect(hook({ ...elsewhere, HIVEMIND_ROLE: "tester" }).stdout).toBe(said("context.cjs", ["gate"]));
    expect(hook({ CONTEXT_DISABLED: "1" })).toMatchObject(silent);
    expect(hook({ CONTEXT_DISABLED: "1", CONTEXT_PROBE: "1" }).stdout).toBe(said("context.cjs", ["gate"]));
  });
});
