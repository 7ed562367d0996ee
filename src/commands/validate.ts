import { isUtf8 } from "node:buffer";
import { basename, dirname, resolve } from "node:path";
import { shellWord } from "../base/shell-word.ts";
import { hasContextSigns } from "../context-file/context-signs.ts";
import { fixContextFile } from "../context-file/fix.ts";
import type { ValidateOptions } from "../context-file/rule.ts";
import { isValid, validateContextFile } from "../context-file/validate.ts";
import { isRoleName, type RoleName } from "../lifecycle/role.ts";
import { isInside } from "../platform/contain.ts";
import { readSettled } from "../platform/read-settled.ts";
import { readText } from "../platform/read-text.ts";
import { replaceUnchanged } from "../platform/replace-unchanged.ts";
import { readWholeStdin, type StdinBytes } from "../platform/stdin.ts";
import {
  CONTEXT_FILE_MAX_BYTES,
  readContextFile,
  readContextFileAt,
  roleOfContextFile,
} from "../stores/context-file-store.ts";
import { readMachine, recordOf } from "../stores/machine-store.ts";
import { CONTEXT_SUFFIX, contextFilePath, shownPath } from "../stores/paths.ts";
import { unread } from "./check-context.ts";
import type { CommandContext } from "./command-context.ts";
import { keptByGit } from "./lost-file.ts";
import type { MendWays } from "./mend-hint.ts";
import { namedFile } from "./named-file.ts";
import { type Problem, type Report, usage } from "./report.ts";
import { checkRole } from "./role-argument.ts";
import { unwritable } from "./unwritable.ts";
import { type Checked, validationReport } from "./validation-report.ts";

const NAME_ONE = "Name a file, a role, or - for standard input.";

export interface ValidateInput {
  readonly targets: readonly string[];
  readonly fix: boolean;
  readonly strict: boolean;
}

/** `validate <target>...`: a path, a role, or `-`. */
export async function validate(context: CommandContext, input: ValidateInput): Promise<Report> {
  if (input.targets.length === 0) return usage("No target is named.", NAME_ONE);
  const results: Checked[] = [];
  // Once read it is at its end: what is named twice is read once.
  let stdin: Promise<StdinBytes> | null = null;
  const readStdin = () => {
    stdin ??= readWholeStdin(CONTEXT_FILE_MAX_BYTES);
    return stdin;
  };
  // Before anything is mended, since only that is told then.
  for (const target of input.targets) {
    const role = target === "-" || isPath(context, target) ? null : checkRole(context, target);
    if (role?.ok === false) return role.error;
  }
  for (const target of input.targets) results.push(await validateTarget(context, target, input.fix, readStdin));
  const strict = input.strict ? " --strict" : "";
  const [only] = results;
  const verdictOf = results.length === 1 && only !== undefined ? checkedPath(only) : null;
  // What is no context file is not to become one.
  const meant = input.targets.filter((_target, at) => !isOther(results[at]));
  const wanting = results.some((result) => !isOther(result) && !isWell(result, input.strict));
  const ways = wanting ? await waysToMend(context, meant, strict) : null;
  return validationReport(results, input.strict, { ways, verdictOf });
}

async function validateTarget(
  context: CommandContext,
  target: string,
  fix: boolean,
  readStdin: () => Promise<StdinBytes>,
): Promise<Checked> {
  if (target === "-") {
    const { bytes, end } = await readStdin();
    if (end !== "closed" || !isUtf8(bytes) || bytes.includes(0)) {
      const message = `Standard input is no UTF-8 text of at most ${CONTEXT_FILE_MAX_BYTES} bytes.`;
      return { kind: "unreadable", path: "<stdin>", problem: { code: "context-unreadable", message } };
    }
    return checkText("<stdin>", bytes.toString("utf8"), {}, fix);
  }
  if (isRoleName(target)) {
    const path = contextFilePath(context.paths, target);
    const read = readContextFile(context.paths, target);
    const checked = validateFile(context, path, read, target, lastRecovery(context, target), fix);
    if (checked.kind !== "unreadable" || checked.problem.code !== "context-missing") return checked;
    if (!isPath(context, target)) {
      const machine = readMachine(context.paths, target);
      const isKnown = machine.ok && machine.value !== null && machine.value.record.savedAt !== null;
      const { lostContextHint } = await import("./lost-context.ts");
      const hint = await lostContextHint(context, { role: target, path: checked.path, missing: true, isKnown });
      return { ...checked, problem: { ...checked.problem, hint } };
    }
  }
  const path = namedFile(context, target);
  const read = isInside(context.paths.root, path)
    ? readContextFileAt(context.paths, path)
    : readText(path, CONTEXT_FILE_MAX_BYTES);
  const role = roleOfPath(path);
  // Another project's file may have the same name: the machine here is not its own.
  const own = role !== null && path === contextFilePath(context.paths, role);
  return validateFile(context, path, read, role, own ? lastRecovery(context, role) : null, fix);
}

