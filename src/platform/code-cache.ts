import { closeSync, openSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { Script } from "node:vm";
import { flush, tryUnlink, writeAll } from "./atomic-write.ts";
import { orNull } from "./fs-error.ts";
import { latin1Text } from "./latin1-text.ts";
import { makeFolders } from "./make-folders.ts";
import { uniqueToken } from "./process-identity.ts";

export interface CodeCache {
  /** The exports of a CommonJS file, by its name; what it requires as `./name` is loaded in the same way. */
  readonly load: (name: string) => unknown;
  /**
   * Keeps what V8 compiled in this run, for files that had nothing kept; where a review is due, also for those of which this
   * run needed more than was kept. Call it when the work is done.
   */
  readonly save: () => void;
}

export interface CodeCacheOptions {
  /** Where the files are: plain as `name`, compressed as `name.br`, or with others in `cold.br` or `warm.br`. The build packs them. */
  readonly bundles: string;
  /** What lies in `warm.br`: what a hook begins with, or loads now and then, need not be inflated with it. */
  readonly warm: readonly string[];
  /**
   * Where compiled code is kept; made with no rights for others, in a folder of this user's own. Whoever can write there can
   * run code as this user.
   */
  readonly folder: string;
  /** Names this build: another one's code is never taken. */
  readonly build: string;
  /** What this run is for, in a few letters: V8 keeps the functions that were run, and another task runs others. */
  readonly task: string;
  /** Node's own `require`, for everything that is not relative. */
  readonly require: (id: string) => unknown;
  /** Whether this run looks if what is kept is still enough, which takes some milliseconds. */
  readonly review: boolean;
}

/** Files that lie together, compressed: a line of JSON, each one's name with its length, and the files. */
const WARM = "warm.br";
/** The same of what is run now and then. */
const COLD = "cold.br";

/** A compressed file's text, by its path: several files may lie in one. */
type Inflate = (path: string) => string;

interface Loaded {
  readonly script: Script;
  /** The source of a file that lies there compressed, kept with its code: to inflate it costs as much as to load it. */
  readonly inflated: string | null;
  readonly cacheFile: string;
  /** Bytes of compiled code that were there; 0 for none. */
  readonly hadBytes: number;
}

/**
 * Loads CommonJS files with the code that V8 compiled at an earlier run. V8 crashes on a cache with a flipped byte, and
 * runs an old one for a source of the same length, so a cache is named after the build, the file's size and time, and the
 * engine, and holds its bytes twice: only where both halves are equal does V8 see them. A cache is never required: where
 * one cannot be read, used or written, the source is compiled.
 */
export function openCodeCache(options: CodeCacheOptions): CodeCache {
  const modules = new Map<string, { exports: unknown }>();
  const scripts: Loaded[] = [];
  const inflated = new Map<string, string>();
  const inflateOnce: Inflate = (path) => {
    const text = inflated.get(path) ?? inflate(readFileSync(path), options.require);
    inflated.set(path, text);
    return text;
  };
  const requireFrom = (id: string): unknown => (id.startsWith("./") ? load(id.slice(2)) : options.require(id));
  const load = (name: string): unknown => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module: { exports: unknown } = { exports: {} };
    modules.set(name, module);
    try {
      run(name, module);
    } catch (error) {
      // Who asks again is told again, and gets no module without anything in it.
      modules.delete(name);
      throw error;
    }
    return module.exports;
  };
  const run = (name: string, module: { exports: unknown }): void => {
    const path = `${options.bundles}/${name}`;
    const loaded = compile(path, name, options, inflateOnce);
    scripts.push(loaded);
    const wrapper: unknown = loaded.script.runInThisContext();
    if (typeof wrapper !== "function") throw new Error(`Invariant broken: ${path} is wrapped in a function`);
    Reflect.apply(wrapper, module.exports, [module.exports, requireFrom, module, path, options.bundles]);
  };
  const save = (): void => {
    const fresh = options.review ? scripts : scripts.filter(({ hadBytes }) => hadBytes === 0);
    for (const loaded of fresh) keep(loaded, options);
  };
  return { load, save };
}

