import { invariant } from "../base/invariant.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { HistoryEntry } from "../lifecycle/advance.ts";
import { machineName, type RoleName } from "../lifecycle/role.ts";
import { formatMachine, parseMachine, type StoredMachine } from "../lifecycle/snapshot.ts";
import { monotonicMs } from "../platform/clock.ts";
import type { LinkError } from "../platform/link-error.ts";
import { type LinkOptions, openRedis, type RedisLink, type Reply } from "../platform/redis-link.ts";
import type { MachineError, MachineUpdate } from "./machine-store.ts";
import { redisDurability } from "./redis-durability.ts";
import { type RedisKeys, redisKeys } from "./redis-keys.ts";
import { lastRevision, machineTexts, streamRows, transitions } from "./redis-rows.ts";
import { WRITE_MACHINE } from "./redis-script.ts";
import { redisLooks, watchRedis } from "./redis-watch.ts";
import type { MachineWork, SharedMachines, SharedTransactionOptions } from "./shared-machines.ts";

export interface RedisStoreOptions extends LinkOptions {
  /** The address without its secrets. */
  readonly shown: string;
  readonly prefix: string;
  readonly offline: SharedMachines["offline"];
}

/** What the parts of the store share: the connection, and what was last fetched. */
export interface RedisImage {
  readonly keys: RedisKeys;
  readonly send: RedisLink["send"];
  /** A connection's trouble as a machine's. */
  readonly unreachable: (error: LinkError) => MachineError;
  readonly read: SharedMachines["read"];
  readonly roles: () => readonly RoleName[];
  readonly fetchAll: () => Promise<Result<void, LinkError>>;
  /** The transitions after a revision, up to another one. */
  readonly transitionsBetween: (
    role: RoleName,
    after: number,
    reached: number,
  ) => Promise<Result<readonly HistoryEntry[], LinkError>>;
  /** An id of the feed: what was written before it had been fetched. */
  readonly feedId: () => string;
  /** Connects anew: one attempt. */
  readonly reconnect: (signal?: AbortSignal) => Promise<Result<void, LinkError>>;
  /** The server's address, without its secrets. */
  readonly shown: string;
  readonly close: () => void;
}

/** A history is fetched in pieces: the answers stay small, and so does the time that others wait. */
const PIECE = 5000;
/** Wakes who waits; what happened is read from the histories, so nothing is lost with what is cut off. */
const FEED_LENGTH = 1000;
/** A note that has not been told after so long tells nothing any more. */
const ONCE_SECONDS = 90 * 24 * 60 * 60;
/** The most that a process waits before it tries again what another one was faster with. */
const PAUSE_MS = 20;

/** Connects, and fetches the project's machines. */
export async function openRedisStore(options: RedisStoreOptions): Promise<Result<SharedMachines, LinkError>> {
  const opened = await openRedis(options);
  if (!opened.ok) return opened;
  const store = redisStore(opened.value, options);
  const fetched = await store.fetchAll();
  if (fetched.ok) return ok(store.machines);
  opened.value.close();
  return fetched;
}

