import type { DoctorFacts, ExpectedHook, HookEntry } from "./facts.ts";

/** Every hook of ours, whichever file registers it. */
export function allHooks({ levels }: DoctorFacts): readonly HookEntry[] {
  return levels.flatMap(({ hooks }) => hooks);
}

/** What is to be registered, by event and hook. */
export function expectedByHook({ expected }: DoctorFacts): readonly (readonly [ExpectedHook, ...ExpectedHook[]])[] {
  const groups = new Map<string, [ExpectedHook, ...ExpectedHook[]]>();
  for (const hook of expected) {
    const key = `${hook.event} ${hook.hook}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [hook]);
    else group.push(hook);
  }
  return [...groups.values()];
}

/** Items by a key, in the order in which the keys are met. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
