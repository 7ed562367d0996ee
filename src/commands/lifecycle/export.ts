import { resolve } from "node:path";
import { plural } from "../../base/plural.ts";
import { formatDocument, type MovedMachine, parseDocument } from "../../lifecycle/machine-document.ts";
import { writeWhole } from "../../platform/atomic-write.ts";
import { readText } from "../../platform/read-text.ts";
import { isUnread } from "../../platform/way-to-read.ts";
import { listMachines, readHistory, readMachine } from "../../stores/machine-store.ts";
import type { CommandContext } from "../command-context.ts";
import { folderUnreadable } from "../folder-unreadable.ts";
import { missingFolder } from "../out-folder.ts";
import { pathFrom } from "../path-from.ts";
import { done, failed, type Report, usage } from "../report.ts";
import { unwritable } from "../unwritable.ts";
import { historyReport, machineReport } from "./machine-report.ts";

export interface ExportInput {
  /** A file; standard output where it is absent, or `-`. */
  readonly out: string | undefined;
}

/** As much as a history may be read of, for all of them. */
export const DOCUMENT_MAX_BYTES = 256 * 1024 * 1024;

/** `lifecycle.export`: every machine and its history as one document, all of them or none. */
export function lifecycleExport(context: CommandContext, { out }: ExportInput): Report {
  if (out === "") return usage("--out names no file.", "Name one, or - for standard output.");
  const { paths } = context;
  const listed = listMachines(paths);
  if (!listed.ok) return folderUnreadable(paths, listed.error);
  const machines: MovedMachine[] = [];
  let broken = 0;
  for (const role of listed.value) {
    const machine = readMachine(paths, role);
    if (!machine.ok) return machineReport(context, role, machine.error);
    // Removed since it was listed.
    if (machine.value === null) continue;
    const { record } = machine.value;
    const history = readHistory(paths, role, record.revision);
    if (!history.ok) return historyReport(context, role, history.error);
    const { entries } = history.value;
    // Each revision once and in order, as `lifecycle.import` takes them: somebody may have copied lines.
    const once = new Map(entries.map((entry) => [entry.revision, entry]));
    broken += history.value.broken + entries.length - once.size;
    machines.push({ record, history: [...once.values()].sort((one, other) => one.revision - other.revision) });
  }
  const text = formatDocument(machines);
  const notes = broken === 0 ? [] : [`Left out of the histories: ${plural(broken, "broken or repeated line")}.`];
  if (out === undefined || out === "-") return { ...done(text, {}, notes), document: text };
  const path = resolve(context.cwd, out);
  return missingFolder(context, path) ?? write(context, path, text, notes, machines.length);
}

function write(context: CommandContext, path: string, text: string, notes: readonly string[], count: number): Report {
  const shown = pathFrom(context, path);
  const before = readText(path, DOCUMENT_MAX_BYTES);
  if (!before.ok && isUnread(before.error)) return failed(unwritable(shown, { message: before.error.message }));
  const isFree = !before.ok && before.error.problem === "missing";
  if (!isFree && !(before.ok && parseDocument(before.value.text).ok)) {
    return failed({
      code: "not-an-export",
      message: `${shown} is there and is no export.`,
      hint: "Name another file.",
    });
  }
  const written = writeWhole(path, text, { mode: 0o600, root: resolve(path, "..") });
  if (!written.ok) return failed(unwritable(shown, written.error));
  return done(`${shown}: ${plural(count, "machine")}\n`, { out: path, machines: count }, notes);
}
