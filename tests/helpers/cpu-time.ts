/**
 * Milliseconds of processor time that this process has used. Bounds on it catch work that grows with a power of its
 * input, and hold on a machine that others use too, where the clock on the wall does not.
 */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
