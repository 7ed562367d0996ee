import type { FrontMatterValue } from "../../base/frontmatter.ts";
import type { XmlElement } from "../../base/xml.ts";

/** What `quick-texts.c` does; each is null where the text is not of the simple kind. */
export interface Quick {
  /** A line's number, its kind and its words in turn: 0 for an open box, 1 for a closed one, 3 and 4 for `#` and `##`. */
  readonly stepLines: (text: string) => readonly (number | string)[] | null;
  /** Closed boxes, all boxes, the current section, the phase as a number of `PHASES`, and the current task. */
  readonly countSteps: (text: string) => readonly [number, number, number, number, string | null] | null;
  /** Where front matter starts and ends, and where what follows it starts. */
  readonly frontMatter: (text: string) => readonly [start: number, end: number, bodyStart: number] | null;
  readonly isSafeYaml: (raw: string) => boolean;
  /** Keys and values in turn. */
  readonly frontLines: (raw: string) => readonly (string | FrontMatterValue)[] | null;
  /** What each of the keys has in a text's front matter; undefined where it does not stand there. */
  readonly frontValues: (text: string, keys: readonly string[]) => readonly (FrontMatterValue | undefined)[] | null;
  /** The description of a skill that is named as its folder and has nothing to be told about. */
  readonly skillWords: (text: string, folderName: string) => string | null;
  readonly countCharacters: (text: string) => number | null;
  /** Negative, zero or positive, as the texts' UTF-8 sorts. */
  readonly compareTexts: (a: string, b: string) => number | null;
  readonly attributePairs: (
    attributes: Readonly<Record<string, unknown>>,
  ) => readonly (readonly [string, string])[] | null;
  readonly escapeXml: (text: string) => string | null;
  readonly escapeXmlAttribute: (text: string) => string | null;
  readonly openTag: (element: Pick<XmlElement, "name" | "attributes">) => string | null;
  readonly writeXml: (element: XmlElement, indent: string) => string | null;
}

/** What `host.c` does for the modules beside this one. A call to the system gives a negative errno where it fails. */
export interface Host {
  /** Node takes over, with the same command line and what was read of standard input. Never returns. */
  readonly handOver: () => never;
  /** Puts a variable into the environment in which Node takes over. */
  readonly keep: (name: string, text: string) => void;

  readonly utf8: (bytes: Uint8Array, start: number, end: number) => string;
  readonly latin1: (bytes: Uint8Array, start: number, end: number) => string;
  readonly encode: (text: string) => ArrayBuffer;
  /** The low byte of each UTF-16 unit. */
  readonly latin1Bytes: (text: string) => ArrayBuffer;
  readonly byteLength: (text: string) => number;
  readonly isUtf8: (bytes: Uint8Array) => boolean;
  readonly find: (bytes: Uint8Array, needle: Uint8Array, from: number) => number;
  readonly findByte: (bytes: Uint8Array, value: number, from: number) => number;
  readonly findLastByte: (bytes: Uint8Array, value: number, from: number) => number;
  readonly compare: (a: Uint8Array, b: Uint8Array) => number;
  readonly compareTexts: (a: string, b: string) => number;
  /** `pairs` holds 32 numbers for each letter. */
  readonly estimateTokens: (text: string, pairs: Float64Array) => number;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: (bytes: Uint8Array) => string;
  /** Eight lower-case hexadecimal digits. */
  readonly fingerprint: (text: string) => string;

  readonly open: (path: string, flags: number, mode: number) => number;
  readonly close: (fd: number) => number;
  /** A negative position is where the file stands. */
  readonly read: (fd: number, bytes: Uint8Array, offset: number, length: number, position: number) => number;
  readonly write: (fd: number, bytes: Uint8Array, offset: number, length: number, position: number) => number;
  /** Fifteen numbers; see `stats.ts`. */
  readonly stat: (path: string, follow: boolean) => number | readonly number[];
  readonly fstat: (fd: number) => number | readonly number[];
  /** Names and types in turn, sorted by the names' bytes. */
  readonly readdir: (path: string) => readonly (string | number)[] | number;
  /** A regular file's text, and its fifteen numbers; undefined for what is to be looked at again, such as one that is none. */
  readonly readText: (
    path: string,
    most: number,
    follow: boolean,
  ) => readonly [text: string, numbers: readonly number[]] | undefined;
  /** The text of a file that has been looked at; null for what is to be looked at again. */
  readonly readPlain: (path: string) => string | null;
  readonly realpath: (path: string) => string | number;
  readonly readlink: (path: string) => string | number;
  readonly mkdir: (path: string, mode: number) => number;
  readonly access: (path: string, mode: number) => number;
  readonly unlink: (path: string) => number;
  readonly rmdir: (path: string) => number;
  readonly link: (existing: string, path: string) => number;
  readonly rename: (from: string, to: string) => number;
  readonly fsync: (fd: number) => number;
  readonly ftruncate: (fd: number, length: number) => number;
  readonly fchmod: (fd: number, mode: number) => number;
  readonly fchown: (fd: number, uid: number, gid: number) => number;
  /** Such as `ENOENT`; undefined for a rare one. */
  readonly errno: (number: number) => string | undefined;
  readonly constants: Readonly<Record<string, number>>;

  /** 1 where there is something to read, or the end, before that many milliseconds are over; else 0. */
  readonly poll: (fd: number, milliseconds: number) => number;
  readonly sleep: (milliseconds: number) => void;
  /** Seconds and nanoseconds of a clock that only grows. */
  readonly clock: () => readonly [number, number];
  /** Seconds since the machine was started. */
  readonly uptime: () => number;
  readonly kill: (pid: number, signal: number) => number;
  readonly hostname: () => string;
  readonly cwd: () => string | number;
  /** What a program wrote on its standard output; null where it failed or took longer. */
  readonly run: (words: readonly string[], milliseconds: number) => string | null;
  /** The function that a bundle is wrapped in; undefined where there is none of that name. */
  readonly load: (name: string) => ((...words: unknown[]) => void) | undefined;

  /** Undefined in an engine of another version than `engine.c` is for. */
  readonly quick: Quick | undefined;

  readonly pid: number;
  readonly ppid: number;
  readonly euid: number;
  /** `bin/context.js`, which Node would run. */
  readonly script: string;
  readonly executable: string;
  /** Without the program's name. */
  readonly argv: readonly string[];
  readonly env: Record<string, string | undefined>;
}

declare global {
  /** Made by `host.c` before anything runs. */
  var host: Host;
  /** How the process is to end; where nothing is left to do and this is unset, Node takes over. */
  var exitCode: number | undefined;
}