function redisStore(first: RedisLink, options: RedisStoreOptions) {
  const { shown, prefix, offline } = options;
  let link = first;
  let isClosed = false;
  const keys = redisKeys(prefix);
  const texts = new Map<RoleName, string>();
  const ends = new Map<RoleName, number>();
  const histories = new Map<RoleName, ReturnType<typeof transitions>>();
  let feedId = "0-0";

  const place = (role: RoleName): string => `${shown} ${keys.machines} ${machineName(role)}`;
  const unreachable = ({ message }: LinkError): MachineError => ({ problem: "unreachable", path: shown, message });
  const ask = async (words: readonly string[]): Promise<Result<Reply, MachineError>> => {
    const reply = await link.send(words);
    return reply.ok ? reply : err(unreachable(reply.error));
  };

  const fetchAll = async (): Promise<Result<void, LinkError>> => {
    // The feed's end first: what is written in between is seen twice, not missed.
    const [last, all] = await Promise.all([
      link.send(["XREVRANGE", keys.feed, "+", "-", "COUNT", "1"]),
      link.send(["HGETALL", keys.machines]),
    ]);
    if (!last.ok) return last;
    if (!all.ok) return all;
    // A feed that begins anew has lower ids.
    feedId = streamRows(last.value)[0]?.id ?? "0-0";
    texts.clear();
    for (const [role, text] of machineTexts(all.value)) texts.set(role, text);
    return ok(undefined);
  };

  const fetchOne = async (role: RoleName): Promise<Result<void, MachineError>> => {
    const machine = machineName(role);
    const [text, end] = await Promise.all([
      ask(["HGET", keys.machines, machine]),
      ask(["XREVRANGE", keys.history(machine), "+", "-", "COUNT", "1"]),
    ]);
    if (!text.ok) return text;
    if (!end.ok) return end;
    if (typeof text.value === "string") texts.set(role, text.value);
    else texts.delete(role);
    ends.set(role, lastRevision(end.value));
    return ok(undefined);
  };

  const read: SharedMachines["read"] = (role) => {
    const text = texts.get(role);
    if (text === undefined) return ok(null);
    const parsed = parseMachine(text, machineName(role));
    if (parsed.ok) return parsed;
    return err({ problem: parsed.error.problem, path: place(role), message: parsed.error.message });
  };

  const range = async (role: RoleName, from: string, to: string) => {
    const rows: ReturnType<typeof streamRows>[number][] = [];
    for (let start = from; ; ) {
      const key = keys.history(machineName(role));
      const reply = await link.send(["XRANGE", key, start, to, "COUNT", String(PIECE)]);
      if (!reply.ok) return reply;
      const piece = streamRows(reply.value);
      rows.push(...piece);
      const last = piece.at(-1);
      if (last === undefined || piece.length < PIECE) return ok(rows);
      start = `(${last.id}`;
    }
  };

  const transitionsBetween: RedisImage["transitionsBetween"] = async (role, after, reached) => {
    if (reached <= after) return ok([]);
    const rows = await range(role, String(after + 1), String(reached));
    return rows.ok ? ok(transitions(rows.value).entries) : rows;
  };

  const write = async (
    role: RoleName,
    { once }: SharedTransactionOptions,
    change: { text: string; update: MachineUpdate | null; setAside: string },
  ): Promise<Result<"done" | "changed" | "before", MachineError>> => {
    const machine = machineName(role);
    const lines = (change.update?.history ?? []).flatMap((entry) => [String(entry.revision), JSON.stringify(entry)]);
    const reply = await link.send([
      "EVAL",
      WRITE_MACHINE,
      "5",
      keys.machines,
      keys.history(machine),
      keys.feed,
      keys.setAside,
      keys.once(once ?? "none"),
      machine,
      texts.get(role) ?? "",
      change.text,
      once === undefined || change.setAside !== "" ? "0" : String(ONCE_SECONDS),
      change.setAside,
      String(FEED_LENGTH),
      ...lines,
    ]);
    const unknown = `; whether the step of ${role} was done is not known`;
    if (!reply.ok) {
      const { kind, message } = reply.error;
      // An answer says that nothing was written.
      return err({ problem: "unreachable", path: shown, message: message + (kind === "lost" ? unknown : "") });
    }
    if (reply.value === 0) return ok("changed");
    if (reply.value === 2) return ok("before");
    if (reply.value !== 1) {
      return err({ problem: "unreachable", path: shown, message: `gives another answer than its script${unknown}` });
    }
    if (change.text === "") texts.delete(role);
    else texts.set(role, change.text);
    return ok("done");
  };

  const transact = async <T>(
    role: RoleName,
    asked: SharedTransactionOptions,
    work: MachineWork<T>,
  ): Promise<Result<T, MachineError>> => {
    const began = monotonicMs();
    let kept: string | null = null;
    for (let attempt = 1; ; attempt++) {
      const fetched = await fetchOne(role);
      if (!fetched.ok) return fetched;
      const current = read(role);
      let outcome: Result<"done" | "changed" | "before", MachineError>;
      if (!current.ok) {
        if (!asked.setAside(current.error.problem)) return current;
        const name = `${machineName(role)}.corrupt-${asked.now.toISOString().replace(/[-:]|\.\d+/g, "")}`;
        outcome = await write(role, asked, { text: "", update: null, setAside: name });
        if (!outcome.ok) return outcome;
        if (outcome.value === "done") kept = `${shown} ${keys.setAside} ${name}`;
      } else {
        const { update, result } = work(goneOn(current.value, ends.get(role) ?? 0), kept);
        if (update === null) return ok(result);
        outcome = await write(role, asked, { text: formatMachine(update.stored), update, setAside: "" });
        if (!outcome.ok) return outcome;
        if (outcome.value !== "changed") return ok(result);
      }
      const waitedMs = Math.round(monotonicMs() - began);
      if (waitedMs > asked.waitMs) {
        const message = `was changed by others at each of ${attempt} attempts, for ${waitedMs} ms`;
        return err({ problem: "locked", path: place(role), message });
      }
      // Who was slower once would be so again, in step with the others.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(attempt, PAUSE_MS)));
    }
  };

  const reconnect: RedisImage["reconnect"] = async (signal) => {
    link.close();
    const opened = await openRedis(signal === undefined ? options : { ...options, signal });
    if (!opened.ok) return opened;
    link = opened.value;
    // Whoever closed the store meanwhile meant this one as well.
    if (isClosed) link.close();
    return ok(undefined);
  };
  const close = (): void => {
    isClosed = true;
    link.close();
  };

  const image: RedisImage = {
    keys,
    send: (words, moreMs) => link.send(words, moreMs),
    unreachable,
    read,
    roles: () => [...texts.keys()],
    fetchAll,
    transitionsBetween,
    feedId: () => feedId,
    reconnect,
    shown,
    close,
  };
  const machines: SharedMachines = {
    connected: true,
    shown,
    trouble: null,
    offline,
    place,
    read,
    list: () => ok([...texts.keys()].sort()),
    history: (role, reached) => {
      const known = histories.get(role) ?? { entries: [], broken: 0 };
      const entries = known.entries.filter(({ revision }) => reached === null || revision <= reached);
      return ok({ entries, broken: known.broken });
    },
    historyRevision: (role) => {
      const end = ends.get(role);
      invariant(end !== undefined, "a role's last revision is asked for in its transaction");
      return end;
    },
    refresh: async () => {
      let fetched = await fetchAll();
      if (!fetched.ok && fetched.error.kind === "lost") {
        const again = await reconnect();
        fetched = again.ok ? await fetchAll() : again;
      }
      return fetched.ok ? fetched : err(unreachable(fetched.error));
    },
    fetchHistories: async (roles) => {
      for (const role of roles ?? [...texts.keys()]) {
        const rows = await range(role, "-", "+");
        if (!rows.ok) return err(unreachable(rows.error));
        histories.set(role, transitions(rows.value));
      }
      return ok(undefined);
    },
    transact,
    watch: (watching) => watchRedis(image, watching),
    looks: (looking) => redisLooks(image, looking),
    durability: () => redisDurability(link.send),
    close,
  };
  return { machines, fetchAll };
}

/** A machine that was put back to an earlier day goes on where its history ends. */
function goneOn(stored: StoredMachine | null, end: number): StoredMachine | null {
  if (stored === null || stored.record.revision >= end) return stored;
  return { ...stored, record: { ...stored.record, revision: end } };
}
