import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { isFsError } from "./fs-error.ts";
import { wayToWrite } from "./way-to-write.ts";

export interface NoScratch {
  /** A sentence. */
  readonly message: string;
  readonly hint: string;
}

/** A new folder for what is gone after the run: where temporary files go, or in /tmp where `TMPDIR` names no such place. */
export function makeScratch(prefix: string): Result<string, NoScratch> {
  let code = "";
  for (const folder of [tmpdir(), "/tmp"]) {
    try {
      return ok(mkdtempSync(join(folder, prefix)));
    } catch (error) {
      if (!isFsError(error)) throw error;
      code = error.code;
    }
  }
  const message = `No folder can be made in ${tmpdir()} or /tmp (${code}).`;
  return err({ message, hint: `${wayToWrite(code)}, or name another folder in TMPDIR.` });
}
