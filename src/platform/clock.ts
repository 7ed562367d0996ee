/** Milliseconds that only grow, for measuring how long something takes. `performance` would load a module for it. */
export function monotonicMs(): number {
  return process.uptime() * 1000;
}
