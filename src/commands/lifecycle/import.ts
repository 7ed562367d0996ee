import { resolve } from "node:path";
import { plural } from "../../base/plural.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { HistoryEntry } from "../../lifecycle/advance.ts";
import { type MovedMachine, parseDocument } from "../../lifecycle/machine-document.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { newMachine, type StoredMachine } from "../../lifecycle/snapshot.ts";
import { readText } from "../../platform/read-text.ts";
import { readWholeStdin } from "../../platform/stdin.ts";
import type { MachineError, MachineUpdate, MachineWork, TransactionOptions } from "../../stores/machine-access.ts";
import { readHistory, readMachine, transact } from "../../stores/machine-store.ts";
import { shownPath } from "../../stores/paths.ts";
import type { CommandContext } from "../command-context.ts";
import { done, failed, type Report, usage } from "../report.ts";
import { DOCUMENT_MAX_BYTES } from "./export.ts";
import { lostReport, machineReport } from "./machine-report.ts";
import { COMMAND_WAIT_MS } from "./step.ts";

export interface ImportInput {
  readonly file: string | undefined;
  /** Machines that are there give way. */
  readonly force: boolean;
}

type Plan =
  | { readonly kind: "write"; readonly update: MachineUpdate }
  | { readonly kind: "same" }
  | { readonly kind: "refuse"; readonly why: string };

/** `lifecycle.import <file>`: the machines of an export, none of them where one would replace what is newer. */
export async function lifecycleImport(context: CommandContext, { file, force }: ImportInput): Promise<Report> {
  if (file === undefined || file === "") return usage("No file is named.", "Name what lifecycle.export wrote.");
  const read = await readDocument(context, file);
  const machines = read.ok ? parseDocument(read.value) : read;
  if (!machines.ok) {
    const name = file === "-" ? "Standard input" : shownPath(context.paths, resolve(context.cwd, file));
    const hint = "Nothing was changed. Name what lifecycle.export wrote.";
    return failed({ code: "not-an-export", message: `${name} ${machines.error}.`, hint });
  }
  const roles = machines.value.map(({ record }) => record.role);
  const fetched = await context.paths.shared?.fetchHistories(roles);
  if (fetched?.ok === false) return lostReport(fetched.error);
  const refused: string[] = [];
  for (const machine of machines.value) {
    const { role } = machine.record;
    const found = readMachine(context.paths, role);
    if (!found.ok) return machineReport(context, role, found.error);
    const plan = planOf(context, machine, { found: found.value, isBehind: false }, force);
    if (plan.kind === "refuse") refused.push(`${role} ${plan.why}.`);
  }
  if (refused.length > 0) return refusal(refused, []);

  const written: RoleName[] = [];
  for (const machine of machines.value) {
    const { role } = machine.record;
    const result = await write(context, role, (found) => {
      const plan = planOf(context, machine, { found, isBehind: isBehind(context, role, found) }, force);
      return { update: plan.kind === "write" ? plan.update : null, result: plan };
    });
    if (!result.ok) return { ...machineReport(context, role, result.error), data: { written } };
    // Another process was faster than this one's look at all of them.
    if (result.value.kind === "refuse") return refusal([`${role} ${result.value.why}.`], written);
    if (result.value.kind === "write") written.push(role);
  }
  const same = machines.value.length - written.length;
  const text = `${plural(written.length, "machine")} written, ${same} the same already.\n`;
  return done(text, { written, unchanged: roles.filter((role) => !written.includes(role)) });
}

/** The text of a document, or what is wrong with its file as the end of a sentence; `-` is standard input. */
async function readDocument({ cwd }: CommandContext, file: string): Promise<Result<string, string>> {
  if (file !== "-") {
    const read = readText(resolve(cwd, file), DOCUMENT_MAX_BYTES);
    return read.ok ? ok(read.value.text) : err(read.error.message);
  }
  const { bytes, end } = await readWholeStdin(DOCUMENT_MAX_BYTES);
  if (end === "closed") return ok(bytes.toString("utf8"));
  return err(end === "too-large" ? `holds more than ${DOCUMENT_MAX_BYTES} bytes` : "cannot be read");
}

interface Here {
  readonly found: StoredMachine | null;
  /** The machine was found at its history's end, and its own file has not come so far. */
  readonly isBehind: boolean;
}

/** An import that was cut off has written the history, and not the machine. */
function isBehind({ paths }: CommandContext, role: RoleName, found: StoredMachine | null): boolean {
  const own = readMachine(paths, role);
  return found !== null && own.ok && own.value !== null && own.value.record.revision < found.record.revision;
}

function planOf(
  { paths }: CommandContext,
  { record, history }: MovedMachine,
  { found, isBehind }: Here,
  force: boolean,
): Plan {
  const stored = { ...(found ?? newMachine(record.role, "")), record };
  if (found === null) return { kind: "write", update: { stored, history } };
  const { revision } = found.record;
  if (JSON.stringify(sorted(found.record)) === JSON.stringify(sorted(record))) return { kind: "same" };
  if (force) return { kind: "write", update: { stored, history } };
  if (revision > record.revision) {
    return { kind: "refuse", why: `is at revision ${revision} here, and at ${record.revision} in the file` };
  }
  if (revision === record.revision && !isBehind)
    return { kind: "refuse", why: `is another one here at the same revision ${revision}` };
  const known = readHistory(paths, record.role, revision);
  if (known.ok && !isContinued(known.value.entries.at(-1), revision, history)) {
    return { kind: "refuse", why: `went another way here up to revision ${revision}` };
  }
  return { kind: "write", update: { stored, history: history.filter((entry) => entry.revision > revision) } };
}

/** Whether the file's history went through the transition that led to the revision here; a history that is gone cannot tell. */
function isContinued(last: HistoryEntry | undefined, reached: number, history: readonly HistoryEntry[]): boolean {
  if (last === undefined) return true;
  // Moved on since the histories were read.
  if (last.revision !== reached) return false;
  const other = history.find(({ revision }) => revision === last.revision);
  return other !== undefined && JSON.stringify(sorted(other)) === JSON.stringify(sorted(last));
}

function sorted(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}

async function write(
  { paths, now }: CommandContext,
  role: RoleName,
  work: MachineWork<Plan>,
): Promise<Result<Plan, MachineError>> {
  const options: TransactionOptions = { now: now(), waitMs: COMMAND_WAIT_MS, setAside: () => false };
  return paths.shared === undefined ? transact(paths, role, options, work) : paths.shared.transact(role, options, work);
}

function refusal(why: readonly string[], written: readonly RoleName[]): Report {
  const [message = "", ...notes] = why;
  const before = written.length === 0 ? "Nothing of it was written." : `Written before: ${written.join(", ")}.`;
  const hint = `${before} With --force the file's machines replace those that are here.`;
  return failed({ code: "newer-here", message, hint }, { notes, data: { written } });
}
