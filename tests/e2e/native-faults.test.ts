import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { addSession, makeAcme } from "../helpers/acme-project.ts";
import { buildNative, copyPackage, type PackageCopy, plant } from "../helpers/native-package.ts";
import { type Ran, runProgram } from "../helpers/run-program.ts";
import type { Workspace } from "../helpers/workspace.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const ON = { CONTEXT_NATIVE: "" };

/** An ELF header and nothing behind it, of this machine's kind or of one that it cannot run. */
function elf(machine: number, length: number): Uint8Array {
  const bytes = Buffer.alloc(length);
  bytes.write("\x7fELF\x02\x01\x01", 0, "latin1");
  // As `npm run build:native` leaves it: a shell that takes it for a script comes to its end there.
  bytes.write("\nexit\n#", 9, "latin1");
  bytes.writeUInt16LE(2, 16);
  bytes.writeUInt16LE(machine, 18);
  bytes.writeUInt32LE(1, 20);
  return bytes;
}

const OTHER_MACHINE = 0x2a;

/** A program of this machine that is cut in the middle: it is loaded, and dies where a page is missing. */
function cut(): Uint8Array {
  const whole = readFileSync(process.execPath);
  return whole.subarray(0, 8192);
}

const FAULTS: [what: string, content: string | Uint8Array, mode?: number][] = [
  ["is empty", ""],
  ["is a few bytes of one", "\x7fELF"],
  ["is of another kind of machine", elf(OTHER_MACHINE, 4096)],
  ["is a header alone", elf(process.arch === "arm64" ? 183 : 62, 64)],
  ["is cut short", cut()],
  ["may not be run", "#!/bin/sh\necho wrong\n", 0o644],
  ["names an interpreter that is not there", "#!/nowhere/interpreter\n"],
  ["dies of SIGSEGV", "#!/bin/sh\nkill -SEGV $$\n"],
  ["exits with 139", "#!/bin/sh\nexit 139\n"],
  ["is aborted", "#!/bin/sh\nkill -ABRT $$\n"],
];

function payload(workspace: Workspace, event: string, more: object): string {
  const transcript_path = addSession(workspace, "manual-compact");
  return JSON.stringify({ session_id: "s", transcript_path, cwd: workspace.root, hook_event_name: event, ...more });
}

/** What one command line does to a project of its own. */
function pair(
  words: readonly string[],
  run: (words: readonly string[], env: Readonly<Record<string, string>>) => Ran,
): Ran[] {
  return [{ CONTEXT_NATIVE: "0" }, ON].map((env) => run(words, env));
}

describe("a native program that cannot be used is passed over", () => {
  test.each(FAULTS)("one that %s, by the launcher and by the hook scripts", (_what, content, mode) => {
    const copy = copyPackage();
    plant(copy, content, mode);
    const workspace = makeAcme();
    workspace.role("oosh-expert");
    const input = payload(workspace, "PreCompact", { trigger: "auto" });
    const [node, through] = pair(["pre-compact", "--guidance"], (words, env) =>
      runProgram(copy.launcher, words, { cwd: workspace.root, env, input }),
    );
    expect(node?.stdout).toContain("24-demo");
    expect(through).toMatchObject({ code: 0, stdout: node?.stdout });
    const [status, same] = pair(["lifecycle.status", "--json"], (words, env) =>
      runProgram(copy.launcher, words, { cwd: workspace.root, env }),
    );
    expect(same).toMatchObject({ code: status?.code, stdout: status?.stdout });
    // The shell would say of each start that it may not.
    if (mode !== undefined) expect(through?.stderr).toBe(node?.stderr);
    const [hook, scripted] = pair([], (_words, env) => installed(workspace, copy, env, input));
    expect(hook?.stdout).toContain("24-demo");
    expect(scripted).toMatchObject({ code: 0, stdout: hook?.stdout });
    if (mode !== undefined) expect(scripted?.stderr).toBe(hook?.stderr);
  });

  test("one of another build, and one that is switched off", () => {
    const copy = copyPackage();
    const workspace = makeAcme();
    const status = (env: Readonly<Record<string, string>>) =>
      runProgram(copy.launcher, ["lifecycle.status"], { cwd: workspace.root, env }).stdout;
    plant({ ...copy, native: join(copy.root, "dist/native/context-0123456789abcdef") }, "#!/bin/sh\necho native\n");
    expect(status(ON)).toBe("No role has a machine yet.\n");
    plant(copy, "#!/bin/sh\necho native\n");
    expect(status(ON)).toBe("native\n");
    expect(status({ CONTEXT_NATIVE: "0" })).toBe("No role has a machine yet.\n");
  });

  test.each(["doctor --json", "projects --json", "lifecycle.wait x --timeout 1", "lifecycle.compact x --dry-run"])(
    "%s is Node's",
    (words) => {
      const copy = copyPackage();
      const workspace = makeAcme();
      plant(copy, "#!/bin/sh\necho native\n");
      const ran = runProgram(copy.launcher, words.split(" "), { cwd: workspace.root, env: ON });
      expect(ran.stdout).not.toContain("native\n");
    },
  );

  test("a command that it did is not done again by Node, whatever it says", () => {
    const copy = copyPackage();
    const workspace = makeAcme();
    for (const code of [0, 1, 2, 3, 4, 70]) {
      plant(copy, `#!/bin/sh\necho native\nexit ${code}\n`);
      const ran = runProgram(copy.launcher, ["lifecycle.status"], { cwd: workspace.root, env: ON });
      expect(ran).toMatchObject({ code, stdout: "native\n" });
    }
  });
});

