import type { Heading } from "../../base/markdown.ts";
import { quote } from "../../base/quote.ts";
import type { TextEdit } from "../../base/text-edit.ts";
import { hasDoneMark, mendDoneMark } from "../done-mark.ts";
import { type ParsedContextFile, sectionOf } from "../parse.ts";
import { isPlain } from "../places.ts";
import type { Rule } from "../rule.ts";

/** `Task 8:`, and `Task 8.2:`. */
const TASK = /^Task[ \t]{1,4}[^\s:]{1,20}[ \t]{0,4}:/i;

/** A task that is listed as completed says so itself. */
export const doneMarkerRule: Rule = {
  code: "done-marker",
  severity: "warning",
  summary: "A `### Task N:` under Completed Work carries `(DONE)` or `(DONE — commit <hash>)`.",
  why: "A heading is often read, or quoted, without its section: half-done work then passes for done, or is done again.",
  good: "### Task 9: Create the trainer role (DONE — commit de0a992)",
  mends:
    "Rewrites a mark in another dress, such as `(done - commit de0a992)`. A mark that is not there is not made up.",
  check(file) {
    const section = sectionOf(file, "completed-work");
    return (section?.subheadings ?? [])
      .filter((task) => task.level === 3 && TASK.test(task.title) && !hasDoneMark(task.title))
      .map((task) => {
        const fix = fixOf(file, task);
        return {
          span: task.titleSpan,
          message: `Expected "(DONE)" or "(DONE — commit <hash>)" on a completed task, found ${quote(task.title)}`,
          hint: "Mark the task, or move it to Pending.",
          ...(fix === null ? {} : { fix }),
        };
      });
  },
};

function fixOf(file: ParsedContextFile, task: Heading): readonly TextEdit[] | null {
  const mended = isPlain(file, task.line) ? mendDoneMark(task.title) : null;
  if (mended === null) return null;
  const start = task.titleSpan.start;
  return [{ span: { start: start + mended.start, end: start + mended.end }, text: mended.mark }];
}
