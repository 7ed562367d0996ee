import { type EscapeTable, escapeBytes, JSON_BYTES, LONGEST_ESCAPE, XML_BYTES } from "./escape-bytes.ts";
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
  /** The document; the writer is not used after it. */
  readonly finish: () => string;
};

/**
 * A writer by way of bytes where the host has the web's text coders, else by way of strings; the text is the same. By
 * bytes because V8 takes about 30 ns for each match of a string replacement: program text and JSON, where every tenth
 * character is one, took three times as long as `JSON.stringify`.
 */
export function createXmlWriter(): XmlWriter {
  if (typeof TextEncoder !== "function" || typeof TextDecoder !== "function") return createStringWriter();
  coders ??= { encoder: new TextEncoder(), decoder: new TextDecoder("utf-8", { ignoreBOM: true }) };
  return createByteWriter(coders);
}

/** By way of strings: what takes less where V8 has not made the loops over bytes fast. */
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
  };
}

type Coders = {
  readonly encoder: InstanceType<typeof TextEncoder>;
  readonly decoder: InstanceType<typeof TextDecoder>;
};

let coders: Coders | undefined;

/** Bytes of text taken at once: they stay in the first-level cache until they are escaped. */
const PIECE = 16_384;
/** With the zero that ends `escapeBytes`, and what it reads after that. */
const plain = new Uint8Array(PIECE + 4);
const encoded = plain.subarray(0, PIECE);
const source = new DataView(plain.buffer);

/** Bytes gathered before they become a string. Pieces of 64 KiB took a fifth longer: the collector moved them about. */
const FLUSH = 2 ** 26;
const FIRST_BYTES = 2 ** 17;

/** The last writer's bytes, for the next: fresh memory takes a sixth longer. Weak, so that a large one is not held. */
let spare: WeakRef<Uint8Array> | undefined;

function createByteWriter({ encoder, decoder }: Coders): XmlWriter {
  let bytes = spare?.deref() ?? new Uint8Array(FIRST_BYTES);
  // Taken: a value's own code may serialise another thread while this one is under way.
  spare = undefined;
  let target = new DataView(bytes.buffer);
  let written = "";
  let end = 0;

  function flush(): void {
    written += decoder.decode(bytes.subarray(0, end));
    end = 0;
  }

  function makeRoom(count: number): void {
    if (end > FLUSH) flush();
    if (end + count <= bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * bytes.length, end + count));
    larger.set(bytes.subarray(0, end));
    bytes = larger;
    target = new DataView(bytes.buffer);
  }

  function raw(markup: string): void {
    makeRoom(markup.length);
    // One by one: the encoder's call alone costs as much as a hundred characters.
    for (let index = 0; index < markup.length; index++) {
      const code = markup.charCodeAt(index);
      if (code > 127) {
        flush();
        written += markup;
        return;
      }
      bytes[end + index] = code;
    }
    end += markup.length;
  }

  function escaped(text: string, table: EscapeTable): void {
    for (let from = 0; from < text.length; ) {
      const rest = from === 0 ? text : text.slice(from);
      const { read, written: length } = encoder.encodeInto(rest, encoded);
      from += read;
      if (read === length) {
        makeRoom((length + 1) * LONGEST_ESCAPE);
        plain[length] = 0;
        end = escapeBytes(source, length, table, target, end);
      } else {
        flush();
        const piece = rest.slice(0, read);
        written += escapeXml(table === XML_BYTES ? piece : jsonText(piece).slice(1, -1));
      }
    }
  }

  function json(value: Readonly<Record<string, unknown>>): void {
    let before = "{&quot;";
    for (const key of Object.keys(value)) {
      const field = value[key];
      if (field === undefined) continue;
      raw(before);
      before = ",&quot;";
      escaped(key, JSON_BYTES);
      if (typeof field === "string") {
        raw("&quot;:&quot;");
        escaped(field, JSON_BYTES);
        raw("&quot;");
      } else {
        raw("&quot;:");
        escaped(jsonText(field), XML_BYTES);
      }
    }
    raw(before === "{&quot;" ? "{}" : "}");
  }

  return {
    raw,
    text: (text) => escaped(text, XML_BYTES),
    json,
    finish: () => {
      flush();
      spare = new WeakRef(bytes);
      return written;
    },
  };
}
