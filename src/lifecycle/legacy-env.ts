import type { EnvItem } from "../base/env-text.ts";
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
  /** The array never ends, so that nobody can tell what it holds. */
  readonly unclosed: boolean;
}

/** The numbers that OOSH gives to the lifecycle's states. */
const DEFAULT_IDS = {
  active: 11,
  saving: 12,
  saved: 13,
  compacting: 14,
  recovering: 15,
} satisfies Record<LifecycleState, number>;

/** The form in a text and its statements; null where there is none. */
export function readLegacyForm(text: string, items: readonly EnvItem[], machine: MachineName): LegacyForm | null {
  // Nearly no file has it, and a pattern for each machine's name is compiled anew.
  // Stryker disable next-line all: it saves time alone.
  if (!text.includes(`${machine}_STATE_ID=`)) return null;
  // Of several, the last: it is what counts when the file is sourced.
  const id = [...text.matchAll(idPattern(machine))].at(-1)?.[3];
  if (id === undefined) return null;
  const closed = stateNames(items, machine);
  const names = closed ?? new Map<number, string>();
  const name = names.get(Number(id)) ?? null;
  const ids = { ...DEFAULT_IDS };
  for (const [number, named] of names) if (isLifecycleState(named)) ids[named] = number;
  if (name !== null && isLifecycleState(name)) ids[name] = Number(id);
  return { id: Number(id), name, ids, taken: takenId(names, ids), unclosed: closed === null };
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

/** A word of an array with the number before it, a comment, or the closing parenthesis; what is between is of no matter. */
const WORD = /(?:\[(\d{1,9})\]=)?(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'\\()[\]=#][^\s"'\\()[\]=]*))|#[^\n]*|(\))/g;

/**
 * Names by number from `NAME=([0]="a" …)`, `NAME=( a b )` and `NAME[3]=a`, each the beginning of a statement: what a comment
 * or another statement's quotes hold is none. Null where the array never closes.
 */
function stateNames(items: readonly EnvItem[], machine: MachineName): Map<number, string> | null {
  const head = `^[ \\t]*(?:(?:export|declare -[a-zA-Z-]+)[ \\t]+)?${machine}_STATES`;
  const array = new RegExp(`${head}=\\(`);
  const element = new RegExp(`${head}\\[(\\d{1,9})\\]=["']?([^"'\\s]*)["']?[ \\t]*\\r?\\n?$`);
  let names = new Map<number, string>();
  for (const item of items) {
    if (item.kind !== "other") continue;
    const opening = array.exec(item.raw);
    if (opening !== null) {
      if (item.open === true) return null;
      names = arrayNames(item.raw.slice(opening[0].length));
    }
    const [, index, name] = element.exec(item.raw) ?? [];
    if (index !== undefined) names.set(Number(index), name ?? "");
    // A shell takes all that follows for a part of it.
    if (item.open === true) break;
  }
  return names;
}

function arrayNames(text: string): Map<number, string> {
  const names = new Map<number, string>();
  let next = 0;
  for (const [, index, double, single, plain, close] of text.matchAll(WORD)) {
    if (close !== undefined) break;
    const name = double ?? single ?? plain;
    if (name === undefined) continue;
    const number = index === undefined ? next : Number(index);
    names.set(number, name);
    next = number + 1;
  }
  return names;
}
