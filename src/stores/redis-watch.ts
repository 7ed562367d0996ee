import { changesBetween, type MachineChange, type SeenMachine } from "../lifecycle/machine-change.ts";
import { type RoleName, roleOfMachine } from "../lifecycle/role.ts";
import type { MachineError } from "./machine-store.ts";
import { listOf, streamRows } from "./redis-rows.ts";
import type { RedisImage } from "./redis-store.ts";
import type { LooksOptions, SharedLook } from "./shared-machines.ts";
import type { MachineLook, WatchMachinesOptions } from "./watch-machines.ts";

/** What somebody changes by hand leaves no word in the feed. */
const RESCAN_MS = 5000;
/** A burst of writes is one look. */
const GAP_MS = 10;

/** Waits for the feed, and fetches the machines again: at once, after each word in it, and every few seconds. */
export async function* redisLooks(
  image: RedisImage,
  { signal, rescanMs = RESCAN_MS, gapMs = GAP_MS }: LooksOptions,
): AsyncGenerator<SharedLook> {
  // A request that waits on the server ends with its connection.
  signal.addEventListener("abort", image.close);
  try {
    let touched: ReadonlySet<RoleName> | null = null;
    while (!signal.aborted) {
      const fetched = await image.fetchAll();
      if (signal.aborted) return;
      yield { touched, lost: fetched.ok ? null : fetched.error };
      if (!fetched.ok || signal.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, gapMs));
      const words = ["XREAD", "COUNT", "1000", "BLOCK", String(rescanMs), "STREAMS", image.keys.feed, image.feedId()];
      const reply = await image.ask(words, rescanMs);
      if (signal.aborted) return;
      if (!reply.ok) {
        yield { touched: null, lost: reply.error };
        return;
      }
      const [stream] = listOf(reply.value);
      const rows = streamRows(listOf(stream)[1]);
      touched = rows.length === 0 ? null : new Set(rows.flatMap(({ value }) => roleOfMachine(value) ?? []));
    }
  } finally {
    signal.removeEventListener("abort", image.close);
  }
}

/** As `watchMachines`, over a store that is shared. */
export async function* watchRedis(
  image: RedisImage,
  { roles, signal }: WatchMachinesOptions,
): AsyncGenerator<MachineLook> {
  const seen = new Map<RoleName, SeenMachine>();
  const known = new Map<RoleName, number>();
  const problems = new Map<RoleName, MachineError>();
  let first = true;
  for await (const { lost } of redisLooks(image, { signal })) {
    if (lost !== null) {
      yield { changes: [], machines: new Map(seen), problems, lost };
      return;
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
      if (after === null) seen.delete(role);
      else seen.set(role, after);
      const since = known.get(role) ?? 0;
      if (after !== null) known.set(role, after.revision);
      // What a role did before the first look is past.
      if (first || (before?.revision === after?.revision && before?.state === after?.state)) continue;
      const entries = after === null ? null : await image.transitionsBetween(role, since, after.revision);
      if (entries !== null && !entries.ok) {
        yield { changes, machines: new Map(seen), problems, lost: entries.error };
        return;
      }
      changes.push(...changesBetween(role, before, after, entries?.value ?? []));
    }
    if (first || changes.length > 0) yield { changes, machines: new Map(seen), problems, lost: null };
    first = false;
  }
}
