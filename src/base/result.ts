/** A value, or the reason there is none. What a user can cause is a `Result`; what we got wrong is a throw. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

/** The value, or `other` where the reason that there is none is of no interest. */
export function valueOr<T, Other>(result: Result<T, unknown>, other: Other): T | Other {
  return result.ok ? result.value : other;
}
