import { ok } from "../../base/result.ts";
import { readText as readByTypeScript, type TextFile } from "../read-text.ts";
import "./host.ts";
import { STAT_NUMBERS, Stats } from "./stats.ts";

export type { ReadError, ReadProblem, TextFile } from "../read-text.ts";
export { readBytes } from "../read-text.ts";

const numbers = new Float64Array(STAT_NUMBERS);

/** Few ask for the bytes, which are the text's UTF-8. */
class ReadFile implements TextFile {
  readonly path: string;
  readonly text: string;
  readonly modified: number;
  readonly mode: number;

  constructor(path: string, text: string, { mtimeMs, mode }: Stats) {
    this.path = path;
    this.text = text;
    this.modified = mtimeMs;
    this.mode = mode & 0o777;
  }

  get bytes(): Buffer {
    return Buffer.from(this.text);
  }
}

/** In place of the one in `../read-text.ts`, which says what is wrong with a file. */
export const readText: typeof readByTypeScript = (path, maxBytes, links = "follow") => {
  const text = path.includes("\0") ? undefined : host.readText(path, maxBytes, numbers, links === "follow");
  return text === undefined
    ? readByTypeScript(path, maxBytes, links)
    : ok(new ReadFile(path, text, new Stats(numbers)));
};
