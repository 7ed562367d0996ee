/**
 * Tells documents apart, so that a delivery can be found again in a transcript: FNV-1a over words of four bytes, with the
 * last step of MurmurHash3, which lets every bit count.
 */
export function fingerprint(texts: readonly string[]): string {
  const bytes = new TextEncoder().encode(texts.join("\0"));
  const whole = bytes.length - (bytes.length % 4);
  let hash = 0x811c9dc5 ^ bytes.length;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, whole / 4);
  for (let at = 0; at < words.length; at++) hash = Math.imul(hash ^ (words[at] ?? 0), 0x01000193);
  for (let at = whole; at < bytes.length; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0).toString(16).padStart(8, "0");
}
