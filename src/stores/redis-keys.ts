import type { MachineName } from "../lifecycle/role.ts";

/** Every key of a project, spelled once. The braces keep them on one node of a cluster. */
export interface RedisKeys {
  /** A hash: machine name to the text of its env file. */
  readonly machines: string;
  /** A hash: texts that could not be read as a machine, by machine and time. */
  readonly setAside: string;
  /** A stream: a word for each write, for those who wait. */
  readonly feed: string;
  /** A stream for each role: its transitions, with the revision for an id. */
  readonly history: (machine: MachineName) => string;
  /** Says that a step which had been noted was done. */
  readonly once: (id: string) => string;
}

/** The keys of the project that `prefix` names. */
export function redisKeys(prefix: string): RedisKeys {
  const base = `context:{${prefix}}`;
  return {
    machines: `${base}:machines`,
    setAside: `${base}:set-aside`,
    feed: `${base}:feed`,
    history: (machine) => `${base}:history:${machine}`,
    once: (id) => `${base}:once:${id}`,
  };
}
