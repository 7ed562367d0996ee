import { openHook } from "../commands/open-hook.ts";
import { startSession } from "../commands/session-start/begin.ts";
import { mayWaitForSubAgent } from "../commands/sub-agent-call.ts";
import type { World } from "../platform/world.ts";
import { inStore } from "./in-store.ts";
import type { HookPayload } from "./payload.ts";
import { type HookAnswer, isProbe, noAnswer, roleIn, runHook } from "./run-hook.ts";

const EVENT = "SessionStart";

export interface SessionStartOptions {
  readonly root: string | undefined;
  /** `2/4`: the second of four hook commands. */
  readonly part: string | undefined;
  /** The bare XML, for people: of the whole document, or of that part. */
  readonly print: boolean;
}

/** SessionStart: stdin is the client's payload, stdout the client's JSON with the document, or nothing where there is none. */
export function sessionStartHook(world: World, options: SessionStartOptions): Promise<number> {
  return runHook(world, "", (payload) => answer(world, options, payload));
}

async function answer(world: World, options: SessionStartOptions, payload: HookPayload | null): Promise<HookAnswer> {
  // Registered there by mistake: the client takes no such answer, and what a start is given once would be used up.
  if ((payload?.event ?? EVENT) !== EVENT) return noAnswer("");
  const transcriptPath = payload?.transcriptPath ?? null;
  const context = await openHook(world, options.root, payload?.cwd ?? null);
  if (!context.ok) return noAnswer("", context.error);
  if (payload?.source === "compact" && transcriptPath !== null && mayWaitForSubAgent(transcriptPath)) {
    const { startsSubAgent } = await import("../commands/session-start/continued.ts");
    if (startsSubAgent(context.value.paths, payload.sessionId, transcriptPath)) return noAnswer("");
  }
  const part = partOf(options.part);
  if (part === "wrong") return noAnswer("", `--part ${options.part} is no part: expected k/n, such as 1/4`);
  const input = {
    ...roleIn(world),
    source: payload?.source ?? "startup",
    sessionId: payload?.sessionId ?? null,
    transcriptPath,
    cwd: payload?.cwd ?? null,
    part,
    whole: options.print,
    pinned: options.root !== undefined || Boolean(world.env.CONTEXT_ROOT),
    // `context doctor` runs the installed command to see it answer.
    probe: isProbe(world),
  };
  const { document, warnings } = await inStore(
    context.value,
    // Of parallel hook commands the first one speaks for all.
    { role: input.role, silent: part !== null && part.number > 1 },
    (opened) => startSession(opened, input),
  );
  const stdout = document === "" ? "" : options.print ? `${document}\n` : hookJson(document);
  return { stdout, stderr: warnings, exitCode: 0 };
}

/** The one shape that the client reads. */
function hookJson(document: string): string {
  const output = { hookSpecificOutput: { hookEventName: EVENT, additionalContext: document } };
  return `${JSON.stringify(output)}\n`;
}

/** The most hook entries that a project may split over; the configuration's own limit. */
const PARTS_MAX = 30;

function partOf(text: string | undefined): { number: number; of: number } | null | "wrong" {
  if (text === undefined) return null;
  const [, number, of] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(text) ?? [];
  const part = { number: Number(number), of: Number(of) };
  return number === undefined || part.number > part.of || part.of > PARTS_MAX ? "wrong" : part;
}
