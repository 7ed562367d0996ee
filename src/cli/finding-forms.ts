import { relative, resolve } from "node:path";
import type { CheckedFile, Report } from "../commands/report.ts";
import type { World } from "../platform/world.ts";
import { reportGithub } from "./report-github.ts";
import { reportSarif } from "./report-sarif.ts";

/** The findings of a report as a text for programs. */
export type FindingForm = (world: World, report: Report) => string;

/** By the word behind `--format`. Only commands that have the option hold them. */
export const FINDING_FORMS: Readonly<Record<string, FindingForm>> = {
  github: (world, report) => reportGithub(checkedOut(world, report)),
  sarif: (world, report) => reportSarif(checkedOut(world, report)),
};

/** The files with their findings; in a workflow of GitHub's their paths begin where it checked out, of which the project may be a part. */
function checkedOut({ env }: World, { parts, data: { root } }: Report): readonly CheckedFile[] {
  const files = parts.flatMap((part) => (part.kind === "findings" ? part.files : []));
  const { GITHUB_WORKSPACE: top } = env;
  if (!top || typeof root !== "string") return files;
  return files.map((file) => {
    const path = relative(top, resolve(root, file.path));
    return path.startsWith("..") || file.path === "<stdin>" ? file : { ...file, path };
  });
}
