import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../helpers/remove-folder.ts";
import type { Ground, Place } from "./place.ts";
import { redisPlace } from "./redis.ts";
import { fileStore } from "./store.ts";
import type { Engine } from "./storm.ts";

/** A kind of storm; null where this machine cannot have it. */
export type Weather = (ground: Ground) => Promise<Place | null> | Place | null;

function newRoot(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "orage é ")));
}

function inFiles(root: string, more: Partial<Place["options"]> & Pick<Place["options"], "engines">): Place {
  const store = fileStore(join(root, "session", "stateMachines"), {});
  return { options: { root, store, kills: false, clocks: false, ...more }, end: () => removeFolder(root) };
}

function both({ node, native }: Ground): readonly [Engine, ...Engine[]] {
  return native === null ? [node] : [node, native, native];
}

/** Runs the program by way of another one. */
function behind(engine: Engine, name: string, words: readonly string[]): Engine {
  const [file = "", ...before] = [...words, engine.file, ...engine.before];
  return { ...engine, name: `${engine.name}, ${name}`, file, before, takesShim: false };
}

function runs(file: string, ...words: readonly string[]): boolean {
  return spawnSync(file, words, { stdio: "ignore" }).status === 0;
}

/** A file system of that many kilobytes at the folder; null where none may be mounted. */
function mounted(folder: string, kilobytes: number): (() => void) | null {
  mkdirSync(folder, { recursive: true });
  if (!runs("mount", "-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", folder)) return null;
  return () => void spawnSync("umount", ["-l", folder]);
}

/** Longer than a run is stopped for, in milliseconds. */
const STOPPED_MS = 4000;

export const WEATHERS: Readonly<Record<string, Weather>> = {
  crowd: (ground) => inFiles(newRoot(), { engines: both(ground) }),
  kills: ({ node }) => inFiles(newRoot(), { engines: [node], kills: true }),
  mixed: (ground) => inFiles(newRoot(), { engines: both(ground), kills: true }),
  clocks: ({ node }) => inFiles(newRoot(), { engines: [node], kills: true, clocks: true }),

  /** No file can have two names: who is killed between a lock's name and its bytes leaves one that is nobody's for a minute. */
  names: ({ node }) => {
    const root = newRoot();
    const folder = join(root, "session", "stateMachines");
    const pass = (ms: number) => {
      for (const name of existsSync(folder) ? readdirSync(folder) : []) {
        const path = join(folder, name);
        const stat = statSync(path, { throwIfNoEntry: false });
        const isNobodys = /\.lock(?:\.heir-.*)?$/.test(name) && stat?.size === 0 && Date.now() - stat.mtimeMs > ms;
        if (isNobodys) utimesSync(path, 0, 0);
      }
    };
    return inFiles(root, {
      engines: [node],
      kills: true,
      oneName: true,
      weather: () => pass(STOPPED_MS),
      calm: () => pass(-1),
    });
  },

  /** The disk is full again and again. */
  full: (ground) => {
    const root = newRoot();
    const folder = join(root, "session", "stateMachines");
    const unmount = mounted(folder, 512);
    if (unmount === null) return null;
    const filler = join(folder, "zz-fill");
    const calm = () => rmSync(filler, { force: true });
    const place = inFiles(root, {
      engines: both(ground),
      kills: true,
      weather: ({ below }) => {
        if (below(3) !== 0) return;
        if (existsSync(filler)) calm();
        else spawnSync("sh", ["-c", 'cat /dev/zero > "$1"', "sh", filler], { stdio: "ignore" });
      },
      calm,
    });
    return {
      ...place,
      end: () => {
        unmount();
        removeFolder(root);
      },
    };
  },

  /** The file system can be written, or it cannot. */
  readonly: (ground) => {
    const root = newRoot();
    const folder = join(root, "session", "stateMachines");
    const unmount = mounted(folder, 4096);
    if (unmount === null) return null;
    let writable = true;
    const remount = (how: "rw" | "ro") => {
      if (runs("mount", "-o", `remount,${how}`, folder)) writable = how === "rw";
    };
    const place = inFiles(root, {
      engines: both(ground),
      kills: true,
      weather: ({ below }) => {
        if (below(3) === 0) remount(writable ? "ro" : "rw");
      },
      calm: () => remount("rw"),
    });
    return {
      ...place,
      end: () => {
        unmount();
        removeFolder(root);
      },
    };
  },

  /** Hosts of other names, and numberings of their own, share the folder. */
  hosts: (ground) => {
    const other = ["unshare", "--uts", "sh", "-c", 'hostname elsewhere; exec "$@"', "sh"];
    const inside = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
    if (!runs("unshare", "--uts", "--pid", "--fork", "true")) return null;
    const engines = both(ground);
    const more = engines.flatMap((engine) => [
      behind(engine, "another host", other),
      behind(engine, "another numbering", inside),
      behind(engine, "another host and numbering", [...inside, ...other]),
    ]);
    return inFiles(newRoot(), { engines: [...engines, ...more] });
  },

  redis: (ground) => redisPlace(newRoot(), ground, { kills: true, outages: false }),
  outages: (ground) => redisPlace(newRoot(), ground, { kills: false, outages: true }),
};

/** The program as it was built below `root`. */
export function groundOf(root: string): Ground {
  const id = readFileSync(join(root, "dist", "bundle", "build-id"), "utf8").trim();
  const native = join(root, "dist", "native", `context-${id}`);
  const node: Engine = {
    name: "node",
    file: process.execPath,
    before: [join(root, "bin", "context.js")],
    env: { CONTEXT_NATIVE: "0" },
    takesShim: true,
  };
  if (!existsSync(native)) return { node, native: null };
  return { node, native: { name: "native", file: native, before: [], env: {}, takesShim: false } };
}
