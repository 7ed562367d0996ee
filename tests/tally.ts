import { existsSync, readFileSync, writeFileSync } from "node:fs";

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Adds a run to those that the file holds already, keeps the sum there, and gives it back. */
export function addToTally(file: string, run: Tally): Tally {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const before: Tally = text === "" ? { passed: 0, failed: 0, skipped: 0 } : JSON.parse(text);
  const sum = {
    passed: before.passed + run.passed,
    failed: before.failed + run.failed,
    skipped: before.skipped + run.skipped,
  };
  writeFileSync(file, `${JSON.stringify(sum)}\n`);
  return sum;
}

/** `N passed, N failed`, and what was skipped where anything was. */
export function tallyLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}
