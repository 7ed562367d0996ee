/** What paths in a transcript are relative to; all of them as text, never looked up. */
export interface PathHome {
  /** The project root, absolute. */
  readonly root: string;
  /** The person's home folder, for `~`; null where it is not known. */
  readonly home: string | null;
}

/**
 * A path as one spelling: absolute, `/` between the parts, no `.` or `..`, a Windows drive as `c:/`. `~`, `$HOME`,
 * `$CLAUDE_PROJECT_DIR` and `$PWD` at its start are filled in; what is relative starts at `base`.
 */
export function resolvePath(path: string, base: string, places: PathHome): string {
  const slashed = composed(fillIn(path, base, places).replace(/\\/g, "/"));
  const absolute = isAbsolute(slashed) ? slashed : `${composed(base.replace(/\\/g, "/"))}/${slashed}`;
  const parts: string[] = [];
  for (const part of absolute.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const [first, ...rest] = parts;
  if (first !== undefined && DRIVE.test(first)) return [first.toLowerCase(), ...rest].join("/");
  return `/${parts.join("/")}`;
}

/** The parts of `path` below `folder`, both resolved; null when it lies elsewhere. */
export function partsBelow(path: string, folder: string): readonly string[] | null {
  const [pathDrive, pathTail] = splitDrive(path);
  const [folderDrive, folderTail] = splitDrive(folder);
  // A root without a drive and a path with one: the transcript was written on Windows and is read elsewhere.
  if (pathDrive !== null && folderDrive !== null && pathDrive !== folderDrive) return null;
  const ignoreCase = pathDrive !== null;
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const prefix = folderTail.endsWith("/") ? folderTail : `${folderTail}/`;
  if (!fold(`${pathTail}/`).startsWith(fold(prefix))) return null;
  return pathTail
    .slice(prefix.length)
    .split("/")
    .filter((part) => part !== "");
}

export function isAbsolute(path: string): boolean {
  return /^(?:[A-Za-z]:)?[/\\]/.test(path);
}

/** Accents in one form: macOS takes names apart. Only where there are any, since the first use loads the tables. */
function composed(text: string): string {
  return /[^\u0000-\u007f]/.test(text) ? text.normalize("NFC") : text;
}

const DRIVE = /^[A-Za-z]:$/;

/** The drive of a resolved path, null where it has none, and the rest. */
function splitDrive(path: string): readonly [string | null, string] {
  const drive = /^([a-z]):(?:\/|$)/.exec(path)?.[1];
  if (drive !== undefined) return [drive, `/${path.slice(3)}`];
  return [null, path];
}

function fillIn(path: string, base: string, places: PathHome): string {
  const match = /^(?:~|\$\{?(HOME|CLAUDE_PROJECT_DIR|PWD)\}?)(?=$|[/\\])/.exec(path);
  if (match === null) return path;
  const value = { HOME: places.home, CLAUDE_PROJECT_DIR: places.root, PWD: base }[nameOf(match[1])];
  return value === null ? path : `${value}${path.slice(match[0].length)}`;
}

function nameOf(variable: string | undefined): "HOME" | "CLAUDE_PROJECT_DIR" | "PWD" {
  return variable === "CLAUDE_PROJECT_DIR" || variable === "PWD" ? variable : "HOME";
}
