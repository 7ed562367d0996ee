import { sha256 as digest } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** SHA-256 as 64 lower-case hexadecimal digits. `node:crypto` would cost a seventh of an empty Node's start. */
export function sha256(bytes: Uint8Array): string {
  return bytesToHex(digest(bytes));
}
