import { realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { ok, type Result } from "../base/result.ts";
import { realPathInside } from "../platform/contain.ts";
import { orNull } from "../platform/fs-error.ts";
import { type ReadError, readText, type TextFile } from "../platform/read-text.ts";
import { statOf } from "../platform/stat-of.ts";
import { clientFolder } from "./client-folder.ts";
import type { ProjectPaths } from "./paths.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A file that setting up may write: where it is, and the folder that no link may lead out of. */
export interface SetupFile {
  readonly path: string;
  readonly root: string;
}

/** Far more than a person writes; the client itself reads the whole file at each start. */
const SETTINGS_MAX_BYTES = 1024 * 1024;

/** Where the hook scripts lie, relative to the project. */
export const HOOKS_FOLDER = ".claude/hooks";

/** The project's settings: those that are shared, and those of this machine. */
export function projectSettings(paths: ProjectPaths, which: "shared" | "local"): SetupFile {
  const name = which === "shared" ? "settings.json" : "settings.local.json";
  return { path: join(paths.root, ".claude", name), root: paths.root };
}

/** A hook script of the project. */
export function hookScriptFile(paths: ProjectPaths, name: string): SetupFile {
  return { path: join(paths.root, HOOKS_FOLDER, name), root: paths.root };
}

/** The settings of all projects of a user. A link is followed wherever it leads: people keep the file among others of theirs. */
export function userSettings(env: Env): SetupFile {
  const path = join(clientFolder(env), "settings.json");
  return { path, root: dirname(realPathOf(path) ?? path) };
}

/** Every settings file that the client reads here, each before those that override it. */
export function settingsFiles(paths: ProjectPaths, env: Env): readonly SetupFile[] {
  return [userSettings(env), projectSettings(paths, "shared"), projectSettings(paths, "local")];
}

/** The folder of the user's own hooks, beside those settings, followed as the settings are; and the way to it as lines spell it. */
export function userHooks(env: Env): SetupFile & { readonly named: string } {
  const folder = clientFolder(env);
  const named = join(folder, "hooks");
  const root = realPathOf(named) ?? realPathOf(folder) ?? folder;
  return { path: realPathOf(named) ?? join(root, "hooks"), root, named };
}

/** A script among the user's own hooks. */
export function userHookScript(env: Env, name: string): SetupFile {
  const path = join(clientFolder(env), "hooks", name);
  return { path, root: dirname(realPathOf(path) ?? path) };
}

/** Whether the project's own `.claude` is the folder of the settings for all projects. */
export function isUserFolder(paths: ProjectPaths, env: Env): boolean {
  const own = realPathOf(join(paths.root, ".claude")) ?? join(paths.root, ".claude");
  return own === (realPathOf(clientFolder(env)) ?? clientFolder(env));
}

/** A file's text and mode, wherever a link leads, as the client reads it; null where there is none. */
export function readSetupFile({ path }: SetupFile): Result<TextFile | null, ReadError> {
  const file = readText(path, SETTINGS_MAX_BYTES);
  return file.ok || file.error.problem !== "missing" ? file : ok(null);
}

/** What keeps a file or a folder from being written where it is to be. */
export interface Obstacle {
  readonly path: string;
  /** The end of a sentence that begins with the path. */
  readonly message: string;
  /** What to do, an order without its full stop; the path goes in place of `%`. */
  readonly way: string;
}

/** Looks at each part of the path below its root: a link out of it, or to nothing, and a file where a folder has to be. */
export function obstacleTo({ path, root }: SetupFile, kind: "file" | "folder"): Obstacle | null {
  const below = relative(root, path);
  // What a link above them leads to is the root of a user's own files.
  const names = (below.startsWith("..") ? relative(root, realPathOf(path) ?? path) : below).split(sep);
  for (const index of names.keys()) {
    const at = join(root, ...names.slice(0, index + 1));
    if (realPathInside(root, at) === null) {
      return realPathOf(at) === null
        ? { path: at, message: "is a link to nothing", way: "Delete the link %" }
        : {
            path: at,
            message: `is a link that leads out of ${root}: what lies there is not changed`,
            way: "Replace % by one of the project's own",
          };
    }
    const stat = statOf(at);
    if (stat === null) return null;
    if ((kind === "folder" || index < names.length - 1) && !stat.isDirectory())
      return { path: at, message: "is a file, expected a folder", way: "Move % away" };
  }
  return null;
}

/** Where a path leads, all links followed; null where nothing is there. */
export function realPathOf(path: string): string | null {
  return orNull(() => realpathSync.native(path));
}
