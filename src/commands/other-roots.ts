import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { isInside } from "../platform/contain.ts";
import type { ProjectPaths } from "../stores/paths.ts";
import { realPath } from "../stores/worktree.ts";
import type { Detection } from "../transcript/detect-project.ts";

/**
 * Other spellings of the project's root: of a worktree that the agent went to, the project that its session began in; and
 * the root of the worktree that its shell stands in, the nearest folder from there upwards that holds projects, which is
 * none below the project itself.
 */
export function otherRoots({ root, main }: ProjectPaths, projects: string, cwd: string | null): readonly string[] {
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

/** What `look` finds under other spellings of the root and, where that is nothing, under those by links as well. */
export function lookByLinksToo<Found>(
  paths: Pick<ProjectPaths, "root">,
  { aliases, ...spellings }: Spellings & { readonly aliases: readonly string[] },
  look: (aliases: readonly string[]) => Found,
  isOver: (found: Found) => boolean,
): Found {
  const found = look(aliases);
  if (isOver(found)) return found;
  // Mostly there is no project to be found, and no link either.
  const linked = linkedRoots(paths, spellings);
  return linked.length === 0 ? found : look([...aliases, ...linked]);
}

/** Whether such a look is over: a project is found, or so many are that none is in hand. */
export function isDetected({ project, bulk }: Detection): boolean {
  return project !== null || bulk;
}

function holding(projects: string, cwd: string): string | null {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, projects))) return at;
    if (dirname(at) === at) return null;
  }
}
