import { dirname, resolve } from "node:path";
import { DAY_MS, parseMoment, parseTime } from "../../base/moment.ts";
import { plural } from "../../base/plural.ts";
import { quote } from "../../base/quote.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { sha256 } from "../../platform/sha256.ts";
import { buildModel, type Model } from "../../report/model.ts";
import { renderPage } from "../../report/page.ts";
import { defaultReportPath, writeReportFile } from "../../stores/report-store.ts";
import type { CommandContext } from "../command-context.ts";
import { missingFolder } from "../out-folder.ts";
import { pathFrom } from "../path-from.ts";
import { done, failed, type Report, usage } from "../report.ts";
import { unwritable } from "../unwritable.ts";
import { gatherRoles, newestTime, projectName } from "./gather.ts";

export interface ReportInput {
  readonly out: string | undefined;
  readonly since: string | undefined;
  readonly now: string | undefined;
  readonly force: boolean;
  readonly json: boolean;
}

/** A column of the timeline is two units wide then; what is older, `lifecycle.history` lists. */
const MOST_DAYS = 366;

/** `report`: where each role stands and what it went through, as one HTML page. */
export function reportPage(context: CommandContext, input: ReportInput): Report {
  if (input.out === "-" && input.json) {
    return usage("--out - and --json both write to standard output.", "Leave one of them out.");
  }
  if (input.out === "") return usage("--out names no file.", "Name one, or - for standard output.");
  const roles = gatherRoles(context);
  const now = nowOf(input.now, () => newestTime(roles) ?? context.now().getTime(), context.now().getTime());
  if (!now.ok) return now.error;
  const since = sinceOf(input.since ?? "30d", now.value);
  if (!since.ok) return since.error;
  const model = buildModel({ project: projectName(context), roles, since: since.value, now: now.value });
  const hash = (text: string): string => Buffer.from(sha256(Buffer.from(text)), "hex").toString("base64");
  const page = renderPage(model, { hash, invokedAs: context.invokedAs });
  const notes = roles.flatMap(({ problem }) => problem ?? []);
  if (input.out === "-") return done(page, {}, notes);
  const path = input.out === undefined ? defaultReportPath(context.paths) : resolve(context.cwd, input.out);
  const missing = input.out === undefined ? null : missingFolder(context, path);
  if (missing !== null) return missing;
  const shown = pathFrom(context, path);
  // Who names a folder may name a link; the place of its own stays in the project.
  const root = input.out === undefined ? context.paths.root : dirname(path);
  const written = writeReportFile(path, root, page, input.force);
  if (!written.ok) {
    const { message, foreign } = written.error;
    if (!foreign) return failed(unwritable(shown, written.error));
    const hint = "Name another file, or replace it with --force.";
    return failed({ code: "not-a-report", message: `${shown} ${message}.`, hint });
  }
  const data = { out: path, bytes: Buffer.byteLength(page), ...modelData(model) };
  return done(`${shown}: ${plural(roles.length, "role")}, ${sizeOf(page)} kB\n`, data, notes);
}

function sizeOf(page: string): number {
  return Math.ceil(Buffer.byteLength(page) / 1000);
}

function nowOf(text: string | undefined, newest: () => number, clock: number): Result<number, Report> {
  if (text === undefined) return ok(clock);
  if (text === "newest") return ok(newest());
  const at = parseTime(text);
  if (at !== null) return ok(at);
  return err(
    usage(`--now ${quote(text)} is no time.`, 'Write it as 2026-02-03T12:15Z, or "newest" for the newest event.'),
  );
}

function sinceOf(text: string, now: number): Result<number, Report> {
  const since = parseMoment(text, now);
  if (!since.ok) return err(usage(`--since ${quote(text)}: ${since.error}.`));
  if (since.value >= now) return err(usage(`--since ${quote(text)} is not before the report's time.`));
  if (now - since.value > MOST_DAYS * DAY_MS) {
    return err(
      usage(`--since ${quote(text)} reaches back more than ${MOST_DAYS} days.`, "lifecycle.history lists them all."),
    );
  }
  return since;
}

function modelData({ since, now, roles }: Model): Record<string, unknown> {
  return {
    since: new Date(since).toISOString(),
    now: new Date(now).toISOString(),
    roles: roles.map(({ facts, stuck, compactions, saves, durations }) => ({
      role: facts.role,
      state: facts.record?.state ?? null,
      stuck,
      problem: facts.problem,
      saves: saves.length,
      compactions: compactions.map(({ at, mark, outcome, from }) => ({
        at: new Date(at).toISOString(),
        from,
        outcome,
        trigger: mark?.trigger ?? null,
        tokens_before: mark?.preTokens ?? null,
        tokens_after: mark?.postTokens ?? null,
      })),
      durations: durations.map(({ state, stays, total, median, longest }) => ({
        state,
        stays,
        total_ms: total,
        median_ms: median,
        longest_ms: longest,
      })),
    })),
  };
}
