/**
 * `{ ...under, ...over }`, for what a hook makes by the hundred. V8 makes no code fast in a process that lives for some
 * milliseconds, and until then each property behind a spread costs nearly a microsecond: a tool call of twelve properties
 * took five of them, and takes a third of one so (Node 20).
 */
export function merged<Under extends object, const Over extends object>(
  under: Under,
  over: Over,
): Omit<Under, keyof Over> & Over {
  return Object.assign({}, under, over);
}
