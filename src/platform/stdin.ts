import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { monotonicMs } from "./clock.ts";
import { errnoOf, orNull } from "./fs-error.ts";
import { isTerminal } from "./is-terminal.ts";
import { withRoom } from "./room.ts";
import { sleepSync } from "./sleep.ts";
import { type InputEvents, openSocketInput } from "./socket-input.ts";

export interface StdinOptions {
  /** Give up after this long without a byte, in milliseconds. */
  readonly idleMs: number;
  /** Stop as soon as this holds for the bytes so far: the other side may keep its end open. Asked once for each piece that comes. */
  readonly enough: (bytes: Buffer) => boolean;
  readonly maxBytes: number;
}

export type StdinEnd = "closed" | "enough" | "idle" | "too-large" | "terminal" | "failed";

export interface StdinBytes {
  readonly bytes: Buffer;
  readonly end: StdinEnd;
}

/** Half a gigabyte takes no longer. */
const DISCARD_MS = 1000;

/**
 * Standard input, without ever waiting longer than `idleMs` for the next byte and never on a terminal.
 *
 * A pipe is opened again without blocking and looked at in turns, which loads no module. A socket, which some clients
 * hand to their hooks, cannot be opened again: it is read as its pieces come. A plain blocking read would not do: a thread
 * that waits for a pipe keeps the process from exiting.
 */
export async function readStdin(options: StdinOptions): Promise<StdinBytes> {
  const stat = orNull(() => fstatSync(0));
  // A file is never waited for; opened again it would begin anew where somebody else has read a part of it.
  if (stat?.isFile()) return poll(0, options);
  if (stat?.isSocket()) return readPieces(options, openSocketInput) ?? readStream(options);
  const fd = reopenStdin();
  if (fd === null) return readStream(options);
  try {
    if (isTerminal(fd)) return { bytes: Buffer.alloc(0), end: "terminal" };
    const read = poll(fd, options);
    if (read.end === "too-large") discard(fd, options.idleMs);
    return read;
  } finally {
    closeSync(fd);
  }
}

/** Null where it is closed, where the system has no /proc, and for another user's pipe. */
function reopenStdin(): number | null {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
  return orNull(() => openSync("/proc/self/fd/0", flags));
}

/** All of standard input, for a command that was asked to read it: waits as long as a person types. */
export function readWholeStdin(maxBytes: number): Promise<StdinBytes> {
  return readStream({ idleMs: null, enough: () => false, maxBytes });
}

/** A pipe's whole room. */
const CHUNK_BYTES = 64 * 1024;

function poll(fd: number, options: StdinOptions): StdinBytes {
  let room: Buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = room.subarray(0, 0);
  let last = monotonicMs();
  for (;;) {
    room = withRoom(room, bytes.length, 1);
    // Before it is looked: a process may be stopped at any point, and what came meanwhile is there.
    const waited = monotonicMs() - last;
    let count: number;
    try {
      count = readSync(fd, room, bytes.length, room.length - bytes.length, null);
    } catch (error) {
      if (errnoOf(error) !== "EAGAIN") return { bytes, end: "failed" };
      if (waited >= options.idleMs) return { bytes, end: "idle" };
      sleepSync(1);
      continue;
    }
    if (count === 0) return { bytes, end: "closed" };
    last = monotonicMs();
    bytes = room.subarray(0, bytes.length + count);
    if (bytes.length > options.maxBytes) return { bytes, end: "too-large" };
    if (options.enough(bytes)) return { bytes, end: "enough" };
  }
}

/** Takes what is left off the writer's hands, for a bounded time: a pipe closed unread is an error of the writer's. */
function discard(fd: number, idleMs: number): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const begun = monotonicMs();
  let last = begun;
  while (monotonicMs() - begun < DISCARD_MS) {
    try {
      if (readSync(fd, chunk, 0, chunk.length, null) === 0) return;
      last = monotonicMs();
    } catch (error) {
      if (errnoOf(error) !== "EAGAIN" || monotonicMs() - last >= idleMs) return;
      sleepSync(1);
    }
  }
}

type PieceOptions = Omit<StdinOptions, "idleMs"> & { readonly idleMs: number | null };

/** `idleMs` null: wait for the end, on a terminal too. */
function readStream(options: PieceOptions): Promise<StdinBytes> {
  const failed = Promise.resolve<StdinBytes>({ bytes: Buffer.alloc(0), end: "failed" });
  let stream: NodeJS.ReadStream;
  try {
    stream = process.stdin;
  } catch {
    return failed;
  }
  if (stream.isTTY && options.idleMs !== null) return Promise.resolve({ bytes: Buffer.alloc(0), end: "terminal" });
  const open = ({ data, end, error }: InputEvents) => {
    stream.on("data", data).on("end", end).on("error", error);
    return () => {
      stream.removeAllListeners();
      stream.on("error", () => undefined);
      // A stream that is only paused keeps the process alive while the other side keeps its end open.
      stream.destroy();
    };
  };
  return readPieces(options, open) ?? failed;
}

/** Null where nothing can be opened. */
function readPieces(
  options: PieceOptions,
  open: (events: InputEvents) => (() => void) | null,
): Promise<StdinBytes> | null {
  const { idleMs } = options;
  let room: Buffer = Buffer.alloc(0);
  let bytes = room;
  let tooLargeSince: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let lastLook: NodeJS.Immediate | undefined;
  let give: (read: StdinBytes) => void = () => undefined;
  const read = new Promise<StdinBytes>((resolve) => {
    give = resolve;
  });
  const finish = (reached: StdinEnd) => {
    const end = tooLargeSince === null ? reached : "too-large";
    stopTimer();
    close?.();
    give({ bytes, end });
  };
  // In a process that was stopped the time is over before what came meanwhile is looked at: that comes first.
  const look = () => {
    lastLook = setImmediate(finish, "idle");
  };
  const startTimer = () => (idleMs === null ? undefined : setTimeout(look, idleMs));
  const stopTimer = () => {
    clearTimeout(timer);
    clearImmediate(lastLook);
  };
  const data = (chunk: Buffer) => {
    // As in `discard`: the rest is read and thrown away.
    if (tooLargeSince !== null && monotonicMs() - tooLargeSince >= DISCARD_MS) return finish("too-large");
    if (tooLargeSince === null) {
      room = withRoom(room, bytes.length, chunk.length);
      room.set(chunk, bytes.length);
      bytes = room.subarray(0, bytes.length + chunk.length);
    }
    if (bytes.length > options.maxBytes) tooLargeSince ??= monotonicMs();
    else if (options.enough(bytes)) return finish("enough");
    stopTimer();
    timer = startTimer();
  };
  const close = open({ data, end: () => finish("closed"), error: () => finish("failed") });
  if (close === null) return null;
  timer = startTimer();
  return read;
}
