import { ok, type Result } from "../base/result.ts";
import { addFreeName } from "./add-name.ts";
import { type WriteError, type WriteOptions, writeWholeIf } from "./atomic-write.ts";

/** A new file, whole or not at all; false where there is one of its name by then, which stays as it is. */
export function createWhole(path: string, text: string, options: WriteOptions): Result<boolean, WriteError> {
  let made = false;
  const written = writeWholeIf(path, text, options, (temporary) => {
    // A rename would take the name from whoever has it.
    made = addFreeName(temporary, path) !== null;
    // It has its name: nothing is to be renamed.
    return false;
  });
  return written.ok ? ok(made) : written;
}
