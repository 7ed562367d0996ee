import type { MachineName } from "./role.ts";
import { isLifecycleState, LIFECYCLE_STATES, type LifecycleState } from "./states.ts";

/**
 * The machine as the OOSH shell framework stores it: a bash array `<machine>_STATES` of names by number and
 * `<machine>_STATE_ID`, the number of the current one. It is read as text, never run, and kept, so that the old tools go
 * on reading the file.
 */
export interface LegacyForm {
  readonly id: number;
  /** The name that the array gives to the id; null where the array is absent or does not hold it. */
  readonly name: string | null;
  /** Numbers by name, the array's own where it has them. */
  readonly ids: Readonly<Record<LifecycleState, number>>;
  /** A number that one of our states needs and that the array gives to something else; null where there is none. */
  readonly taken: { readonly id: number; readonly name: string; readonly state: LifecycleState } | null;
}

/** The numbers that OOSH gives to the lifecycle's states. */
const DEFAULT_IDS = {
  active: 11,
  saving: 12,
  saved: 13,
  compacting: 14,
  recovering: 15,
} satisfies Record<LifecycleState, number>;

export function readLegacyForm(text: string, machine: MachineName): LegacyForm | null {
  // Nearly no file has it, and a pattern for each machine's name is compiled anew.
  // Stryker disable next-line all: it saves time alone.
  if (!text.includes(`${machine}_STATE_ID=`)) return null;
  // Of several, the last: it is what counts when the file is sourced.
  const id = [...text.matchAll(idPattern(machine))].at(-1)?.[3];
  if (id === undefined) return null;
  const names = stateNames(text, machine);
  const name = names.get(Number(id)) ?? null;
  const ids = { ...DEFAULT_IDS };
  for (const [number, named] of names) if (isLifecycleState(named)) ids[named] = number;
  if (name !== null && isLifecycleState(name)) ids[name] = Number(id);
  return { id: Number(id), name, ids, taken: takenId(names, ids) };
}

function takenId(
  names: ReadonlyMap<number, string>,
  ids: Readonly<Record<LifecycleState, number>>,
): LegacyForm["taken"] {
  for (const state of LIFECYCLE_STATES) {
    const name = names.get(ids[state]);
    if (name !== undefined && name !== state) return { id: ids[state], name, state };
  }
  return null;
}

/** The state that the id stands for, or null where it stands for none of the lifecycle's. */
export function stateOfId(legacy: LegacyForm): LifecycleState | null {
  if (legacy.name !== null) return isLifecycleState(legacy.name) ? legacy.name : null;
  return LIFECYCLE_STATES.find((state) => legacy.ids[state] === legacy.id) ?? null;
}

/** The text with `<machine>_STATE_ID` set to the number of `state`; every other byte stays. */
export function setLegacyState(text: string, machine: MachineName, legacy: LegacyForm, state: LifecycleState): string {
  return text.replace(
    idPattern(machine),
    (_all, before: string, quote: string) => `${before}${quote}${legacy.ids[state]}${quote}`,
  );
}

/** `oosh_expert_STATE_ID=11`, also exported, declared, or quoted. A machine's name holds no character special to a pattern. */
function idPattern(machine: MachineName): RegExp {
  return new RegExp(
    `^((?:export |declare -[a-zA-Z-]+ )?${machine}_STATE_ID=)(["']?)([0-9]{1,9})\\2(?=[ \\t;]|\\r?$)`,
    "gm",
  );
}

/** Names by number from `NAME=([0]="a" …)`, `NAME=( a b )` and `NAME[3]=a`. */
function stateNames(text: string, machine: MachineName): Map<number, string> {
  const names = new Map<number, string>();
  const opening = new RegExp(`(?<![A-Za-z0-9_])${machine}_STATES=\\(`).exec(text);
  if (opening !== null) {
    const from = opening.index + opening[0].length;
    const close = text.indexOf(")", from);
    let next = 0;
    for (const [, index, double, single, plain] of text
      .slice(from, close === -1 ? text.length : close)
      .matchAll(/(?:\[(\d{1,9})\]=)?(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'\\()[\]=]+))/g)) {
      const number = index === undefined ? next : Number(index);
      names.set(number, double ?? single ?? plain ?? "");
      next = number + 1;
    }
  }
  const element = new RegExp(`^${machine}_STATES\\[(\\d{1,9})\\]=["']?([^"'\\s]*)["']?[ \\t]*\\r?$`, "gm");
  for (const [, index, name] of text.matchAll(element)) names.set(Number(index), name ?? "");
  return names;
}
