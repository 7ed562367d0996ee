import { ok } from "../../base/result.ts";
import {
  readText as readByTypeScript,
  type readPlainText as readPlainByTypeScript,
  type TextFile,
} from "../read-text.ts";
import "./host.ts";
import { Stats } from "./stats.ts";

export type { ReadError, ReadProblem, TextFile } from "../read-text.ts";
export { readBytes, readDamagedText } from "../read-text.ts";

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
  const found = path.includes("\0") ? undefined : host.readText(path, maxBytes, links === "follow");
  return found === undefined
    ? readByTypeScript(path, maxBytes, links)
    : ok(new ReadFile(path, found[0], new Stats(found[1])));
};

/** Of a file that a look has shown to be one; what is not plain is `null` there as well. */
export const readPlainText: typeof readPlainByTypeScript = (path) => {
  return path.includes("\0") ? null : host.readPlain(path);
};
