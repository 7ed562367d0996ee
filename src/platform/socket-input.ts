import { call, insides, part } from "./insides.ts";

/** Where pieces of an input go. */
export interface InputEvents {
  readonly data: (chunk: Buffer) => void;
  readonly end: () => void;
  readonly error: () => void;
}

/** libuv's `UV_EOF`. */
const END_OF_FILE = -4095;

/**
 * Reads standard input, a socket, as Node's own spawn gives it to a hook, by what Node's streams are made of: to
 * load those takes a quarter of an empty Node's start. None of it is documented, so nothing is taken for granted: null where
 * a part is not as it was, or somebody asked to be told of such uses, and the caller takes the stream. Else what ends it.
 */
export function openSocketInput(events: InputEvents): (() => void) | null {
  try {
    const pipes = insides("pipe_wrap");
    const streams = insides("stream_wrap");
    const state = part(streams, "streamBaseState");
    const [count, offset] = [part(streams, "kReadBytesOrError"), part(streams, "kArrayBufferOffset")];
    const Pipe = part(pipes, "Pipe");
    const kind = part(part(pipes, "constants"), "SOCKET");
    if (!(state instanceof Int32Array) || typeof count !== "number" || typeof offset !== "number") return null;
    if (typeof Pipe !== "function" || typeof kind !== "number") return null;
    const pipe: unknown = Reflect.construct(Pipe, [kind]);
    if (typeof pipe !== "object" || pipe === null) return null;
    const close = () => void call(pipe, "close");
    const onread = (buffer: unknown): void => {
      const read = state[count] ?? 0;
      if (read === END_OF_FILE) events.end();
      else if (read < 0) events.error();
      else if (buffer instanceof ArrayBuffer) events.data(Buffer.from(buffer, state[offset] ?? 0, read));
    };
    if (Number(call(pipe, "open", 0) ?? 0) < 0 || !Reflect.set(pipe, "onread", onread)) return null;
    if (Number(call(pipe, "readStart") ?? 0) >= 0) return close;
    close();
    return null;
  } catch {
    return null;
  }
}
