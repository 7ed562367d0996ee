import type { Result } from "../base/result.ts";
import { type ReadError, readText, type TextFile } from "./read-text.ts";
import { sleepSync } from "./sleep.ts";

/** How often, and after how many milliseconds, an empty file is looked at again. */
const EMPTY_RETRIES = [20, 60];

/** As `readText`; an empty file is looked at again, since a program that writes in place may be in the middle of it. */
export function readSettled(
  path: string,
  maxBytes: number,
  links: "follow" | "refuse" = "follow",
): Result<TextFile, ReadError> {
  let file = readText(path, maxBytes, links);
  for (const pause of EMPTY_RETRIES) {
    if (!file.ok || file.value.text !== "") break;
    sleepSync(pause);
    file = readText(path, maxBytes, links);
  }
  return file;
}
