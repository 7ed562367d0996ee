import { wayToWrite } from "../platform/way-to-write.ts";
import type { Problem } from "./report.ts";

/** What is said of a file that could not be written, and of the one thing that helps where the system said why. */
export function unwritable(shown: string, { message, code }: { message: string; code?: string }): Problem {
  const problem = { code: "unwritable", message: `${shown} ${message}.` };
  return code === undefined ? problem : { ...problem, hint: `${wayToWrite(code)}, and run it again.` };
}
