const cell = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread without using the processor. */
export function sleepSync(milliseconds: number): void {
  Atomics.wait(cell, 0, 0, milliseconds);
}
