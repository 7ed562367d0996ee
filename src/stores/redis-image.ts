import { err, ok, type Result } from "../base/result.ts";
import type { HistoryEntry } from "../lifecycle/advance.ts";
import { machineName, type RoleName } from "../lifecycle/role.ts";
import { parseMachine } from "../lifecycle/snapshot.ts";
import type { LinkError } from "../platform/link-error.ts";
import { type LinkOptions, openRedis, type RedisLink, type Reply } from "../platform/redis-link.ts";
import type { MachineError } from "./machine-access.ts";
import { type RedisKeys, redisKeys } from "./redis-keys.ts";
import { lastRevision, machineTexts, type StreamRow, streamRows, transitions } from "./redis-rows.ts";
import type { SharedMachines } from "./shared-machines.ts";

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
  /** The place of a role's machine, for a message. */
  readonly place: (role: RoleName) => string;
  readonly read: SharedMachines["read"];
  /** A machine as it is stored; empty where the role has none. */
  readonly textOf: (role: RoleName) => string;
  /** What was written is known without being fetched. */
  readonly setText: (role: RoleName, text: string) => void;
  readonly roles: () => readonly RoleName[];
  /** The last revision of a role's history, where `fetchOne` fetched it. */
  readonly lastRevision: (role: RoleName) => number | undefined;
  readonly fetchAll: () => Promise<Result<void, LinkError>>;
  readonly fetchOne: (role: RoleName) => Promise<Result<void, MachineError>>;
  /** Entries of a role's history by their ids; `-` and `+` are the ends. */
  readonly historyRows: (role: RoleName, from: string, to: string) => Promise<Result<readonly StreamRow[], LinkError>>;
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

/** What is known of the store over a connection that was just opened: nothing, until it is fetched. */
export function redisImage(first: RedisLink, options: RedisStoreOptions): RedisImage {
  const { shown, prefix } = options;
  let link = first;
  let isClosed = false;
  const keys = redisKeys(prefix);
  const texts = new Map<RoleName, string>();
  const ends = new Map<RoleName, number>();
  let feedId = "0-0";

  const place = (role: RoleName): string => `${shown} ${keys.machines} ${machineName(role)}`;
  const unreachable = ({ message, kind }: LinkError): MachineError => ({
    ...{ problem: "unreachable", path: shown, message },
    refused: kind === "refused",
  });
  const ask = async (words: readonly string[]): Promise<Result<Reply, MachineError>> => {
    const reply = await link.send(words);
    return reply.ok ? reply : err(unreachable(reply.error));
  };

  const setText = (role: RoleName, text: string): void => {
    if (text === "") texts.delete(role);
    else texts.set(role, text);
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
    setText(role, typeof text.value === "string" ? text.value : "");
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

  const historyRows: RedisImage["historyRows"] = async (role, from, to) => {
    const rows: StreamRow[] = [];
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
    const rows = await historyRows(role, String(after + 1), String(reached));
    return rows.ok ? ok(transitions(rows.value).entries) : rows;
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

  return {
    keys,
    send: (words, moreMs) => link.send(words, moreMs),
    unreachable,
    place,
    read,
    textOf: (role) => texts.get(role) ?? "",
    setText,
    roles: () => [...texts.keys()],
    lastRevision: (role) => ends.get(role),
    fetchAll,
    fetchOne,
    historyRows,
    transitionsBetween,
    feedId: () => feedId,
    reconnect,
    shown,
    close,
  };
}
