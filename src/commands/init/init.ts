import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { plural } from "../../base/plural.ts";
import { printableBlock } from "../../base/printable.ts";
import { gitEnv } from "../../platform/git-env.ts";
import { run } from "../../platform/run.ts";
import type { World } from "../../platform/world.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { listContextFiles } from "../../stores/context-file-store.ts";
import { shownPath } from "../../stores/paths.ts";
import { NO_RUN_BITS } from "../../stores/settings-store.ts";
import { HOOKS_FOLDER, isUserFolder, projectSettings, userSettings } from "../../stores/setup-file.ts";
import { whileSettingUp } from "../../stores/setup-lock.ts";
import type { CommandContext } from "../command-context.ts";
import { done, failed, type Report, usage } from "../report.ts";
import { unwritable } from "../unwritable.ts";
import { ACTIONS, applyChange, type Change, diffOf, printableDiff } from "./change.ts";
import { canAsk, confirm } from "./confirm.ts";
import { findProgram, type ProgramPlace } from "./find-program.ts";
import { makePlan, type Plan } from "./plan.ts";
import type { PlanProblem } from "./plan-settings.ts";

export interface InitInput {
  readonly check: boolean;
  readonly dryRun: boolean;
  readonly remove: boolean;
  /** Register for all projects of the user. */
  readonly user: boolean;
  /** Register the gate too; with `remove`, take it alone away. */
  readonly gate: boolean;
  readonly yes: boolean;
  /** Whether a program reads standard output. */
  readonly json: boolean;
  /** This program's own version. */
  readonly version: string;
}

/** `init`: makes the project's folders and hook scripts and registers the hooks with the client, or takes all that away. */
export async function init(context: CommandContext, world: World, input: InitInput): Promise<Report> {
  if (input.check && (input.remove || input.dryRun)) {
    return usage(`--check and ${input.remove ? "--remove" : "--dry-run"} exclude each other.`);
  }
  if (!input.user && isUserFolder(context.paths, context.env)) {
    return failed({
      code: "home-folder",
      message: `${context.paths.root} is no project: its .claude holds the settings of all projects.`,
      hint: "Run it in a project's folder, or register for all projects with --user.",
    });
  }
  const program = await findProgram({ world, root: input.user ? null : context.paths.root, version: input.version });
  if (program.kind === "none" && !input.remove) {
    return failed({
      code: "not-installed",
      message: `Hooks cannot go by ${program.path}: ${program.why}.`,
      hint: "Install the package in the project or globally, and run its init.",
    });
  }
  const config = await loadConfig(context.paths);
  const { parts } = config.value.delivery;
  const plan = () => makePlan(context, program, { remove: input.remove, user: input.user, gate: input.gate, parts });
  const made = plan();
  if (!made.ok) return unplanned(made.error);
  // Lines for all projects write nothing into one that is none of ours.
  const written = !input.user || existsSync(context.paths.agents);
  const ignored = written ? await ignoredNote(context, made.value) : [];
  const asks = !input.yes && canAsk();
  const carry = (plan: Plan) =>
    carryOut({ context, world, input, asks, program, plan, notes: [...config.notes, ...plan.notes, ...ignored] });
  if (input.check || input.dryRun || asks || made.value.changes.length === 0) return carry(made.value);
  const done = whileSettingUp(context, input.user, () => {
    const again = plan();
    return again.ok ? carry(again.value) : unplanned(again.error);
  });
  if (done.ok) return done.value;
  const { owner, path } = done.error;
  const message = `Another init is at work here${owner === null ? "" : `: process ${owner.pid} on ${owner.host}`}.`;
  const again =
    owner === null ? " in a minute" : `; if no such process exists, remove ${shownPath(context.paths, path)}`;
  return failed({ code: "locked", message, hint: `Nothing was changed. Run it again${again}.` }, { outcome: "locked" });
}

function unplanned({ finding, ...problem }: PlanProblem): Report {
  const { line, column } = finding?.start ?? {};
  return failed(problem, finding === undefined ? {} : { data: { line, column } });
}

