/** Names and values as they are written; what is null is left out. */
export function attributePairs(
  attributes: Readonly<Record<string, string | number | boolean | null | undefined>>,
): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = [];
  for (const key of Object.keys(attributes)) {
    const value = attributes[key];
    if (value !== null) pairs.push([key, String(value)]);
  }
  return pairs;
}
