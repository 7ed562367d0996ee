import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const NEWLINE = 10;
const BLOCK_BYTES = 1024 * 1024;

/**
 * The lines of a file that hold `needle`, oldest first, whatever the file's size: it is read once in blocks, and only
 * such a line becomes a text. A line of more than `maxLineBytes`, and one that no newline ends, is left out. Null where
 * the file cannot be read.
 */
export function linesWith(path: string, needle: string, maxLineBytes: number): readonly string[] | null {
  let fd: number;
  try {
    // Without O_NONBLOCK the open of a FIFO waits for a writer, for ever.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    return fstatSync(fd).isFile() ? scan(fd, Buffer.from(needle), maxLineBytes) : null;
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

function scan(fd: number, needle: Buffer, maxLineBytes: number): string[] {
  const found: string[] = [];
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  /** The beginning of a line whose end is not read yet; null where it is too long already. */
  let rest: Buffer | null = Buffer.alloc(0);
  for (let length = read(fd, block); length > 0; length = read(fd, block)) {
    const last = block.lastIndexOf(NEWLINE, length - 1);
    if (last === -1) {
      rest = joined(rest, block.subarray(0, length), maxLineBytes);
      continue;
    }
    const first = block.indexOf(NEWLINE);
    const head = joined(rest, block.subarray(0, first), maxLineBytes);
    if (head?.includes(needle)) found.push(head.toString("utf8"));
    let at = block.subarray(0, last).indexOf(needle, first);
    while (at !== -1) {
      const start = block.lastIndexOf(NEWLINE, at) + 1;
      const end = block.indexOf(NEWLINE, at);
      if (end - start <= maxLineBytes) found.push(block.toString("utf8", start, end));
      at = block.subarray(0, last).indexOf(needle, end);
    }
    rest = joined(Buffer.alloc(0), block.subarray(last + 1, length), maxLineBytes);
  }
  return found;
}

function read(fd: number, block: Buffer): number {
  return readSync(fd, block, 0, block.length, null);
}

/** A copy, since the block is read into again. */
function joined(rest: Buffer | null, more: Buffer, maxBytes: number): Buffer | null {
  return rest === null || rest.length + more.length > maxBytes ? null : Buffer.concat([rest, more]);
}