interface Job {
  readonly context: CommandContext;
  readonly world: World;
  readonly input: InitInput;
  /** Whether a person is asked first. */
  readonly asks: boolean;
  readonly program: ProgramPlace;
  readonly plan: Plan;
  readonly notes: readonly string[];
}

function carryOut(job: Job): Report {
  const { context, world, input, asks, plan, notes } = job;
  const { changes } = plan;
  const head = headText(job);
  if (input.check) return checkReport(job, head);
  if (changes.length === 0) {
    const text = input.remove
      ? `${input.gate ? "No gate" : "Nothing of context"} is installed here.\n`
      : plan.twice.length === 0
        ? "Nothing to change: all is as it should be.\n"
        : `Nothing was changed. ${onceAgain(job)}\n`;
    return done(head + text, dataOf(job, []), notes);
  }
  const diff = changes.map((change) => printableDiff(diffOf(change) ?? "")).join("");
  if (input.dryRun) return done(`${head}${diff}${listText(changes, "planned")}`, dataOf(job, []), notes);
  let shown = `${head}${diff}`;
  if (asks) {
    (input.json ? world.stderr : world.stdout).write(`${shown}${listText(changes, "planned")}`);
    shown = "";
    if (!confirm("Apply?", world.stderr)) {
      return failed({ code: "declined", message: "Nothing was changed." }, { notes, data: dataOf(job, []) });
    }
  }
  const applied: Change[] = [];
  for (const change of changes) {
    const result = applyChange(change);
    if (result.ok) {
      applied.push(change);
      continue;
    }
    const again =
      result.error.message === NO_RUN_BITS
        ? `Run ${context.invokedAs} init --remove and ${context.invokedAs} init --user: those hooks need no script here.`
        : "Run it again.";
    const { hint: way = again } = unwritable(change.shown, result.error);
    const hint = `${applied.length === 0 ? "Nothing was changed." : "What is listed above is done."} ${way}`;
    return failed(
      { ...unwritable(change.shown, result.error), hint },
      { parts: [{ kind: "text", text: shown + listText(applied, "done") }], notes, data: dataOf(job, applied) },
    );
  }
  const twice = plan.twice.length === 0 ? "" : `${onceAgain(job)}\n`;
  const next = [
    // What is registered elsewhere it has read already.
    ...(plan.forAll === null || plan.target !== null
      ? ["restart Claude Code, which reads its hooks when it starts"]
      : []),
    ...(input.remove || input.user || hasRoles(context)
      ? []
      : [`write a role's file: ${context.invokedAs} new <role>`]),
  ];
  return done(
    `${shown}${listText(changes, "done")}${twice}${next.length === 0 ? "" : `Next: ${next.join(", then ")}\n`}`,
    dataOf(job, applied),
    notes,
  );
}

function hasRoles({ paths }: CommandContext): boolean {
  const files = listContextFiles(paths);
  return files.ok && files.value.length > 0;
}

function headText({ context, input, plan }: Job): string {
  let text = input.user ? "" : `Project: ${context.paths.root}\n`;
  if (plan.target !== null) text += `Hooks: ${plan.target.shown}: ${plan.target.why}\n`;
  const here = plan.gate ? "register the gate alone" : "do not";
  if (plan.plugin !== null) text += `Hooks: the plugin ${plan.plugin} registers them, so the settings ${here}.\n`;
  if (plan.forAll !== null) {
    const way = `${context.invokedAs} init --user --remove, then ${context.invokedAs} init`;
    text += `Hooks: ${plan.forAll} registers them for all your projects, so the settings here ${here}. To register them here, for everybody: ${way}.\n`;
  }
  for (const file of plan.twice) text += `Registered twice: by the plugin, and in ${file}.\n`;
  return printableBlock(text);
}

