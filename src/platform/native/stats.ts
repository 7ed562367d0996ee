const KIND = 0o170000;
const FOLDER = 0o040000;
const FILE = 0o100000;
const LINK = 0o120000;
const CHARACTERS = 0o020000;
const BLOCKS = 0o060000;
const PIPE = 0o010000;
const SOCKET = 0o140000;

/** `Stats` of `node:fs`: fifteen numbers of `host.stat`, of which most are never asked for. */
export class Stats {
  readonly numbers: readonly number[];

  constructor(numbers: readonly number[]) {
    this.numbers = numbers;
  }

  get dev(): number {
    return this.numbers[0] ?? 0;
  }
  get mode(): number {
    return this.numbers[1] ?? 0;
  }
  get nlink(): number {
    return this.numbers[2] ?? 0;
  }
  get uid(): number {
    return this.numbers[3] ?? 0;
  }
  get gid(): number {
    return this.numbers[4] ?? 0;
  }
  get rdev(): number {
    return this.numbers[5] ?? 0;
  }
  get ino(): number {
    return this.numbers[6] ?? 0;
  }
  get size(): number {
    return this.numbers[7] ?? 0;
  }
  get atimeMs(): number {
    return this.numbers[8] ?? 0;
  }
  get mtimeMs(): number {
    return this.numbers[9] ?? 0;
  }
  get ctimeMs(): number {
    return this.numbers[10] ?? 0;
  }

  isFile(): boolean {
    return (this.mode & KIND) === FILE;
  }
  isDirectory(): boolean {
    return (this.mode & KIND) === FOLDER;
  }
  isSymbolicLink(): boolean {
    return (this.mode & KIND) === LINK;
  }
  isCharacterDevice(): boolean {
    return (this.mode & KIND) === CHARACTERS;
  }
  isBlockDevice(): boolean {
    return (this.mode & KIND) === BLOCKS;
  }
  isFIFO(): boolean {
    return (this.mode & KIND) === PIPE;
  }
  isSocket(): boolean {
    return (this.mode & KIND) === SOCKET;
  }
}

export interface BigStats {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

/** Of `BigIntStats` what this program looks at. */
export function bigStats(numbers: readonly number[]): BigStats {
  const at = (index: number): bigint => BigInt(numbers[index] ?? 0);
  return { ino: (at(11) << 32n) | at(12), size: at(7), mtimeNs: at(13) * 1_000_000_000n + at(14) };
}

/** What `readdir` of the system says a name is; 0 where the file system does not tell. */
const TYPES: Readonly<Record<number, number>> = {
  1: PIPE,
  2: CHARACTERS,
  4: FOLDER,
  6: BLOCKS,
  8: FILE,
  10: LINK,
  12: SOCKET,
};

/** `Dirent` of `node:fs`. */
export class Dirent {
  readonly name: string;
  readonly parentPath: string;
  readonly kind: number;

  constructor(name: string, parentPath: string, type: number, look: (folder: string, name: string) => Stats) {
    this.name = name;
    this.parentPath = parentPath;
    this.kind = TYPES[type] ?? look(parentPath, name).mode & KIND;
  }

  isFile(): boolean {
    return this.kind === FILE;
  }
  isDirectory(): boolean {
    return this.kind === FOLDER;
  }
  isSymbolicLink(): boolean {
    return this.kind === LINK;
  }
  isCharacterDevice(): boolean {
    return this.kind === CHARACTERS;
  }
  isBlockDevice(): boolean {
    return this.kind === BLOCKS;
  }
  isFIFO(): boolean {
    return this.kind === PIPE;
  }
  isSocket(): boolean {
    return this.kind === SOCKET;
  }
}
