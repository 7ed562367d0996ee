import { openHook } from "../commands/open-hook.ts";
import { type PreCompactInput, preCompact } from "../commands/pre-compact/pre-compact.ts";
import { compactsSubAgent } from "../commands/sub-agent-wait.ts";
import type { World } from "../platform/world.ts";
import { inStore } from "./in-store.ts";
import type { HookPayload } from "./payload.ts";
import { type HookAnswer, isProbe, noAnswer, roleIn, runHook } from "./run-hook.ts";

const EVENT = "PreCompact";

export interface PreCompactOptions {
  readonly root: string | undefined;
  readonly guidance: boolean;
  readonly requireSaved: boolean;
}

/** PreCompact: stdin is the client's payload, stdout `{}`, or with `--guidance` plain text for the summariser. */
export function preCompactHook(world: World, options: PreCompactOptions): Promise<number> {
  const empty = options.guidance ? "" : "{}\n";
  return runHook(world, empty, (payload) => answer(world, options, payload, empty));
}

async function answer(
  world: World,
  options: PreCompactOptions,
  payload: HookPayload | null,
  empty: string,
): Promise<HookAnswer> {
  const transcriptPath = payload?.transcriptPath ?? null;
  if (payload?.trigger === "auto" && transcriptPath !== null && compactsSubAgent(transcriptPath))
    return noAnswer(empty);
  const context = await openHook(world, options.root, payload?.cwd ?? null);
  if (!context.ok) return noAnswer(empty, context.error);
  const { role, misnamed } = roleIn(world);
  // Registered at another event by mistake it compacts nothing: the role would refuse to be saved for ten minutes.
  const live = !isProbe(world) && (payload?.event ?? EVENT) === EVENT;
  const input: PreCompactInput = {
    // A role's machine moves with a real compaction only.
    role: live ? role : null,
    misnamed,
    sessionId: payload?.sessionId ?? null,
    transcriptPath,
    cwd: payload?.cwd ?? null,
    trigger: payload?.trigger === "manual" || payload?.trigger === "auto" ? payload.trigger : "unknown",
    requireSaved: options.requireSaved,
    wantsGuidance: options.guidance,
    live,
  };
  const result = await inStore(context.value, { role: input.role, silent: false }, (opened) =>
    preCompact(opened, input),
  );
  if (result.block !== null) return { stdout: "", stderr: [result.block], exitCode: 2 };
  return {
    stdout: options.guidance ? result.guidance : empty,
    stderr: result.warnings,
    exitCode: 0,
  };
}
