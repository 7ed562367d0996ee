export type RefusedPath =
  | "empty"
  | "too-long"
  | "control-character"
  | "absolute"
  | "windows-drive"
  | "network"
  | "url"
  | "home"
  | "climbs-out"
  | "device";

/** What the text of a path says; whether it is a link that leaves the project is for the store to see. */
export type PathClass =
  /** `path`: with `/`, without `.` and `..`. */
  { readonly kind: "relative"; readonly path: string } | { readonly kind: "refused"; readonly reason: RefusedPath };

/** What is wrong with a refused path, to stand behind its text. */
export const REFUSALS = {
  empty: "names no file",
  "too-long": "is longer than 4096 characters",
  "control-character": "holds a control character",
  absolute: "is absolute",
  "windows-drive": "names a drive",
  network: "names a network share",
  url: "is a URL",
  home: "starts at a home folder",
  "climbs-out": "climbs out of the project",
  device: "names a device on Windows",
} as const satisfies Record<RefusedPath, string>;

/** PATH_MAX of Linux. */
const LONGEST = 4096;
/** Names that Windows gives to devices in every folder, whatever their extension. */
const DEVICE =
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00B9\u00B2\u00B3]|lpt[0-9\u00B9\u00B2\u00B3])(?:[ .:]|$)/i;

/** Says whether a path of `files_to_load` stays inside its project on every system; `\` parts like `/`. */
export function classifyPath(path: string): PathClass {
  const reason = refusalAtStart(path);
  if (reason !== null) return { kind: "refused", reason };
  const kept: string[] = [];
  for (const part of path.split(/[/\\]/)) {
    // Windows drops blanks behind a name.
    const name = part.trimEnd();
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (kept.pop() === undefined) return { kind: "refused", reason: "climbs-out" };
    } else if (DEVICE.test(name)) return { kind: "refused", reason: "device" };
    else kept.push(part);
  }
  const plain = kept.join("/");
  // Without `./` in front, what is left may begin as another kind of path does.
  const left = refusalAtStart(plain);
  return left === null ? { kind: "relative", path: plain } : { kind: "refused", reason: left };
}

function refusalAtStart(path: string): RefusedPath | null {
  if (path.trim() === "") return "empty";
  if (path.length > LONGEST) return "too-long";
  if (/[\u0000-\u001F\u007F]/.test(path)) return "control-character";
  if (/^[/\\]{2}/.test(path)) return "network";
  if (/^[/\\]/.test(path)) return "absolute";
  if (/^[A-Za-z][A-Za-z0-9+.-]{1,20}:[/\\]/.test(path)) return "url";
  if (/^[A-Za-z]:/.test(path)) return "windows-drive";
  return path.startsWith("~") ? "home" : null;
}
