import { plural } from "../base/plural.ts";
import type { CompactionLoop } from "./compaction-loop.ts";

/** What is said of compactions in a loop, to the model and to people; each goes on in its own way. */
export function loopText({ compactions, minutes }: CompactionLoop): string {
  return `${compactions} compactions within ${plural(minutes, "minute")}, with no prompt by a person between them`;
}
