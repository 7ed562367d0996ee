import { chownSync, mkdirSync, statSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectPaths } from "../../src/stores/paths.ts";
import {
  holdsOnly,
  makeFolder,
  makeRunnable,
  removeSetupFile,
  writeSetupFile,
} from "../../src/stores/settings-store.ts";
import {
  hookScriptFile,
  isUserFolder,
  obstacleTo,
  projectSettings,
  readSetupFile,
  userSettings,
} from "../../src/stores/setup-file.ts";
import { makeWorkspace } from "../helpers/workspace.ts";

describe("files of the setup", () => {
  test("are written whole with their mode, and read back", () => {
    const workspace = makeWorkspace();
    const file = hookScriptFile(projectPaths(workspace.root, {}), "x.sh");
    expect(readSetupFile(file)).toEqual({ ok: true, value: null });
    expect(writeSetupFile(file, "#!/bin/sh\n", 0o755).ok).toBe(true);
    expect(readSetupFile(file)).toMatchObject({ ok: true, value: { text: "#!/bin/sh\n", mode: 0o755 } });
    expect(writeSetupFile(file, "", 0o644).ok).toBe(true);
    expect(makeRunnable(file, 0o755).ok).toBe(true);
    expect(statSync(file.path).mode & 0o777).toBe(0o755);
    expect(removeSetupFile(file).ok).toBe(true);
    expect(workspace.list(".claude/hooks")).toEqual([]);
    expect(removeSetupFile(file)).toMatchObject({ ok: false, error: { message: expect.stringContaining("ENOENT") } });
  });

  test.skipIf(process.geteuid?.() !== 0)("stay whose they are where root sets up", () => {
    const workspace = makeWorkspace();
    const file = projectSettings(projectPaths(workspace.root, {}), "shared");
    chownSync(workspace.write(".claude/settings.json", "{}"), 1234, 1235);
    expect(writeSetupFile(file, "{}\n", 0o640)).toEqual({ ok: true, value: true });
    expect(statSync(file.path)).toMatchObject({ uid: 1234, gid: 1235, mode: 0o100640 });
  });

  test.skipIf(process.geteuid?.() !== 0)("give nothing away that took their name while root sets up", () => {
    const outside = makeWorkspace();
    const secret = outside.write("secret", "");
    const workspace = makeWorkspace();
    const file = projectSettings(projectPaths(workspace.root, {}), "shared");
    chownSync(workspace.write(".claude/settings.json", "{}"), 1234, 1235);
    const taken = () => {
      unlinkSync(file.path);
      symlinkSync(secret, file.path);
      return false;
    };
    expect(writeSetupFile(file, "{}\n", 0o640, taken)).toEqual({ ok: true, value: false });
    expect(statSync(secret)).toMatchObject({ uid: 0, gid: 0 });
  });

  test("a link out of the project is read, as the client reads it, and neither written nor made to run", () => {
    const outside = makeWorkspace();
    const workspace = makeWorkspace();
    outside.write("settings.json", "{}");
    symlinkSync(outside.root, workspace.path(".claude"));
    const paths = projectPaths(workspace.root, {});
    const file = projectSettings(paths, "shared");
    expect(readSetupFile(file)).toMatchObject({ ok: true, value: { text: "{}" } });
    for (const result of [writeSetupFile(file, "x", 0o644), makeRunnable(file, 0o777)]) {
      expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining("leads out of") } });
    }
    expect(makeFolder(workspace.root, workspace.path(".claude/hooks")).ok).toBe(false);
    expect(outside.list("")).toEqual(["context", "session", "settings.json"]);
    expect(outside.read("settings.json")).toBe("{}");
  });

  test("what keeps a file from being written is known before, by the part of its path where it stands", () => {
    const outside = makeWorkspace();
    const workspace = makeWorkspace();
    const { root } = workspace;
    const at = (name: string, kind: "file" | "folder" = "file") => {
      const found = obstacleTo({ path: workspace.path(name), root }, kind);
      return found === null ? null : [found.path.slice(root.length + 1), found.message, found.way];
    };
    const out = `is a link that leads out of ${root}: what lies there is not changed`;
    workspace.write("file", "");
    symlinkSync(outside.root, workspace.path("out"));
    symlinkSync("nowhere", workspace.path("dangling"));
    symlinkSync("file", workspace.path("inside"));
    symlinkSync("loop", workspace.path("loop"));
    expect(at("a/b")).toBeNull();
    expect(at("file")).toBeNull();
    expect(at("inside")).toBeNull();
    expect(at("session", "folder")).toBeNull();
    expect(at("file", "folder")).toEqual(["file", "is a file, expected a folder", "Move % away"]);
    expect(at("file/a/b")).toEqual(["file", "is a file, expected a folder", "Move % away"]);
    expect(at("out/a")).toEqual(["out", out, "Replace % by one of the project's own"]);
    expect(at("out")).toEqual(["out", out, "Replace % by one of the project's own"]);
    expect(at("dangling")).toEqual(["dangling", "is a link to nothing", "Delete the link %"]);
    expect(at("loop/x")).toEqual(["loop", "is a link to nothing", "Delete the link %"]);
  });

  test("a link to another file of the project is followed", () => {
    const workspace = makeWorkspace();
    workspace.write("shared/settings.json", "{}");
    mkdirSync(workspace.path(".claude"));
    symlinkSync("../shared/settings.json", workspace.path(".claude/settings.json"));
    const file = projectSettings(projectPaths(workspace.root, {}), "shared");
    expect(writeSetupFile(file, '{"a": 1}', 0o644).ok).toBe(true);
    expect(workspace.read("shared/settings.json")).toBe('{"a": 1}');
  });

  test("the user's settings are where CLAUDE_CONFIG_DIR says, and may be a link to anywhere", () => {
    const workspace = makeWorkspace();
    workspace.write("dotfiles/settings.json", "{}");
    mkdirSync(workspace.path("config"));
    symlinkSync("../dotfiles/settings.json", workspace.path("config/settings.json"));
    const file = userSettings({ CLAUDE_CONFIG_DIR: workspace.path("config"), HOME: "/nowhere" });
    expect(file).toEqual({ path: workspace.path("config/settings.json"), root: workspace.path("dotfiles") });
    expect(writeSetupFile(file, "x", 0o644).ok).toBe(true);
    expect(workspace.read("dotfiles/settings.json")).toBe("x");
    expect(userSettings({ HOME: workspace.root }).path).toBe(join(workspace.root, ".claude", "settings.json"));
  });

  test("a home folder is told from a project, whichever name leads there", () => {
    const home = makeWorkspace();
    const other = makeWorkspace();
    home.write(".claude/settings.json", "{}");
    symlinkSync(home.root, other.path("home"));
    const isUser = (root: string) => isUserFolder(projectPaths(root, {}), { HOME: home.root });
    expect([home.root, other.path("home"), other.root].map(isUser)).toEqual([true, true, false]);
  });

  test("a folder that is not there holds nothing to remove", () => {
    const workspace = makeWorkspace();
    workspace.write("a/x", "");
    workspace.write("a/y", "");
    const only = (...names: string[]) => holdsOnly(workspace.path("a"), new Set(names));
    expect([only("x", "y", "z"), only("x"), holdsOnly(workspace.path("b"), new Set())]).toEqual([true, false, false]);
  });
});
