import { setTimeout } from "node:timers/promises";

/** What came of work that may be given up: not every tool and model looks at the signal. */
export type Settled<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "aborted" };

/** Waits for `work`, or until the signal says to stop; what it throws after an abort is nobody's concern. */
export async function settle<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<Settled<T>> {
  if (signal?.aborted) return { kind: "aborted" };
  let stop = () => {};
  const aborted = new Promise<Settled<T>>((resolve) => {
    stop = () => resolve({ kind: "aborted" });
  });
  signal?.addEventListener("abort", stop, { once: true });
  const worked = attempt(work).then((settled) => (signal?.aborted ? ({ kind: "aborted" } as const) : settled));
  try {
    return await Promise.race([worked, aborted]);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** Waits, or until the signal says to stop. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await settle(() => setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal }), signal);
}

async function attempt<T>(work: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { kind: "done", value: await work() };
  } catch (error) {
    return { kind: "threw", error };
  }
}
