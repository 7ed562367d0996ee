import type { World } from "../platform/world.ts";
import type { CommandName } from "./command-table.ts";
import type { Entry } from "./entry.ts";
import { EXIT_FAULT } from "./exit-code.ts";
import { type Invocation, readInvocation, splitCommand, takenForFolder } from "./invocation.ts";
import { asksForJson, jsonIndent } from "./json-form.ts";

/** Runs one command line and returns its exit code. Never throws: a fault of ours is reported as one. */
export async function main(world: World): Promise<number> {
  const hookAnswer = hookAnswerOf(world.argv);
  try {
    if (hookAnswer !== null && world.env.CONTEXT_PROBE === "1") await sayWhoRuns(world);
    const invocation = readInvocation(world.argv);
    if (invocation !== null) return await runInvocation(world, invocation);
    if (hookAnswer !== null && !asksForHelp(world.argv))
      return await answerHook(world, hookAnswer, `the options are not known: ${JSON.stringify(world.argv)}`);
    const { runProgram } = await import("./program.ts");
    return await runProgram(world, runInvocation);
  } catch (error) {
    return answerFault(world, error);
  }
}

/** What a client, a program or a person gets where something of ours is broken; the exit code. */
export async function answerFault(world: World, error: unknown): Promise<number> {
  world.fault?.(error);
  const fault = error instanceof Error ? error : new Error(String(error));
  const hookAnswer = hookAnswerOf(world.argv);
  return hookAnswer === null ? await reportFault(world, fault) : await answerHook(world, hookAnswer, fault.message);
}

/** What the client gets where the hook that it named cannot run; null where it named none. */
function hookAnswerOf(argv: readonly string[]): string | null {
  const spec = splitCommand(argv)?.spec ?? takenForFolder(argv);
  if (spec?.hookAnswer === undefined) return null;
  return spec.silentWith !== undefined && argv.includes(spec.silentWith) ? "" : spec.hookAnswer;
}

/** A hook that cannot run does not hurt its client: a non-zero exit would stop the compaction. */
async function answerHook(world: World, answer: string, reason: string): Promise<number> {
  if (world.env.CONTEXT_DISABLED !== "1") {
    world.stdout.write(answer);
    world.stderr.write(`context: the hook did nothing: ${reason}\n`);
  }
  // Where a part of this program is missing, that may be this part.
  await LOAD.gate().then(
    ({ passOver }) => passOver(world),
    () => undefined,
  );
  return 0;
}

/** `context doctor` runs the installed commands: which program they really start is known only there. */
async function sayWhoRuns({ program, interpreter, stderr }: World): Promise<void> {
  const { VERSION } = await import("./version.ts");
  stderr.write(`context-probe: ${JSON.stringify({ version: VERSION, program, node: interpreter })}\n`);
}

function asksForHelp(argv: readonly string[]): boolean {
  return argv.includes("--help") || argv.includes("-h");
}

async function runInvocation(world: World, invocation: Invocation): Promise<number> {
  const { entry } = await LOAD[invocation.command]();
  const handler = entry[invocation.command];
  if (handler === undefined) throw new Error(`Invariant broken: ${invocation.command} has a handler`);
  return handler(world, invocation);
}

const validate = () => import("./entries/validate.ts");

const lifecycleStep = () => import("./entries/lifecycle-step.ts");
const lifecycleMove = () => import("./entries/lifecycle-move.ts");
const workspace = () => import("./entries/workspace.ts");
const resume = () => import("./entries/resume.ts");
const transcript = () => import("./entries/transcript.ts");
const general = () => import("./entries/general.ts");

/** Which bundle holds which command: one that is run often, or by a hook, shares its bundle only with what it needs itself. */
const LOAD = {
  validate,
  "validate.all": validate,
  schema: general,
  new: general,
  "lifecycle.init": lifecycleStep,
  "lifecycle.save": lifecycleStep,
  "lifecycle.status": () => import("./entries/lifecycle-status.ts"),
  "lifecycle.pre.compact": lifecycleStep,
  "lifecycle.recover": lifecycleStep,
  "lifecycle.repair": lifecycleMove,
  "lifecycle.compact": () => import("./entries/lifecycle-compact.ts"),
  "lifecycle.wait": () => import("./entries/lifecycle-wait.ts"),
  "lifecycle.history": () => import("./entries/lifecycle-history.ts"),
  "lifecycle.graph": () => import("./entries/lifecycle-graph.ts"),
  "lifecycle.export": lifecycleMove,
  "lifecycle.import": lifecycleMove,
  recover: lifecycleStep,
  report: () => import("./entries/report.ts"),
  "pre-compact": () => import("./entries/pre-compact.ts"),
  "session-start": () => import("./entries/session-start.ts"),
  gate: () => import("./entries/gate.ts"),
  explain: () => import("./entries/explain.ts"),
  projects: workspace,
  skills: workspace,
  "resume.new": resume,
  "resume.show": resume,
  "resume.update": resume,
  "resume.validate": resume,
  "resume.migrate": resume,
  detect: transcript,
  trail: transcript,
  thread: transcript,
  completion: () => import("./entries/completion.ts"),
  init: () => import("./entries/install.ts"),
  doctor: () => import("./entries/doctor.ts"),
  demo: general,
} satisfies Record<CommandName, () => Promise<{ entry: Entry }>>;

async function reportFault(world: World, fault: Error): Promise<number> {
  const message = `A fault of this program: ${fault.message}`;
  const hint = "Please report it with the lines below.";
  if (asksForJson(world.argv)) {
    const document = { schema_version: 1, ok: false, error: { code: "fault", message, hint } };
    world.stdout.write(`${JSON.stringify(document, null, jsonIndent(world.argv))}\n`);
  }
  world.stderr.write(`context: ${message}\n  ${hint}\n\n${await whatRan(world)}\n${fault.stack ?? ""}\n`);
  return EXIT_FAULT;
}

/** What says which code the minified lines of a stack stand in, and what it was asked for. */
async function whatRan({ argv, system = "", build = "from its sources" }: World): Promise<string> {
  // Where the fault is that a part of this program is missing, that may be this part.
  const own = await import("./version.ts").then(
    ({ VERSION }) => VERSION,
    () => "of an unknown version",
  );
  return `context ${own}, build ${build}, ${system}\ncommand: ${JSON.stringify(argv)}`;
}
