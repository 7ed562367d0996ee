// Of `node:fs` what the bundles of the native program call, with Node's answers and Node's errors.
import { ByteBuffer } from "./buffer.ts";
import { failure, pathOf } from "./fs-failure.ts";
import "./host.ts";
import { dirname, join } from "./path.ts";
import { type BigStats, bigStats, Dirent, Stats } from "./stats.ts";

export const constants = host.constants;

function flag(name: string): number {
  return host.constants[name] ?? 0;
}

const MODES: Readonly<Record<string, number>> = {
  r: flag("O_RDONLY"),
  "r+": flag("O_RDWR"),
  w: flag("O_WRONLY") | flag("O_CREAT") | flag("O_TRUNC"),
  wx: flag("O_WRONLY") | flag("O_CREAT") | flag("O_EXCL"),
  a: flag("O_WRONLY") | flag("O_CREAT") | flag("O_APPEND"),
};

const NEW_FILE = 0o666;

export function openSync(path: string, flags: string | number = "r", mode: number = NEW_FILE): number {
  const bits = typeof flags === "number" ? flags : MODES[flags];
  if (bits === undefined) return host.handOver();
  return checked(host.open(pathOf(path), bits, mode), "open", path);
}

export function closeSync(fd: number): void {
  checked(host.close(fd), "close");
}

export function readSync(
  fd: number,
  bytes: Uint8Array,
  offset = 0,
  length = bytes.length - offset,
  position: number | null = null,
): number {
  return checked(host.read(fd, bytes, offset, length, position ?? -1), "read");
}

export function writeSync(
  fd: number,
  bytes: Uint8Array,
  offset = 0,
  length = bytes.length - offset,
  position: number | null = null,
): number {
  return checked(host.write(fd, bytes, offset, length, position ?? -1), "write");
}

export function fsyncSync(fd: number): void {
  checked(host.fsync(fd), "fsync");
}

export function ftruncateSync(fd: number, length = 0): void {
  checked(host.ftruncate(fd, length), "ftruncate");
}

export function fchmodSync(fd: number, mode: number): void {
  checked(host.fchmod(fd, mode), "fchmod");
}

export function fchownSync(fd: number, uid: number, gid: number): void {
  checked(host.fchown(fd, uid, gid), "fchown");
}

export function fstatSync(fd: number): Stats {
  const found = host.fstat(fd);
  if (typeof found === "number") throw failure(found, "fstat");
  return new Stats(found);
}

interface StatOptions {
  readonly bigint?: boolean;
  readonly throwIfNoEntry?: boolean;
}

export function statSync(path: string, options?: StatOptions): Stats | BigStats | undefined {
  return look(path, true, options);
}

export function lstatSync(path: string, options?: StatOptions): Stats | BigStats | undefined {
  return look(path, false, options);
}

function look(path: string, follow: boolean, options: StatOptions = {}): Stats | BigStats | undefined {
  const found = host.stat(pathOf(path), follow);
  if (typeof found !== "number") return options.bigint === true ? bigStats(found) : new Stats(found);
  if (options.throwIfNoEntry === false && isMissing(found)) return undefined;
  throw failure(found, follow ? "stat" : "lstat", path);
}

function isMissing(result: number): boolean {
  const code = host.errno(-result);
  return code === "ENOENT" || code === "ENOTDIR";
}

export function existsSync(path: string): boolean {
  return !path.includes("\0") && host.access(path, flag("F_OK")) === 0;
}

export function accessSync(path: string, mode: number = flag("F_OK")): void {
  checked(host.access(pathOf(path), mode), "access", path);
}

export function readdirSync(
  path: string,
  options: { readonly withFileTypes?: boolean } = {},
): readonly (string | Dirent)[] {
  const found = host.readdir(pathOf(path));
  if (typeof found === "number") throw failure(found, "scandir", path);
  const entries: (string | Dirent)[] = [];
  for (let at = 0; at < found.length; at += 2) {
    const name = String(found[at]);
    entries.push(options.withFileTypes === true ? new Dirent(name, path, Number(found[at + 1]), kindOf) : name);
  }
  return entries;
}

function kindOf(folder: string, name: string): Stats {
  const path = join(folder, name);
  const found = host.stat(path, false);
  if (typeof found === "number") throw failure(found, "lstat", path);
  return new Stats(found);
}

function realpath(path: string): string {
  const real = host.realpath(pathOf(path));
  if (typeof real === "number") throw failure(real, "realpath", path);
  return real;
}

export function readlinkSync(path: string): string {
  const target = host.readlink(pathOf(path));
  if (typeof target === "number") throw failure(target, "readlink", path);
  return target;
}

/** Both ask the system here; Node's own walk differs where a folder may not be read. */
export const realpathSync: { (path: string): string; native: (path: string) => string } = Object.assign(
  (path: string) => realpath(path),
  { native: realpath },
);

export function mkdirSync(path: string, options: { readonly recursive?: boolean; readonly mode?: number } = {}): void {
  const { recursive = false, mode = 0o777 } = options;
  if (recursive) makeAll(pathOf(path), mode, path);
  else checked(host.mkdir(pathOf(path), mode), "mkdir", path);
}

function makeAll(folder: string, mode: number, path: string): void {
  let result = host.mkdir(folder, mode);
  if (result === 0) return;
  const code = host.errno(-result);
  const parent = dirname(folder);
  if (code === "ENOENT" && parent !== folder) {
    makeAll(parent, mode, path);
    result = host.mkdir(folder, mode);
    if (result === 0) return;
  }
  const found = host.stat(folder, true);
  if (typeof found !== "number" && new Stats(found).isDirectory()) return;
  // A file where a folder above the wanted one would be is another fault than one in its own place.
  if (host.errno(-result) === "EEXIST" && folder !== path) throw failure(host.mkdir(path, mode), "mkdir", path);
  throw failure(result, "mkdir", path);
}

export function rmdirSync(path: string): void {
  checked(host.rmdir(pathOf(path)), "rmdir", path);
}

export function unlinkSync(path: string): void {
  checked(host.unlink(pathOf(path)), "unlink", path);
}

export function linkSync(existing: string, path: string): void {
  checked(host.link(pathOf(existing), pathOf(path)), "link", existing);
}

export function renameSync(from: string, to: string): void {
  checked(host.rename(pathOf(from), pathOf(to)), "rename", from);
}

const BLOCK_BYTES = 16 * 1024;

export function readFileSync(path: string, encoding?: "utf8"): string | Uint8Array {
  const fd = openSync(path);
  try {
    // Files of /proc have no size.
    const { size } = fstatSync(fd);
    const pieces: Uint8Array[] = [];
    for (;;) {
      const bytes = new ByteBuffer(Math.max(size + 1, BLOCK_BYTES));
      const count = readSync(fd, bytes);
      if (count === 0) break;
      pieces.push(bytes.subarray(0, count));
    }
    const whole = ByteBuffer.concat(pieces);
    return encoding === undefined ? whole : whole.toString(encoding);
  } finally {
    host.close(fd);
  }
}

export function writeFileSync(
  path: string,
  content: string | Uint8Array,
  options: { readonly flag?: string; readonly mode?: number } = {},
): void {
  const fd = openSync(path, options.flag ?? "w", options.mode ?? NEW_FILE);
  try {
    const bytes = typeof content === "string" ? ByteBuffer.from(content) : content;
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
  } finally {
    host.close(fd);
  }
}

function checked(result: number, syscall: string, path?: string): number {
  if (result < 0) throw failure(result, syscall, path);
  return result;
}
