import { clipped } from "../base/clipped.ts";
import { printableLine } from "../base/printable.ts";
import { table } from "../base/table.ts";
import { loadConfig } from "../stores/config-store.ts";
import { shownPath } from "../stores/paths.ts";
import { projectsFolder } from "../stores/project-store.ts";
import { openScanCache } from "../stores/scan-cache.ts";
import { faultsOf, type ScannedProject, scanProjects } from "../stores/workspace-store.ts";
import type { CommandContext } from "./command-context.ts";
import { lookedInto } from "./looked-into.ts";
import { done, type Report } from "./report.ts";

/** `projects`: what the session-start document knows of the workspace's projects. */
export async function projects(context: CommandContext): Promise<Report> {
  const config = await loadConfig(context.paths);
  const cache = openScanCache(context.paths, "projects", { build: context.build, began: context.now().getTime() });
  const scanned = await scanProjects(context.paths, config.value, cache);
  cache.save();
  const folder = printableLine(shownPath(context.paths, projectsFolder(context.paths, config.value)));
  const text =
    scanned.projects.length === 0
      ? `No projects in ${folder}.\n`
      : table([["ID", "STATUS", "PHASE", "PROGRESS", "CURRENT TASK"], ...scanned.projects.map(row)]);
  const data = {
    root: context.paths.root,
    projects: scanned.projects.map(({ currentTask, currentSection, ...project }) => ({
      ...project,
      progress: progressOf(project),
      current_task: currentTask,
      current_section: currentSection,
    })),
  };
  const none = scanned.projects.length === 0 && scanned.notes.length === 0 ? [lookedInto(context)] : [];
  return done(text, data, [...config.notes, ...scanned.notes, ...faultsOf(scanned.projects), ...none]);
}

function row(project: ScannedProject): readonly string[] {
  const { id, status, phase, currentTask } = project;
  const shown = {
    status: clipped(printableLine(status), STATUS),
    task: clipped(printableLine(currentTask ?? "-"), TASK),
  };
  return [id, shown.status, phase ?? "-", progressOf(project) ?? "-", shown.task];
}

/** A table is for the eye: what a file says at length stands whole in the JSON. */
const STATUS = 24;
const TASK = 100;

/** Null where no steps could be read: `0/0` would say that there are none. */
function progressOf({ phase, closed, total }: Pick<ScannedProject, "phase" | "closed" | "total">): string | null {
  return phase === null ? null : `${closed}/${total}`;
}
