import { readSync } from "node:fs";
import { errnoOf, orNull } from "../../platform/fs-error.ts";
import { isTerminal } from "../../platform/is-terminal.ts";
import { sleepSync } from "../../platform/sleep.ts";
import type { Output } from "../../platform/world.ts";

/** Whether somebody can be asked: a program that starts this one has no terminal to answer on. */
export function canAsk(): boolean {
  // It may be closed.
  return orNull(() => isTerminal(0)) ?? false;
}

/** Asks once and waits for a line; anything but yes is no. */
export function confirm(question: string, output: Output): boolean {
  output.write(`${question} [y/N] `);
  const buffer = Buffer.alloc(256);
  let line = "";
  while (!line.includes("\n")) {
    const count = readSome(buffer);
    if (count === 0) break;
    line += buffer.toString("utf8", 0, count);
  }
  return /^y(?:es)?$/i.test(line.trim());
}

function readSome(buffer: Buffer): number {
  for (;;) {
    try {
      return readSync(0, buffer, 0, buffer.length, null);
    } catch (error) {
      if (errnoOf(error) !== "EAGAIN") return 0;
      sleepSync(20);
    }
  }
}
