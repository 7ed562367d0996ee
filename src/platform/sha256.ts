import { createHash } from "node:crypto";
import { sha256OfFew } from "../base/sha256.ts";

/** To load `node:crypto`, which the build puts off to here, takes an eighth of an empty Node's start. */
const FEW = 8 * 1024;

/** SHA-256 as 64 lower-case hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  return bytes.length <= FEW ? sha256OfFew(bytes) : createHash("sha256").update(bytes).digest("hex");
}
