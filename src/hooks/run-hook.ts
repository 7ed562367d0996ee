import { printableLine } from "../base/printable.ts";
import { err, ok, type Result } from "../base/result.ts";
import { isRoleName, type RoleName } from "../lifecycle/role.ts";
import { homeFolder } from "../platform/home-folder.ts";
import { readStdin } from "../platform/stdin.ts";
import type { World } from "../platform/world.ts";
import { type HookPayload, isLoneMark, parsePayload, payloadWatch } from "./payload.ts";

/** The client sends about 500 bytes; a tool's result in a payload can hold megabytes. */
const PAYLOAD_MAX_BYTES = 8 * 1024 * 1024;

/** The contract's figure: a client that has sent nothing for so long will not. */
const DEFAULT_IDLE_MS = 250;

/** Whether the hook is run to see it answer: then it reads what it always reads, and writes nothing. */
export function isProbe({ env }: World): boolean {
  return env.CONTEXT_PROBE === "1";
}

export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: readonly string[];
  readonly exitCode: number;
}

/** The answer of a hook that has nothing to do, or cannot do it: `why` is its one line on stderr. */
export function noAnswer(stdout: string, ...why: readonly string[]): HookAnswer {
  return { stdout, stderr: why, exitCode: 0 };
}

/** The role that the client was started with; what stands there and is no role's name is `misnamed`. */
export function roleIn({ env }: World): { readonly role: RoleName | null; readonly misnamed: string | null } {
  const name = env.HIVEMIND_ROLE || null;
  return name !== null && isRoleName(name) ? { role: name, misnamed: null } : { role: null, misnamed: name };
}

/**
 * Runs a hook so that it cannot hurt its host: the payload is waited for a bounded time, a fault of any kind becomes one
 * line on stderr and the empty answer, and the exit code is 0 unless the hook itself asks for another. What happens to a
 * sub-agent has the empty answer too.
 */
export async function runHook(
  world: World,
  empty: string,
  hook: (payload: HookPayload | null) => Promise<HookAnswer>,
): Promise<number> {
  let answer: HookAnswer;
  try {
    const payload = await readPayload(world);
    if (world.env.CONTEXT_DISABLED === "1") return 0;
    answer =
      payload.ok && payload.value !== "mark" && (payload.value?.agentId ?? null) === null
        ? await hook(payload.value)
        : noAnswer(empty, ...(payload.ok ? [] : [payload.error]));
  } catch (error) {
    world.fault?.(error);
    const text = error instanceof Error ? error.message : String(error);
    answer = noAnswer(empty, `a fault of ours, please report it: ${text}`);
  }
  world.stdout.write(answer.stdout);
  for (const line of new Set(answer.stderr)) world.stderr.write(`context: ${printableLine(line)}\n`);
  return answer.exitCode;
}

/** Takes a payload that nobody asks for off the client's hands: a pipe that is closed unread is shown to the person as an error. */
export async function passOver(world: World): Promise<void> {
  await readPayload(world);
}

/** Null where nothing came, `mark` where only a byte order mark did. */
async function readPayload(world: World): Promise<Result<HookPayload | "mark" | null, string>> {
  const idle = Number(world.env.CONTEXT_STDIN_IDLE_MS);
  const { bytes, end } = await readStdin({
    idleMs: Number.isFinite(idle) && idle > 0 && idle <= 2000 ? idle : DEFAULT_IDLE_MS,
    enough: payloadWatch(),
    maxBytes: PAYLOAD_MAX_BYTES,
  });
  switch (end) {
    case "closed":
    case "enough":
    case "terminal":
      return isLoneMark(bytes) ? ok("mark") : parsePayload(bytes, homeFolder(world.env));
    case "idle":
      // What has arrived may be whole but for the end that never comes.
      if (isLoneMark(bytes)) return ok("mark");
      return bytes.toString().trim() === "" ? ok(null) : err("standard input ended in the middle of its JSON");
    case "too-large":
      return err(`standard input is larger than ${PAYLOAD_MAX_BYTES} bytes`);
    case "failed":
      return err("standard input cannot be read");
    default:
      return end satisfies never;
  }
}
