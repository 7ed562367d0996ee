import { err, ok, type Result } from "../base/result.ts";
import { changesBetween, type MachineChange, type SeenMachine } from "../lifecycle/machine-change.ts";
import { type RoleName, roleOfMachine } from "../lifecycle/role.ts";
import { monotonicMs } from "../platform/clock.ts";
import type { LinkError } from "../platform/link-error.ts";
import { pause } from "../platform/pause.ts";
import type { MachineError, MachineLook, StoreTurn, WatchMachinesOptions } from "./machine-access.ts";
import type { RedisImage } from "./redis-image.ts";
import { listOf, streamRows } from "./redis-rows.ts";
import type { LooksOptions, SharedLook } from "./shared-machines.ts";

/** What somebody changes by hand leaves no word in the feed. */
const RESCAN_MS = 5000;
/** A burst of writes is one look. */
const GAP_MS = 10;
/** Before the first attempt to connect again, and at most between two: a server that is back is seen within five seconds. */
const RETRY_MS = { first: 250, most: 5000 };
/** A hundred who wait for the same server do not knock at the same time. */
const JITTER = 0.5;

/**
 * Waits for the feed, and fetches the machines again: at once, after each word in it, and every few seconds. A server
 * that is lost is connected to again, for as long as `retryMs` says; what it is told by then is no less for that, since
 * everything is fetched anew.
 */
export async function* redisLooks(
  image: RedisImage,
  { signal, rescanMs = RESCAN_MS, gapMs = GAP_MS, retryMs = 0 }: LooksOptions,
): AsyncGenerator<SharedLook> {
  // A request that waits on the server ends with its connection.
  signal.addEventListener("abort", image.close);
  let touched: ReadonlySet<RoleName> | null = null;
  let turn: StoreTurn | null = null;
  try {
    while (!signal.aborted) {
      const fetched: Result<unknown, LinkError> = await image.fetchAll();
      if (signal.aborted) return;
      let trouble: LinkError | null = null;
      if (fetched.ok) {
        yield { touched, turn, lost: null };
        turn = null;
        await pause(gapMs, signal);
        if (signal.aborted) return;
        const news = await nextNews(image, rescanMs);
        if (signal.aborted) return;
        if (news.ok) touched = news.value;
        else trouble = news.error;
      } else trouble = fetched.error;
      if (trouble === null) continue;
      if (trouble.kind === "refused" || retryMs === 0) {
        yield { touched: null, turn: null, lost: image.unreachable(trouble) };
        return;
      }
      yield { touched: null, turn: { kind: "gone", error: image.unreachable(trouble), retryMs }, lost: null };
      const again = await reconnected(image, signal, retryMs);
      if (signal.aborted) return;
      if (!again.ok) {
        yield { touched: null, turn: null, lost: image.unreachable(again.error) };
        return;
      }
      touched = null;
      turn = { kind: "back", path: image.shown, afterMs: again.value };
    }
  } finally {
    signal.removeEventListener("abort", image.close);
  }
}

/** The roles that the feed tells of, or null where it tells of none for so long. */
async function nextNews(image: RedisImage, rescanMs: number): Promise<Result<ReadonlySet<RoleName> | null, LinkError>> {
  const words = ["XREAD", "COUNT", "1000", "BLOCK", String(rescanMs), "STREAMS", image.keys.feed, image.feedId()];
  const reply = await image.send(words, rescanMs);
  if (!reply.ok) return reply;
  const [stream] = listOf(reply.value);
  const rows = streamRows(listOf(stream)[1]);
  return ok(rows.length === 0 ? null : new Set(rows.flatMap(({ value }) => roleOfMachine(value) ?? [])));
}

/** Connects again, each time after a longer pause; gives how long that took, in milliseconds, or what it ended with. */
async function reconnected(
  image: RedisImage,
  signal: AbortSignal,
  retryMs: number,
): Promise<Result<number, LinkError>> {
  const began = monotonicMs();
  for (let pauseMs = RETRY_MS.first; ; pauseMs = Math.min(pauseMs * 2, RETRY_MS.most)) {
    const left = began + retryMs - monotonicMs();
    await pause(Math.max(0, Math.min(left, pauseMs * (1 + (Math.random() - 0.5) * JITTER))), signal);
    const tried = await image.reconnect(signal);
    const tookMs = monotonicMs() - began;
    if (tried.ok) return ok(tookMs);
    if (signal.aborted || tried.error.kind === "refused" || tookMs >= retryMs) return err(tried.error);
  }
}

/** As `watchMachines`, over a store that is shared. */
export async function* watchRedis(
  image: RedisImage,
  { roles, signal, retryMs = 0 }: WatchMachinesOptions,
): AsyncGenerator<MachineLook> {
  const seen = new Map<RoleName, SeenMachine>();
  const known = new Map<RoleName, number>();
  const problems = new Map<RoleName, MachineError>();
  let first = true;
  for await (const { lost, turn } of redisLooks(image, { signal, retryMs })) {
    if (lost !== null) {
      yield { changes: [], machines: new Map(seen), problems, turn: null, lost };
      return;
    }
    if (turn?.kind === "gone") {
      yield { changes: [], machines: new Map(seen), problems, turn, lost: null };
      continue;
    }
    const changes: MachineChange[] = [];
    for (const role of new Set([...seen.keys(), ...(roles ?? image.roles())])) {
      const machine = image.read(role);
      if (!machine.ok) {
        problems.set(role, machine.error);
        continue;
      }
      problems.delete(role);
      const before = seen.get(role) ?? null;
      const record = machine.value?.record ?? null;
      const after = record === null ? null : { state: record.state, revision: record.revision };
      // What a role did before the first look is past.
      if (!first && (before?.revision !== after?.revision || before?.state !== after?.state)) {
        const entries =
          after === null ? ok([]) : await image.transitionsBetween(role, known.get(role) ?? 0, after.revision);
        if (!entries.ok) {
          if (entries.error.kind !== "refused") break;
          yield { changes, machines: new Map(seen), problems, turn, lost: image.unreachable(entries.error) };
          return;
        }
        changes.push(...changesBetween(role, before, after, entries.value));
      }
      // Only now: a role whose history is lost on the way is looked at again from where it was seen.
      if (after === null) seen.delete(role);
      else {
        seen.set(role, after);
        known.set(role, after.revision);
      }
    }
    if (first || changes.length > 0 || turn !== null) {
      yield { changes, machines: new Map(seen), problems, turn, lost: null };
    }
    first = false;
  }
}
