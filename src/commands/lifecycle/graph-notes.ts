import { plural } from "../../base/plural.ts";
import type { RoleName } from "../../lifecycle/role.ts";

/** What is left out of a picture or a list because nobody can say when it happened. */
export function untimedNote(role: RoleName, count: number): string {
  return `${role}: ${plural(count, "transition")} without a time that can be read ${count === 1 ? "is" : "are"} left out.`;
}