test("what its build lacks is said, and is a failure where it may not lack", () => {
  const copy = copyPackage();
  // A compiler, where the sources are installed.
  const env = { ...process.env, QUICKJS_SOURCE: "", CC: "", PATH: "/nonexistent", CONTEXT_NATIVE_BUILD: "" };
  expect(buildNative(copy, env)).toMatch(
    /^The native program is not built: .* Everything works without it, in Node\.$/,
  );
  expect(() => buildNative(copy, { ...env, CONTEXT_NATIVE_BUILD: "required" })).toThrow("is not built");
});

test("doctor says that it is there, or what is wrong with it", () => {
  const copy = copyPackage();
  const workspace = makeAcme();
  const looked = (env: Readonly<Record<string, string>> = {}): string => {
    const bin = join(copy.root, "bin/context.js");
    return runProgram(process.execPath, [bin, "doctor"], { cwd: workspace.root, env }).stdout;
  };
  expect(looked()).not.toContain("native program is");
  plant({ ...copy, native: join(copy.root, "dist/native/context-0123456789abcdef") }, "#!/bin/sh\n");
  expect(looked()).toMatch(/warn native-unused: .* is of another build, and this is [0-9a-f]{16}/);
  plant(copy, "#!/bin/sh\nexit 139\n");
  expect(looked()).toMatch(/warn native-unused: .* does not run on this machine/);
  plant(copy, `#!/bin/sh\necho ${copy.native.slice(-16)}\n`);
  expect(looked(ON)).toContain(`The native program is there and of this build: ${copy.native}\n`);
  expect(looked({ CONTEXT_NATIVE: "0" })).toContain("of this build, and CONTEXT_NATIVE=0 switches it off: ");
  expect(looked()).not.toContain("native-unused");
});

/** Runs the hook's script as it is where the package stands among the project's own. */
function installed(workspace: Workspace, copy: PackageCopy, env: Readonly<Record<string, string>>, input: string): Ran {
  const modules = workspace.path("node_modules");
  if (!workspace.exists("node_modules")) {
    mkdirSync(join(modules, ".bin"), { recursive: true });
    cpSync(copy.root, join(modules, "agent-context"), { recursive: true });
    symlinkSync("../agent-context/bin/context.js", join(modules, ".bin", "context"));
    mkdirSync(workspace.path(".claude/hooks"), { recursive: true });
    copyFileSync(join(REPOSITORY, ".claude/hooks/pre-compact.sh"), workspace.path(".claude/hooks/pre-compact.sh"));
    rmSync(workspace.path("context"));
  }
  const script = workspace.path(".claude/hooks/pre-compact.sh");
  const own = { CLAUDE_PROJECT_DIR: workspace.root, ...env };
  return runProgram("/bin/sh", [script, "--guidance"], { cwd: workspace.root, env: own, input });
}
