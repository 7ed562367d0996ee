import type { DoctorFacts, ExpectedHook, HookEntry } from "./facts.ts";

/** Every hook of ours, whichever file registers it. */
export function allHooks({ levels }: DoctorFacts): readonly HookEntry[] {
  return levels.flatMap(({ hooks }) => hooks);
}

/** What is to be registered, by event and hook. */
export function expectedByHook({ expected }: DoctorFacts): readonly Group<ExpectedHook>[] {
  return groupBy(expected, ({ event, hook }) => `${event} ${hook}`);
}

/** One item at least. */
export type Group<T> = readonly [T, ...T[]];

/** Items by a key, in the order in which the keys are met. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly Group<T>[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
