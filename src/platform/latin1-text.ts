/**
 * As `toString("latin1", start, end)`. For that Node first compiles what knows all encodings; what it then calls is a method of
 * its own, though not a documented one. UTF-8 it reads without, where no encoding is named: `toString(undefined, start, end)`,
 * `Buffer.from(text)`.
 */
export function latin1Text(bytes: Buffer, start: number, end: number): string {
  const slice: unknown = Reflect.get(bytes, "latin1Slice");
  const text: unknown = typeof slice === "function" ? Reflect.apply(slice, bytes, [start, end]) : null;
  return typeof text === "string" ? text : bytes.toString("latin1", start, end);
}
