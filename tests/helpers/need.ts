/** What a result holds that a test needs; the test fails with the reason where there is none. */
export function need<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T {
  if (result.ok) return result.value;
  throw new Error(typeof result.error === "string" ? result.error : JSON.stringify(result.error));
}
