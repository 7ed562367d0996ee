import { stringAt } from "../base/json-value.ts";
import type { PlacedCommand } from "../transcript/shell-commands.ts";
import { doesNothing } from "./command-key.ts";
import type { ShellCall } from "./command-text.ts";
import type { Call } from "./context.ts";
import { redirections, type ShellEffect, shellEffects } from "./shell-effects.ts";

/**
 * What a shell call did to files. Of one that failed, what stands in front of the command that did. `begun` is the call as
 * its own result has it, whatever became of it in the background or is told by an exit code that it prints.
 */
export function callEffects({ call, commands, outcome }: ShellCall, begun: Call, base: string): readonly ShellEffect[] {
  if (call.name !== "Bash" || call.answeredAt === null || outcome === "rejected") return [];
  if (call.outcome === "failed" && outcome === "stopped") return [];
  if (outcome !== "failed") return [...shellEffects(commands), ...patched(call, commands, base)];
  // A call that a hook or the client refused ran nothing.
  if (begun.outcome === "failed" && !/^Exit code [0-9]/.test(begun.result)) return [];
  const at = commands.findLastIndex((command) => !doesNothing(command));
  const from = commands.findLastIndex(({ joint }, index) => index <= at && joint !== "|");
  const before = commands.slice(0, Math.max(0, from));
  if (before.some(({ verb }) => verb !== "" && call.result.includes(`${verb}: `))) return [];
  // Behind `&&` it may not have been reached.
  const last = commands[from]?.joint === ";" ? commands.slice(from).filter(({ conditional }) => !conditional) : [];
  return [...shellEffects(before), ...last.flatMap(redirections)];
}

/** The files that `patch` says it changed. */
function patched(call: Call, commands: readonly PlacedCommand[], base: string): readonly ShellEffect[] {
  if (!commands.some(({ verb }) => verb === "patch")) return [];
  return [...call.result.matchAll(/^patching file '?([^\n']{1,1000})'?$/gm)].map(([, path = ""]) => ({
    kind: "write",
    path,
    makes: false,
    to: null,
    base,
  }));
}

/** What a tool of an MCP server that works on files by their path did, going by its name; none for things elsewhere. */
export function serverEffects({ name, input }: Call, base: string): readonly ShellEffect[] {
  if (!name.startsWith("mcp__")) return [];
  // `writeFile`, `write-file` and `write_file` are one.
  const verb = MCP_WORK.exec(
    name
      .replace(/(?<=[a-z])[A-Z]/g, "_$&")
      .replaceAll("-", "_")
      .toLowerCase(),
  )?.[1];
  if (verb === undefined || REMOTE.some((key) => key in input)) return [];
  const [path] = PATH_KEYS.flatMap((key) => stringAt(input, key) ?? []);
  if (path === undefined) return [];
  const to = stringAt(input, "destination");
  if (verb === "move" || verb === "rename") return to === null ? [] : [{ kind: "move", path, makes: true, to, base }];
  const kind = verb === "delete" || verb === "remove" ? "delete" : "write";
  return [{ kind, path, makes: verb === "write" || verb === "create", to: null, base }];
}

const MCP_WORK =
  /^mcp__.{1,100}__(?:[a-z]{1,20}_){0,2}(write|create|edit|append|insert|replace|patch|modify|move|rename|delete|remove)(?:_(?!dir|folder)[a-z]{1,20}){0,4}$/;
const PATH_KEYS = ["path", "file_path", "relative_path", "source"] as const;
/** Arguments that say that the path is one on a server. */
const REMOTE = ["owner", "repo", "repository", "bucket", "url", "project_id"] as const;
