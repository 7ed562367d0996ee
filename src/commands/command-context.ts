import { isAbsolute, resolve } from "node:path";
import { printableLine } from "../base/printable.ts";
import { ok, type Result } from "../base/result.ts";
import { isFolder, isSameFile } from "../platform/stat-of.ts";
import type { World } from "../platform/world.ts";
import { type ProjectPaths, projectPaths } from "../stores/paths.ts";
import { resolveRoot } from "../stores/root.ts";
import { awayMachines } from "../stores/shared-machines.ts";
import { isElsewhere } from "../stores/store-place.ts";
import { invokedAs } from "./invoked-as.ts";

/** What a command may know of the world. */
export interface CommandContext {
  readonly paths: ProjectPaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly now: () => Date;
  /** Names the build of this program; null where it runs from its sources. */
  readonly build: string | null;
  /** Tells this installation from another that the same client may run: the plugin's folder, else the program's file. */
  readonly installation: string;
  /** How this program is started from where the command was run, for next actions: `./context` in a root with the launcher. */
  readonly invokedAs: string;
}

const NOT_OPENED = {
  problem: "unreachable",
  path: "CONTEXT_STORE",
  message: "names a store of machines, which this command does not look into",
} as const;

export interface RootOptions {
  /** `-C` or `--root`. */
  readonly root: string | undefined;
  readonly hook: boolean;
  /** For a hook: where its client says that the agent's shell stands, which is where it runs what it is told to. */
  readonly stands?: string | null;
  /** The project that the client names, where the root is a worktree of it. */
  readonly main?: ProjectPaths;
}

/** Settles which project a command is for; a sentence where the folder that was named is none. */
export function openContext(world: World, options: RootOptions): Result<CommandContext, string> {
  const { env, cwd, now } = world;
  const root = resolveRoot({ option: options.root, env, cwd, hook: options.hook, stands: options.stands });
  if (!root.ok) return root;
  const installation = (options.hook && env.CLAUDE_PLUGIN_ROOT) || world.program;
  const paths = { ...projectPaths(root.value, env), ...(options.main && { main: options.main }) };
  let known: string | null = null;
  return ok({
    // Who opens no store gets none: env files that lie here may be of last year.
    paths: isElsewhere(env) ? { ...paths, shared: awayMachines(NOT_OPENED, "fail") } : paths,
    env,
    cwd,
    now,
    build: world.build ?? null,
    installation,
    // Looked for where it is named: most hooks name no next action.
    get invokedAs() {
      known ??= printableLine(
        invokedFrom(root.value, { ...world, cwd: options.hook ? agentFolder(root.value, options.stands) : cwd }),
      );
      return known;
    },
  });
}

/** How this program is started where no project was opened, because the command line cannot be read. */
export function invokedHere(world: World): string {
  const { env, cwd } = world;
  const root = resolveRoot({ option: undefined, env, cwd, hook: false });
  return invokedFrom(root.ok ? root.value : cwd, world);
}

/** The project's root where the client does not say that the agent went elsewhere: below it, or to a worktree beside it. */
function agentFolder(root: string, stands: string | null | undefined): string {
  return stands && isAbsolute(stands) && isFolder(stands) ? stands : root;
}

/** As a shell that stands where this command was run starts it: an agent's shell keeps to the folder that it went to. */
function invokedFrom(root: string, world: World): string {
  const { env, cwd } = world;
  const atRoot = resolve(cwd) === root || isSameFile(cwd, root);
  const found = atRoot ? null : resolveRoot({ option: undefined, env, cwd, hook: false });
  const findsRoot = found === null || (found.ok && (found.value === root || isSameFile(found.value, root)));
  return invokedAs({ root, atRoot, findsRoot }, world);
}

/** The client's session that runs this command; set for its shell commands and hooks by Claude Code 2.1.132 and later. */
export function sessionOf(context: CommandContext): string | null {
  return context.env.CONTEXT_SESSION_ID || context.env.CLAUDE_CODE_SESSION_ID || null;
}