function checkReport(job: Job, head: string): Report {
  const { context, plan, input, notes } = job;
  const { changes, twice } = plan;
  if (changes.length === 0 && twice.length === 0) {
    return done(`${head}All is as it should be.\n`, dataOf(job, []), notes);
  }
  const parts = [{ kind: "text" as const, text: head + listText(changes, "planned") }];
  const more = { parts, notes, data: dataOf(job, []) };
  if (changes.length === 0) {
    const hint = onceAgain(job);
    return failed({ code: "registered-twice", message: "The hooks are registered twice.", hint }, more);
  }
  const scope = `${input.user ? " --user" : ""}${input.gate ? " --gate" : ""}`;
  const message = `${plural(changes.length, "thing")} of the setup ${changes.length === 1 ? "is" : "are"} missing or old.`;
  return failed({ code: "not-set-up", message, hint: `Run ${context.invokedAs} init${scope}.` }, more);
}

/** What leaves hooks that are registered twice registered once: what takes them out of the settings leaves the plugin's. */
function onceAgain({ context: { paths, env, invokedAs }, plan }: Job): string {
  const ofUser = shownPath(paths, userSettings(env).path);
  const scopes = new Set(plan.twice.map((file) => (file === ofUser ? " --user" : "")));
  return `Switch the plugin off, or run ${[...scopes].map((scope) => `${invokedAs} init --remove${scope}`).join(" and ")}.`;
}

function listText(changes: readonly Change[], when: "done" | "planned"): string {
  return changes.map(({ action, shown }) => `${ACTIONS[action][when === "done" ? 0 : 1]} ${shown}\n`).join("");
}

function dataOf({ context, input, program, plan }: Job, applied: readonly Change[]): Readonly<Record<string, unknown>> {
  return {
    root: input.user ? null : context.paths.root,
    program: { kind: program.kind, path: program.path, why: program.why },
    settings: plan.target,
    plugin: plan.plugin,
    for_all_projects: plan.forAll,
    gate: plan.gate,
    registered_twice: plan.twice,
    changes: plan.changes.map((change) => ({
      path: change.shown,
      action: change.action,
      done: applied.includes(change),
      diff: diffOf(change),
    })),
  };
}

/**
 * What is this machine's alone and git would take along is worth a word, where something is set up; and scripts that git
 * leaves behind, where it takes along the settings that start them: in another clone each start would fail.
 */
async function ignoredNote({ paths, env }: CommandContext, plan: Plan): Promise<readonly string[]> {
  if (plan.target === null || plan.changes.length === 0) return [];
  const local = projectSettings(paths, "local").path;
  const shared = shownPath(paths, projectSettings(paths, "shared").path);
  const own = [
    ...(plan.changes.some(({ file }) => file.path === local) ? [shownPath(paths, local)] : []),
    ...[paths.machines, paths.cache].map((folder) => `${shownPath(paths, folder)}/`),
  ].filter((shown) => !isAbsolute(shown));
  const scripts = plan.changes
    .filter(({ action, shown }) => action === "create" && shown.startsWith(`${HOOKS_FOLDER}/`))
    .map(({ shown }) => shown);
  const { exitCode, stdout } = await run("git", ["check-ignore", "--stdin", "-z"], {
    ...{ cwd: paths.root, env: gitEnv(env) },
    input: [...own, ...scripts, shared].map((shown) => `${shown}\0`).join(""),
  });
  // 0 and 1 are answers; anything else is no repository, or no git.
  if (exitCode !== 0 && exitCode !== 1) return [];
  const ignored = new Set(stdout.split("\0"));
  const open = own.filter((shown) => !ignored.has(shown));
  const left = plan.target.shown !== shared || ignored.has(shared) ? [] : scripts.filter((shown) => ignored.has(shown));
  const [are, them] = open.length === 1 ? ["is", "it"] : ["are", "them"];
  return [
    ...(open.length === 0 ? [] : [`${open.join(", ")} ${are} not ignored by git: add ${them} to .gitignore.`]),
    ...(left.length === 0
      ? []
      : [
          `Git ignores ${left.join(", ")} and takes along ${shared}, whose hooks then fail in every other clone: let .gitignore spare ${HOOKS_FOLDER}/.`,
        ]),
  ];
}