function compile(path: string, name: string, options: CodeCacheOptions, inflateOnce: Inflate): Loaded {
  const { folder, build, task } = options;
  const { file, size, mtimeMs } = find(path, name, options);
  const packed = file !== path;
  const engine = `${process.versions.v8}-${process.arch}`;
  const cacheFile = `${folder}/${name}-${task}-${build}-${size}-${mtimeMs}-${engine}.cache`;
  const bytes = readTwice(cacheFile);
  const kept = packed ? keptSource(bytes) : null;
  const cachedData = packed ? kept?.code : (bytes ?? undefined);
  const inflated = packed ? (kept?.source ?? sourceIn(file, name, inflateOnce)) : null;
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${inflated ?? readFileSync(file, "utf8")}\n})`;
  const script = new Script(wrapped, {
    filename: path,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  // Rejected for other flags of the engine: it is right for the usual ones, and stays.
  return { script, inflated, cacheFile, hadBytes: cachedData?.length ?? 0 };
}

interface Found {
  readonly file: string;
  readonly size: number;
  readonly mtimeMs: number;
}

function find(path: string, name: string, { bundles, warm }: CodeCacheOptions): Found {
  for (const file of [path, `${path}.br`]) {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats !== undefined) return { file, size: stats.size, mtimeMs: stats.mtimeMs };
  }
  const file = `${bundles}/${warm.includes(name) ? WARM : COLD}`;
  const { size, mtimeMs } = statSync(file);
  return { file, size, mtimeMs };
}

function sourceIn(file: string, name: string, inflateOnce: Inflate): string {
  const text = inflateOnce(file);
  if (file.endsWith(`${name}.br`)) return text;
  let at = text.indexOf("\n") + 1;
  for (const [found, length] of Object.entries(JSON.parse(text.slice(0, at)))) {
    if (found === name) return text.slice(at, at + Number(length));
    at += Number(length);
  }
  throw new Error(`${name} is missing in ${file}`);
}

/** Before an inflated source stand its length, in bytes, and the mark of such a file; behind it the code, at a multiple of eight. */
const HEAD = 8;
/** "JS+V" */
const MARK = 0x56_2b_53_4a;

/** Null for what was never written by `withSource`: V8 looks at code before it runs it, and nobody at a source. */
function keptSource(bytes: Buffer | null): { source: string; code: Buffer } | null {
  if (bytes === null || bytes.length < HEAD || bytes.readUInt32LE(4) !== MARK) return null;
  const length = bytes.readUInt32LE(0);
  if (codeAt(length) > bytes.length) return null;
  return { source: latin1Text(bytes, HEAD, HEAD + length), code: bytes.subarray(codeAt(length)) };
}

function codeAt(length: number): number {
  return Math.ceil((HEAD + length) / 8) * 8;
}

/** Loads Node's zlib, which costs more than a millisecond: only what is run now and then is compressed. */
function inflate(bytes: Buffer, require: CodeCacheOptions["require"]): string {
  const decompress: unknown = Reflect.get(Object(require("node:zlib")), "brotliDecompressSync");
  const text: unknown = typeof decompress === "function" ? decompress(bytes) : null;
  if (!(text instanceof Uint8Array)) throw new Error("Invariant broken: node:zlib inflates");
  return Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString("utf8");
}

/** The bytes that the file holds twice; null where the halves differ. */
function readTwice(path: string): Buffer | null {
  const bytes = orNull(() => readFileSync(path));
  if (bytes === null) return null;
  const half = bytes.length >> 1;
  const first = bytes.subarray(0, half);
  return half > 0 && bytes.length % 2 === 0 && first.equals(bytes.subarray(half)) ? first : null;
}

/** In a compressed bundle a character is a byte: the build writes ASCII. */
function withSource(source: string, code: Buffer): Buffer {
  const at = codeAt(source.length);
  const data = Buffer.alloc(at + code.length);
  data.writeUInt32LE(source.length);
  data.writeUInt32LE(MARK, 4);
  data.write(source, HEAD, "latin1");
  data.set(code, at);
  return data;
}

/**
 * Whether a folder is this user's own: in another's (an administrator's run, a container's, a group's) files with no rights
 * for its owner would be left, who could neither use nor remove them. Windows knows no users by number.
 */
function isOwn(folder: string): boolean {
  return process.geteuid === undefined || statSync(folder).uid === process.geteuid();
}

/** A few files for each of some thirty tasks: with more, most are of another engine, or of words that are no commands. */
const FILES_MAX = 300;

/** What is kept grows by a little with every run: only this much more is worth a new file. */
const WORTH_WRITING = 1.05;

function keep({ script, inflated, cacheFile, hadBytes }: Loaded, { bundles, folder }: CodeCacheOptions): void {
  // With other flags than everyone's the code would be rejected at the next run.
  if (process.execArgv.length > 0 || process.env.NODE_OPTIONS) return;
  const code = script.createCachedData();
  if (code.length < hadBytes * WORTH_WRITING) return;
  const data = inflated === null ? code : withSource(inflated, code);
  const temporary = `${cacheFile}.${uniqueToken()}.tmp`;
  // No rights, no room: the next run compiles again.
  const isKept = orNull(() => {
    if (!isOwn(bundles)) return false;
    makeFolders(folder, 0o700);
    const names = readdirSync(folder);
    if (names.length > FILES_MAX) for (const name of names) tryUnlink(`${folder}/${name}`);
    const fd = openSync(temporary, "wx", 0o600);
    try {
      writeAll(fd, data);
      writeAll(fd, data);
      flush(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, cacheFile);
    return true;
  });
  // It may never have been made, or not be removed either.
  if (isKept === null) tryUnlink(temporary);
}
