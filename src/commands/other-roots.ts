import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { Config } from "../config/config.ts";
import { isInside } from "../platform/contain.ts";
import { homeFolder } from "../platform/home-folder.ts";
import type { ProjectPaths } from "../stores/paths.ts";
import { realPath } from "../stores/worktree.ts";
import type { DetectPlaces } from "../transcript/clue-weight.ts";
import type { Detection } from "../transcript/detect-project.ts";
import type { KnownProjects } from "../transcript/project-path.ts";
import { isAnyAtWork } from "../transcript/project-score.ts";
import type { CommandContext } from "./command-context.ts";

/**
 * Other spellings of the project's root: of a worktree that the agent went to, the project that its session began in; and
 * the root of the worktree that its shell stands in, the nearest folder from there upwards that holds projects, which is
 * none below the project itself.
 */
function otherRoots({ root, main }: ProjectPaths, projects: string, cwd: string | null): readonly string[] {
  const tree = cwd !== null && isAbsolute(cwd) && !isInside(root, cwd) ? holding(projects, cwd) : null;
  return [main?.root ?? null, tree].filter((found) => found !== null);
}

/** How folders are called where links lead to them. */
interface Spellings {
  readonly home: string;
  /** What the shell that began calls its working directory. */
  readonly pwd: string | undefined;
}

/**
 * Spellings of the root by links: what its own leads to, the one below a home folder that is a link itself, and that of the
 * shell. An agent may write `~/app` where its client, which goes by real paths, says `/disk2/home/app`, and `/tmp/app` for
 * what macOS calls `/private/tmp/app`.
 */
function linkedRoots({ root }: Pick<ProjectPaths, "root">, { home, pwd = "" }: Spellings): readonly string[] {
  const [real, realHome] = [realPath(root), realPath(home)];
  const below = home !== "" && isInside(realHome, real) ? [join(home, relative(realHome, real))] : [];
  // Mostly it goes by the root's own name.
  const realPwd = isAbsolute(pwd) && !isInside(root, pwd) ? realPath(pwd) : null;
  const rest = realPwd !== null && isInside(real, realPwd) ? realPwd.slice(real.length) : null;
  const above = rest !== null && pwd.endsWith(rest) ? pwd.slice(0, pwd.length - rest.length) : "";
  // A link to a folder below, of that one's name, stands in no other spelling of the root.
  const linked = above !== "" && realPath(above) === real ? [above] : [];
  return [real, ...below, ...linked].filter((spelling) => spelling !== root);
}

/**
 * Looks for the project in hand under all spellings of the root; under those by links where the others lead to none. `cwd` is
 * the client's working directory, which moves with the agent's shell; null where nobody says it.
 */
export function lookForProject<Found>(
  { paths, env }: CommandContext,
  config: Config,
  { cwd, knownProjects }: { readonly cwd: string | null; readonly knownProjects: KnownProjects },
  look: (places: DetectPlaces) => Found,
  isOver: (found: Found) => boolean,
): Found {
  const home = homeFolder(env);
  const { projects: projectsFolder } = config.layout;
  const places = { root: paths.root, home, projectsFolder, knownProjects, cwd };
  const aliases = otherRoots(paths, projectsFolder, cwd);
  const found = look({ ...places, aliases });
  if (isOver(found)) return found;
  // Mostly there is no project to be found, and no link either.
  const linked = linkedRoots(paths, { home, pwd: env.PWD });
  return linked.length === 0 ? found : look({ ...places, aliases: [...aliases, ...linked] });
}

/** Whether such a look is over: a project is found, or work on so many that none is in hand. */
export function isDetected({ project, scores }: Detection): boolean {
  return project !== null || isAnyAtWork(scores);
}

function holding(projects: string, cwd: string): string | null {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, projects))) return at;
    if (dirname(at) === at) return null;
  }
}
