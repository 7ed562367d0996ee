import type { RedisLink, Reply } from "../platform/redis-link.ts";
import type { Durability } from "./shared-machines.ts";

/** What a server may forget; null where its user may not ask. */
export async function redisDurability(send: RedisLink["send"]): Promise<Durability | null> {
  const info = await send(["INFO"]);
  if (!info.ok || typeof info.value !== "string") return null;
  const facts = new Map(
    info.value.split("\r\n").flatMap((line) => {
      const at = line.indexOf(":");
      return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
    }),
  );
  const limit = Number(facts.get("maxmemory") ?? 0);
  const policy = facts.get("maxmemory_policy") ?? "noeviction";
  // The `volatile-` rules delete only what was given an end.
  const evicts = limit > 0 && policy.startsWith("allkeys-") ? policy : null;
  if (facts.get("aof_enabled") === "1") return { evicts, survives: true };
  const saves = await send(["CONFIG", "GET", "save"]);
  return { evicts, survives: saves.ok ? savesAtTimes(saves.value) : null };
}

function savesAtTimes(reply: Reply): boolean | null {
  const value = Array.isArray(reply) ? reply[1] : undefined;
  return typeof value === "string" ? value !== "" : null;
}
