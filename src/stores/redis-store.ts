import { invariant } from "../base/invariant.ts";
import { err, ok, type Result } from "../base/result.ts";
import { machineName, type RoleName } from "../lifecycle/role.ts";
import type { LinkError } from "../platform/link-error.ts";
import { openRedis } from "../platform/redis-link.ts";
import { redisDurability } from "./redis-durability.ts";
import { type RedisImage, type RedisStoreOptions, redisImage } from "./redis-image.ts";
import { transitions } from "./redis-rows.ts";
import { transactInRedis } from "./redis-transaction.ts";
import { redisLooks, watchRedis } from "./redis-watch.ts";
import type { SharedMachines } from "./shared-machines.ts";

/** Connects, and fetches the project's machines. */
export async function openRedisStore(options: RedisStoreOptions): Promise<Result<SharedMachines, LinkError>> {
  const opened = await openRedis(options);
  if (!opened.ok) return opened;
  const image = redisImage(opened.value, options);
  const fetched = await image.fetchAll();
  if (fetched.ok) return ok(machinesOf(image, options));
  opened.value.close();
  return fetched;
}

function machinesOf(image: RedisImage, { shown, offline }: RedisStoreOptions): SharedMachines {
  const histories = new Map<RoleName, ReturnType<typeof transitions>>();
  return {
    connected: true,
    shown,
    trouble: null,
    offline,
    place: image.place,
    // No prefix has a quote in it.
    removal: (role) => `redis-cli -u "$CONTEXT_STORE" HDEL '${image.keys.machines}' ${machineName(role)}`,
    read: image.read,
    list: () => ok([...image.roles()].sort()),
    history: (role, reached) => {
      const known = histories.get(role) ?? { entries: [], broken: 0 };
      const entries = known.entries.filter(({ revision }) => reached === null || revision <= reached);
      return ok({ entries, broken: known.broken });
    },
    historyRevision: (role) => {
      const end = image.lastRevision(role);
      invariant(end !== undefined, "a role's last revision is asked for in its transaction");
      return end;
    },
    refresh: async () => {
      let fetched = await image.fetchAll();
      if (!fetched.ok && fetched.error.kind === "lost") {
        const again = await image.reconnect();
        fetched = again.ok ? await image.fetchAll() : again;
      }
      return fetched.ok ? fetched : err(image.unreachable(fetched.error));
    },
    fetchHistories: async (roles) => {
      for (const role of roles ?? image.roles()) {
        const rows = await image.historyRows(role, "-", "+");
        if (!rows.ok) return err(image.unreachable(rows.error));
        histories.set(role, transitions(rows.value));
      }
      return ok(undefined);
    },
    transact: (role, asked, work) => transactInRedis(image, role, asked, work),
    watch: (watching) => watchRedis(image, watching),
    looks: (looking) => redisLooks(image, looking),
    durability: () => redisDurability(image.send),
    close: image.close,
  };
}
