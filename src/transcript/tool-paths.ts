import { isArray, isObject, stringAt } from "../base/json-value.ts";
import type { ToolCall } from "./activity.ts";
import { isAbsolute, type PathHome } from "./path-text.ts";
import { type ShellPath, shellPaths } from "./shell-paths.ts";

/** The paths that a tool call works on. `cwd` is the agent's working directory; unknown tools are read by their path arguments. */
export function toolPaths(call: ToolCall, cwd: string, places: PathHome): readonly ShellPath[] {
  const { name, input } = call;
  if (SHELL_TOOLS.has(name)) return shellPaths(stringAt(input, "command") ?? "", cwd, places);
  if (TALKING_TOOLS.has(name) || name === "Skill") return [];
  const writes =
    WRITING_TOOLS.has(name) ||
    (name.startsWith("mcp__") &&
      /write|edit|create|move|delete|append|insert|replace/.test(name.replace(/^.*__/s, "")));
  const paths = PATH_KEYS.flatMap((key) => stringAt(input, key) ?? []);
  const found = paths.map((path) => ({ path, base: cwd, writes }));
  const pattern = name === "Glob" ? stringAt(input, "pattern") : name === "Grep" ? stringAt(input, "glob") : null;
  if (pattern === null) return found;
  const folder = stringAt(input, "path");
  return [
    ...found,
    { path: folder === null || isAbsolute(pattern) ? pattern : `${folder}/${pattern}`, base: cwd, writes },
  ];
}

/** What a call says in words: tasks given to a sub-agent, todo items. A project in it is named, not worked on. */
export function toolTalk(call: ToolCall): string {
  return TALKING_TOOLS.has(call.name) ? stringsOf(call.input).join("\n") : "";
}

/** The skill that a `Skill` call starts, without the plugin it comes from, and its arguments. */
export function skillOf(call: ToolCall): { readonly name: string; readonly args: string } | null {
  if (call.name !== "Skill") return null;
  const name = stringAt(call.input, "skill") ?? stringAt(call.input, "command");
  return name === null ? null : { name: bareSkillName(name), args: stringAt(call.input, "args") ?? "" };
}

/** `nexus:execute-project` and `/execute-project` as `execute-project`. */
export function bareSkillName(name: string): string {
  return name.trim().replace(/^\//, "").replace(/^.*:/, "");
}

function stringsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (isArray(value)) return value.flatMap(stringsOf);
  return isObject(value) ? stringsOf(Object.values(value)) : [];
}

const PATH_KEYS = ["file_path", "notebook_path", "path", "relative_path"] as const;
const SHELL_TOOLS: ReadonlySet<string> = new Set(["Bash", "PowerShell"]);
const WRITING_TOOLS: ReadonlySet<string> = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);
const TALKING_TOOLS: ReadonlySet<string> = new Set(["Agent", "Task", "TodoWrite", "TaskCreate", "TaskUpdate"]);
