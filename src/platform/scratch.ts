import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { isFsError } from "./fs-error.ts";

/** A new folder for what is gone after the run: where temporary files go, or in /tmp where `TMPDIR` names no such place. */
export function makeScratch(prefix: string): Result<string, { readonly message: string; readonly hint: string }> {
  for (const folder of [tmpdir(), "/tmp"]) {
    try {
      return ok(mkdtempSync(join(folder, prefix)));
    } catch (error) {
      if (!isFsError(error)) throw error;
    }
  }
  const message = `No folder can be made in ${tmpdir()} or /tmp.`;
  return err({ message, hint: "Name one that can be written in TMPDIR." });
}
