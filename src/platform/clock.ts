/** Milliseconds that only grow, for measuring how long something takes. `performance` would load a module for it. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
