// `TextEncoder` and `TextDecoder`, of UTF-8 alone.
import "./host.ts";

export class Utf8Encoder {
  encode(text = ""): Uint8Array {
    return new Uint8Array(host.encode(text));
  }
}

const MARK = [0xef, 0xbb, 0xbf];

export class Utf8Decoder {
  readonly #fatal: boolean;

  constructor(label = "utf-8", options: { readonly fatal?: boolean } = {}) {
    if (label !== "utf-8" && label !== "utf8") host.handOver();
    this.#fatal = options.fatal === true;
  }

  /** A byte order mark at the beginning is left out. */
  decode(bytes: Uint8Array = new Uint8Array()): string {
    if (this.#fatal && !host.isUtf8(bytes)) {
      const error = new TypeError("The encoded data was not valid for encoding utf-8");
      throw Object.assign(error, { code: "ERR_ENCODING_INVALID_ENCODED_DATA" });
    }
    const start = MARK.every((byte, at) => bytes[at] === byte) ? MARK.length : 0;
    return host.utf8(bytes, start, bytes.length);
  }
}
