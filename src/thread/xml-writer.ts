import { createEscapeBuffers, type EscapeBuffers, escapeAscii, LONGEST_ESCAPE, quoteAscii } from "./escape-bytes.ts";
import { escapeXml } from "./escape-xml.ts";
import { jsonText } from "./serialize-value.ts";

/**
 * Gathers a document: `raw` takes markup as it is, `text` escapes what it takes as `escapeXml` does, `json` does so with
 * the JSON text of an object that holds nothing but JSON.
 */
export type XmlWriter = {
  readonly raw: (markup: string) => void;
  readonly text: (text: string) => void;
  readonly json: (value: Readonly<Record<string, unknown>>) => void;
  readonly finish: () => string;
  /** Gives the buffers back; after `finish`, and after a throw. */
  readonly release: () => void;
};

/**
 * A writer by way of bytes where the host has the web's text coders, else by way of strings; the text is the same. By
 * bytes because V8 takes about 30 ns for each match of a string replacement: program text and JSON, where every tenth
 * character is one, took three times as long as `JSON.stringify`.
 */
export function createXmlWriter(): XmlWriter {
  buffers ??= makeBuffers();
  if (buffers === "absent" || buffers.taken) return createStringWriter();
  return createByteWriter(buffers);
}

export function createStringWriter(): XmlWriter {
  let written = "";
  return {
    raw: (markup) => {
      written += markup;
    },
    text: (text) => {
      written += escapeXml(text);
    },
    json: (value) => {
      written += escapeXml(jsonText(value));
    },
    finish: () => written,
    release: () => {},
  };
}

type Buffers = {
  /** A value's own code may serialise another thread while this one is under way. */
  taken: boolean;
  readonly encoder: InstanceType<typeof TextEncoder>;
  readonly decoder: InstanceType<typeof TextDecoder>;
  readonly bytes: EscapeBuffers;
};

/** Characters taken at once: the buffers stay at 135 KiB together, within a second-level cache. */
const PIECE = 8_192;
/** A string from this length on is quoted and escaped in one go; shorter ones cost less together with their neighbours. */
const LONG = 128;
/** Bytes gathered before they become a string: V8's own `JSON.stringify` keeps pieces of this order as well. */
const FLUSH = 65_536;

let buffers: Buffers | "absent" | undefined;

function makeBuffers(): Buffers | "absent" {
  const littleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
  if (typeof TextEncoder !== "function" || typeof TextDecoder !== "function" || !littleEndian) return "absent";
  return {
    taken: false,
    encoder: new TextEncoder(),
    decoder: new TextDecoder("utf-8", { ignoreBOM: true }),
    bytes: createEscapeBuffers(PIECE * 3, FLUSH + PIECE * LONGEST_ESCAPE),
  };
}

function createByteWriter(own: Buffers): XmlWriter {
  own.taken = true;
  const { encoder, decoder, bytes } = own;
  const { plain, escaped } = bytes;
  let written = "";
  let end = 0;
  let markup = "";

  function flush(): void {
    written += decoder.decode(escaped.subarray(0, end));
    end = 0;
  }

  function takeMarkup(): void {
    const ascii = markup.length > PIECE ? -1 : copyAscii(markup, escaped, end);
    if (ascii >= 0) end = ascii;
    else {
      flush();
      written += markup;
    }
    if (end > FLUSH) flush();
    markup = "";
  }

  function piece(text: string, quoted: boolean): void {
    const { written: length } = encoder.encodeInto(text, plain);
    if (length === text.length) {
      end = quoted ? quoteAscii(bytes, length, end) : escapeAscii(bytes, length, end);
      if (end > FLUSH) flush();
      return;
    }
    flush();
    written += escapeXml(quoted ? jsonText(text).slice(1, -1) : text);
  }

  function pieces(text: string, quoted: boolean): void {
    takeMarkup();
    for (let from = 0; from < text.length; ) {
      const to = pieceEnd(text, from + PIECE);
      piece(text.length <= PIECE ? text : text.slice(from, to), quoted);
      from = to;
    }
  }

  function json(value: Readonly<Record<string, unknown>>): void {
    let separator = "{";
    for (const key of Object.keys(value)) {
      const field = value[key];
      if (field === undefined) continue;
      markup += `${separator}${quoted(key)}:`;
      separator = ",";
      if (typeof field !== "string") markup += escapeXml(jsonText(field));
      else if (field.length < LONG) markup += quoted(field);
      else {
        markup += "&quot;";
        pieces(field, true);
        markup = "&quot;";
      }
    }
    markup += separator === "{" ? "{}" : "}";
  }

  return {
    raw: (text) => {
      markup += text;
    },
    text: (text) => pieces(text, false),
    json,
    finish: () => {
      takeMarkup();
      flush();
      return written;
    },
    release: () => {
      own.taken = false;
    },
  };
}

/** What most keys and many short values are made of: nothing that JSON or XML escapes. */
const PLAIN_WORDS = /^[\w./: -]{0,64}$/;

function quoted(text: string): string {
  return PLAIN_WORDS.test(text) ? `&quot;${text}&quot;` : escapeXml(jsonText(text));
}

/** For tags: what the encoder's call and its views cost is more than a hundred characters one by one. */
function copyAscii(text: string, bytes: Uint8Array, start: number): number {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127) return -1;
    bytes[start + index] = code;
  }
  return start + text.length;
}

/** An end that does not part a surrogate pair. */
function pieceEnd(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff && end < text.length ? end - 1 : end;
}
