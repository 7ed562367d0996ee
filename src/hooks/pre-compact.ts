import { openContext } from "../commands/command-context.ts";
import { preCompactRole } from "../commands/pre-compact.ts";
import { parseRole } from "../lifecycle/role.ts";
import type { World } from "../platform/world.ts";
import type { HookPayload } from "./payload.ts";
import { type HookAnswer, runHook } from "./run-hook.ts";

export interface PreCompactOptions {
  readonly root: string | undefined;
  readonly guidance: boolean;
  readonly requireSaved: boolean;
}

/** The summariser's prompt takes at most this many characters of ours; the contract's figure. */
const GUIDANCE_MAX = 2000;

/** PreCompact: stdin is the client's payload, stdout `{}`, or with `--guidance` plain text for the summariser. */
export function preCompactHook(world: World, options: PreCompactOptions): Promise<number> {
  const empty = options.guidance ? "" : "{}\n";
  return runHook(world, empty, async (payload) => answer(world, options, payload, empty));
}

function answer(world: World, options: PreCompactOptions, payload: HookPayload | null, empty: string): HookAnswer {
  const context = openContext(world, { root: options.root, hook: true });
  if (!context.ok) return { stdout: empty, stderr: [context.error], exitCode: 0 };
  const name = world.env.HIVEMIND_ROLE;
  if (!name) return { stdout: empty, stderr: [], exitCode: 0 };
  const role = parseRole(name);
  if (!role.ok)
    return { stdout: empty, stderr: [`HIVEMIND_ROLE: ${role.error.message} ${role.error.hint}`], exitCode: 0 };
  const trigger = payload?.trigger === "manual" || payload?.trigger === "auto" ? payload.trigger : "unknown";
  const result = preCompactRole(context.value, {
    role: role.value,
    sessionId: payload?.sessionId ?? null,
    trigger,
    requireSaved: options.requireSaved,
  });
  if (result.block !== null) return { stdout: "", stderr: [result.block], exitCode: 2 };
  const text = result.guidance.join("\n").slice(0, GUIDANCE_MAX);
  return { stdout: options.guidance ? `${text}\n` : empty, stderr: result.warnings, exitCode: 0 };
}