function isOther(result: Checked | undefined): boolean {
  return result?.kind === "checked" && !isMeant(result.file.path, result.file.text);
}

function isWell(result: Checked, strict: boolean): boolean {
  return result.kind === "checked" && isValid(result.file.diagnostics, { strict });
}

/** Whether the file is meant as a context file. */
function isMeant(path: string, text: string): boolean {
  return path.endsWith(CONTEXT_SUFFIX) || hasContextSigns(text);
}

/** A role's own file goes before one that has the role's name. */
function isPath({ cwd }: CommandContext, target: string): boolean {
  return /[/\\]|\.(?:md|txt)$/.test(target) || readText(resolve(cwd, target), CONTEXT_FILE_MAX_BYTES).ok;
}

function roleOfPath(path: string): RoleName | null {
  return path.endsWith(CONTEXT_SUFFIX) ? roleOfContextFile(basename(path)) : null;
}

/** An agent may write its file at the same moment; more often than this it is no coincidence. */
const FIX_TRIES = 5;

/**
 * Validates a file that was read, and writes it back where a fix changed it. What somebody wrote in between is read and
 * mended in its turn, never written over.
 */
export function validateFile(
  context: CommandContext,
  path: string,
  read: ReturnType<typeof readText>,
  role: RoleName | null,
  recovered: Date | null,
  fix: boolean,
): Checked {
  const shown = shownPath(context.paths, path);
  const unreadable = (problem: Problem): Checked => ({ kind: "unreadable", path: shown, problem });
  const root = isInside(context.paths.root, path) ? context.paths.root : dirname(path);
  let file = read;
  for (let tries = 0; tries < FIX_TRIES; tries++) {
    if (!file.ok) {
      return unreadable(unread(shown, file.error, NAME_ONE));
    }
    const { text, modified } = file.value;
    const meant = isMeant(path, text);
    if (fix && !meant) {
      const message = `${shown} has neither a context file's title nor two of its parts: it is left as it is.`;
      const hint = "One begins with # <Role> — Session Context; with that line it is mended.";
      return unreadable({ code: "not-a-context-file", message, hint });
    }
    const options = { role: role ?? undefined, lastRecovery: recovered, modified: new Date(modified) };
    const checked = checkText(shown, text, options, fix);
    if (!meant) return withoutFixes(checked);
    if (checked.kind !== "checked" || checked.fixed === 0) return checked;
    const limits = { root, maxBytes: CONTEXT_FILE_MAX_BYTES };
    const written = replaceUnchanged(path, file.value, checked.file.text, limits);
    if (!written.ok) return unreadable(unwritable(shown, written.error));
    if (written.value) return checked;
    file = readSettled(path, CONTEXT_FILE_MAX_BYTES);
  }
  const message = `${shown} is being changed by someone else all the time; it is left as it is.`;
  return unreadable({ code: "unwritable", message });
}

/** The findings of a file that `--fix` leaves as it is. */
function withoutFixes(checked: Checked): Checked {
  if (checked.kind !== "checked") return checked;
  const diagnostics = checked.file.diagnostics.map(({ fix, ...finding }) => finding);
  return { ...checked, file: { ...checked.file, diagnostics } };
}

/** When the role last recovered from a compaction; null where that is not known. */
export function lastRecovery(context: CommandContext, role: RoleName): Date | null {
  const recovered = recordOf(context.paths, role)?.recoveredAt ?? null;
  return recovered === null ? null : new Date(recovered);
}

function checkText(path: string, text: string, options: ValidateOptions, fix: boolean): Checked {
  if (!fix) {
    const { diagnostics } = validateContextFile(text, options);
    // Without findings there is no line to show: thousands of good files must not be kept in memory for nothing.
    const shown = diagnostics.length === 0 ? "" : text;
    return { kind: "checked", file: { path, text: shown, diagnostics }, fixed: 0, output: null };
  }
  const result = fixContextFile(text, options);
  return {
    kind: "checked",
    file: { path, text: result.text, diagnostics: result.diagnostics },
    fixed: result.text === text ? 0 : result.fixed.length,
    output: path === "<stdin>" ? result.text : null,
  };
}

function checkedPath(result: Checked): string {
  return result.kind === "checked" ? result.file.path : result.path;
}

/** What can be done about them, in words of a shell. */
async function waysToMend(
  context: CommandContext,
  targets: readonly string[],
  strict: string,
): Promise<MendWays | null> {
  // What came on standard input is not there a second time.
  if (targets.includes("-")) return null;
  const { invokedAs } = context;
  const named = `${targets.map(shellWord).join(" ")}${strict}`;
  const [only = ""] = targets;
  const role = targets.length === 1 && isRoleName(only) ? only : null;
  return {
    kept: role === null ? null : await keptByGit(context, role),
    again: `${invokedAs} validate ${named}`,
    fix: `${invokedAs} validate --fix ${named}`,
    anew: role === null ? null : `${invokedAs} new ${role} --force`,
  };
}
