import { gate } from "../commands/gate.ts";
import { openHook } from "../commands/open-hook.ts";
import { gateCall } from "../gate/tool-call.ts";
import type { World } from "../platform/world.ts";
import type { HookPayload } from "./payload.ts";
import { type HookAnswer, noAnswer, runHook } from "./run-hook.ts";

/** PreToolUse and PostToolUse: stdin is the client's payload, stdout nothing or a denial. */
export function gateHook(world: World, options: { readonly root: string | undefined }): Promise<number> {
  return runHook(world, "", (payload) => answer(world, options.root, payload));
}

async function answer(world: World, root: string | undefined, payload: HookPayload | null): Promise<HookAnswer> {
  const call = payload === null ? null : gateCall(payload.fields);
  if (payload === null || payload.sessionId === null || call === null) return noAnswer("");
  const context = await openHook(world, root, payload.cwd);
  if (!context.ok) return noAnswer("", context.error);
  const { sessionId, transcriptPath, cwd } = payload;
  const result = await gate(context.value, { sessionId, transcriptPath, cwd, call });
  return { stdout: result.stdout, stderr: result.warnings, exitCode: 0 };
}
