// Of `node:path` what the bundles of the native program call, for systems whose separator is `/`. A test holds it to Node's.
import "./host.ts";

export const sep = "/";
export const delimiter = ":";

/** As `path.posix`: `.` and `..` resolved, a slash at the end kept. */
export function normalize(path: string): string {
  if (path === "") return ".";
  // Nearly every path is in order, and a start makes thousands.
  if (!path.startsWith(".") && !path.includes("/.") && !path.includes("//")) return path;
  const absolute = path.startsWith("/");
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (!absolute) parts.push("..");
  }
  const text = parts.join("/");
  if (text === "") return absolute ? "/" : path.endsWith("/") ? "./" : ".";
  return `${absolute ? "/" : ""}${text}${path.endsWith("/") ? "/" : ""}`;
}

export function join(...parts: readonly string[]): string {
  let text = "";
  for (const part of parts) if (part !== "") text = text === "" ? part : `${text}/${part}`;
  return text === "" ? "." : normalize(text);
}

export function resolve(...parts: readonly string[]): string {
  let path = "";
  for (let at = parts.length - 1; at >= 0 && !path.startsWith("/"); at--) {
    const part = parts[at] ?? "";
    if (part !== "") path = path === "" ? part : `${part}/${path}`;
  }
  if (!path.startsWith("/")) {
    const folder = host.cwd();
    if (typeof folder === "number") return host.handOver();
    path = path === "" ? folder : `${folder}/${path}`;
  }
  const text = normalize(path);
  return text.length > 1 && text.endsWith("/") ? text.slice(0, -1) : text;
}

export function isAbsolute(path: string): boolean {
  return path.startsWith("/");
}

/** Where the last part of a path begins and ends; slashes at its end are no part of it. */
function lastPart(path: string): readonly [number, number] {
  let end = path.length;
  while (end > 0 && path.charAt(end - 1) === "/") end -= 1;
  return [path.lastIndexOf("/", end - 1) + 1, end];
}

export function basename(path: string, suffix = ""): string {
  if (suffix !== "" && suffix === path) return "";
  const [start, end] = lastPart(path);
  if (end === 0) return "";
  const name = path.slice(start, end);
  return suffix !== "" && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

export function dirname(path: string): string {
  const [start] = lastPart(path);
  const cut = start - 1;
  if (cut <= 0) return path.startsWith("/") ? "/" : ".";
  return cut === 1 && path.startsWith("/") ? "//" : path.slice(0, cut);
}

export function relative(from: string, to: string): string {
  if (from === to) return "";
  const start = resolve(from).split("/").filter(Boolean);
  const end = resolve(to).split("/").filter(Boolean);
  let shared = 0;
  while (shared < start.length && shared < end.length && start[shared] === end[shared]) shared += 1;
  return [...start.slice(shared).map(() => ".."), ...end.slice(shared)].join("/");
}

/** Of what Node's gives, the root: the empty text for a relative path. */
export function parse(path: string): { readonly root: string } {
  return { root: path.startsWith("/") ? "/" : "" };
}
