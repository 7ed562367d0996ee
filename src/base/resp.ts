import { err, ok, type Result } from "./result.ts";

/** What a server that speaks Redis's protocol (RESP 2) answers: text, number, nothing, or a list of such. */
export type Reply = string | number | null | readonly Reply[];

/** An answer, or the server's own sentence about why there is none. */
export type Answer = Result<Reply, string>;

/** Takes bytes as they come, in whatever pieces, and gives the answers that end in them; the error ends the stream. */
export interface RespReader {
  readonly push: (bytes: Uint8Array) => Result<readonly Answer[], string>;
}

/** A line is a number or one sentence: more is another protocol, and would fill the memory. */
const LINE_MAX_BYTES = 64 * 1024;
/** What one text may hold; ours have kilobytes, the protocol allows eight times as much. */
const TEXT_MAX_BYTES = 64 * 1024 * 1024;
/** Lists in lists; ours are three deep. */
const DEPTH_MAX = 32;

const CR = 13;
const LF = 10;
const encoder = new TextEncoder();

/** A request as the server takes it. */
export function encodeRequest(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${encoder.encode(word).length}\r\n${word}\r\n`).join("")}`;
}

interface OpenList {
  readonly items: Reply[];
  readonly length: number;
  /** The first error in it: then the list is no answer. */
  error: string | null;
}

type Parsed = Answer | "opened";

export function respReader(): RespReader {
  // What was written is compared with what is read here, byte for byte.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const lists: OpenList[] = [];
  let line: number[] = [];
  /** A text that is being read, and its two bytes of line end; null between texts. */
  let text: { readonly bytes: Uint8Array; filled: number } | null = null;

  /** Puts a value where it belongs; an answer where nothing is open any more. */
  const place = (value: Answer): Answer | null => {
    let whole = value;
    for (;;) {
      const list = lists.at(-1);
      if (list === undefined) return whole;
      if (whole.ok) list.items.push(whole.value);
      else {
        list.error ??= whole.error;
        list.items.push(null);
      }
      if (list.items.length < list.length) return null;
      lists.pop();
      whole = list.error === null ? ok(list.items) : err(list.error);
    }
  };

  const parseLine = (said: string): Result<Parsed | "text", string> => {
    const rest = said.slice(1);
    switch (said[0]) {
      case "+":
        return ok(ok(rest));
      case "-":
        return ok(err(rest));
      case ":":
        return /^-?\d{1,20}$/.test(rest) ? ok(ok(Number(rest))) : err("a number that is none");
      case "$":
      case "*": {
        if (rest === "-1") return ok(ok(null));
        if (!/^\d{1,10}$/.test(rest)) return err("a length that is none");
        const length = Number(rest);
        if (said[0] === "$") {
          if (length > TEXT_MAX_BYTES) return err("a text that is too long");
          text = { bytes: new Uint8Array(length + 2), filled: 0 };
          return ok("text");
        }
        if (length === 0) return ok(ok([]));
        if (lists.length >= DEPTH_MAX) return err("lists in lists without end");
        lists.push({ items: [], length, error: null });
        return ok("opened");
      }
      default:
        return err("something else than answers");
    }
  };

  const push: RespReader["push"] = (bytes) => {
    const answers: Answer[] = [];
    const take = (value: Answer): void => {
      const whole = place(value);
      if (whole !== null) answers.push(whole);
    };
    for (let at = 0; at < bytes.length; ) {
      if (text !== null) {
        const piece = bytes.subarray(at, at + text.bytes.length - text.filled);
        text.bytes.set(piece, text.filled);
        text.filled += piece.length;
        at += piece.length;
        if (text.filled < text.bytes.length) continue;
        const length = text.bytes.length - 2;
        if (text.bytes[length] !== CR || text.bytes[length + 1] !== LF) return err("a text of another length");
        const value = decoder.decode(text.bytes.subarray(0, length));
        text = null;
        take(ok(value));
        continue;
      }
      const byte = bytes[at++] ?? 0;
      if (byte !== LF || line.at(-1) !== CR) {
        line.push(byte);
        if (line.length > LINE_MAX_BYTES) return err("a line without end");
        continue;
      }
      const said = decoder.decode(Uint8Array.from(line.slice(0, -1)));
      line = [];
      const parsed = parseLine(said);
      if (!parsed.ok) return parsed;
      if (parsed.value !== "opened" && parsed.value !== "text") take(parsed.value);
    }
    return ok(answers);
  };
  return { push };
}
