// Of `Buffer` what the bundles of the native program call.
import "./host.ts";

type Encoding = "utf8" | "utf-8" | "latin1" | "binary";

/** `Buffer` of `node:buffer`. */
export class ByteBuffer extends Uint8Array {
  static alloc(size: number): ByteBuffer {
    return new ByteBuffer(size);
  }

  static allocUnsafe(size: number): ByteBuffer {
    return new ByteBuffer(size);
  }

  /** Of a text in any other encoding Node makes one. */
  static override from(value: unknown, encoding?: unknown): ByteBuffer {
    if (typeof value === "string") {
      if (encoding === "latin1" || encoding === "binary") return new ByteBuffer(host.latin1Bytes(value));
      if (encoding !== undefined && encoding !== "utf8" && encoding !== "utf-8") return host.handOver();
      return new ByteBuffer(host.encode(value));
    }
    if (value instanceof Uint8Array || Array.isArray(value)) {
      const copy = new ByteBuffer(value.length);
      copy.set(value);
      return copy;
    }
    if (value instanceof ArrayBuffer) return new ByteBuffer(value);
    return host.handOver();
  }

  static concat(parts: readonly Uint8Array[], length: number = lengthOf(parts)): ByteBuffer {
    const whole = new ByteBuffer(length);
    let at = 0;
    for (const part of parts) {
      if (at >= length) break;
      whole.set(part.length > length - at ? part.subarray(0, length - at) : part, at);
      at += part.length;
    }
    return whole;
  }

  static byteLength(value: string | Uint8Array): number {
    return typeof value === "string" ? host.byteLength(value) : value.length;
  }

  static compare(a: Uint8Array, b: Uint8Array): number {
    return host.compare(a, b);
  }

  static isBuffer(value: unknown): boolean {
    return value instanceof ByteBuffer;
  }

  override toString(encoding: Encoding = "utf8", start = 0, end: number = this.length): string {
    switch (encoding) {
      case "utf8":
      case "utf-8":
        return host.utf8(this, start, end);
      case "latin1":
      case "binary":
        return host.latin1(this, start, end);
      default:
        return host.handOver();
    }
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && host.compare(this, other) === 0;
  }

  write(text: string, offset = 0): number {
    const bytes = new Uint8Array(host.encode(text));
    if (bytes.length > this.length - offset) return host.handOver();
    this.set(bytes, offset);
    return bytes.length;
  }

  override indexOf(value: number | string | Uint8Array, from = 0): number {
    const start = from < 0 ? Math.max(0, this.length + from) : from;
    if (typeof value === "number") return host.findByte(this, value, start);
    return host.find(this, typeof value === "string" ? new Uint8Array(host.encode(value)) : value, start);
  }

  override lastIndexOf(value: number | string | Uint8Array, from: number = this.length - 1): number {
    if (typeof value !== "number") return host.handOver();
    return host.findLastByte(this, value, from < 0 ? this.length + from : from);
  }

  override includes(value: number | string | Uint8Array, from = 0): boolean {
    return this.indexOf(value, from) !== -1;
  }
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

export const isUtf8 = (bytes: Uint8Array): boolean => host.isUtf8(bytes);
