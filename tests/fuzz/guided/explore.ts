import { random } from "../random.ts";
import { reached } from "./reached.ts";
import { shrink } from "./shrink.ts";
import { vary } from "./vary.ts";

/** What a new input may cost more, to be made as short as its new places allow. */
const TRIES_TO_SHORTEN = 40;
/** Runs that may be spent on a finding, so that a person sees what it is about. */
const TRIES_FOR_A_FINDING = 400;
/** Of this many drawn inputs the one is taken that the least was spent on. */
const DRAWN = 4;

export interface Field {
  /** Numbers that look random begin with it. */
  readonly name: string;
  readonly seeds: readonly string[];
  /** Counts in `hits` what it enters; throws where something is wrong. */
  readonly check: (text: string) => void;
  readonly hits: Uint32Array;
  /** What the code that the seeds reach compares with: asked once, after they were run. */
  readonly words: (entered: (block: number) => boolean) => readonly string[];
  /** Without it nothing is kept but the seeds: what guidance is worth is the difference. */
  readonly guided: boolean;
  readonly onKept: (text: string) => void;
  readonly onFinding: (text: string, error: unknown) => void;
  /** Told of each text before it is run. */
  readonly onRun: (text: string) => void;
}

interface Kept {
  readonly text: string;
  /** Characters that were run for it: time would make another run of the same seed another one. */
  spent: number;
}

export interface Exploration {
  /** Runs one more input. */
  readonly step: () => void;
  /** Blocks entered by the seeds, and by all. */
  readonly blocks: () => { readonly bySeeds: number; readonly all: number };
  readonly has: (block: number) => boolean;
  readonly kept: () => number;
  readonly inputs: () => number;
}

/** Thrown by a check that took too long: hundreds of shorter ones would take longer. */
export class TooSlow extends Error {}

/** Inputs made of inputs: one that comes to a place where none was before is kept, and others are made of it. */
export function explore(field: Field): Exploration {
  const chance = random(field.name);
  const places = reached(field.hits.length);
  const kept: Kept[] = [];
  const kinds = new Set<string>();
  let inputs = 0;

  const run = (text: string): unknown => {
    field.onRun(text);
    field.hits.fill(0);
    try {
      field.check(text);
      return null;
    } catch (error) {
      return error ?? new Error("thrown: nothing");
    }
  };
  const found = (text: string, error: unknown): void => {
    const kind = kindOf(error);
    if (kinds.has(kind)) return;
    kinds.add(kind);
    const tries = error instanceof TooSlow ? 0 : TRIES_FOR_A_FINDING;
    const short = shrink(text, (shorter) => kindOf(run(shorter)) === kind, tries);
    field.onFinding(short, tries === 0 ? error : (run(short) ?? error));
  };
  const keep = (text: string): void => {
    kept.push({ text, spent: text.length });
  };

  const seeds = field.seeds.length === 0 ? [""] : field.seeds;
  for (const seed of seeds) {
    const error = run(seed);
    if (error !== null) found(seed, error);
    else if (places.add(field.hits).length > 0 || !field.guided) keep(seed);
  }
  if (kept.length === 0) keep("");
  const bySeeds = places.blocks();
  const words = field.words(places.has);

  const parent = (): Kept => {
    const drawn = Array.from({ length: DRAWN }, () => kept[chance.below(kept.length)] ?? { text: "", spent: 0 });
    return drawn.reduce((least, one) => (one.spent < least.spent ? one : least));
  };
  const step = (): void => {
    inputs += 1;
    const from = parent();
    const other =
      (chance.below(2) === 0 ? kept[chance.below(kept.length)]?.text : seeds[chance.below(seeds.length)]) ?? "";
    const text = vary(chance, from.text, { other, words });
    from.spent += text.length + 100;
    const error = run(text);
    if (error !== null) {
      found(text, error);
      return;
    }
    const before = places.blocks();
    const fresh = places.add(field.hits);
    if (fresh.length === 0 || !field.guided) return;
    // Most are kept for a block that they entered more often: these are made of short ones as it is.
    const tries = places.blocks() > before ? TRIES_TO_SHORTEN : 0;
    const short = shrink(text, (shorter) => run(shorter) === null && places.holds(field.hits, fresh), tries);
    keep(short);
    field.onKept(short);
  };
  return {
    step,
    blocks: () => ({ bySeeds, all: places.blocks() }),
    has: places.has,
    kept: () => kept.length,
    inputs: () => inputs,
  };
}

/** More of one kind say nothing new: of one sort, thrown at one place. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const frames = error.stack?.split("\n").filter((line) => line.trimStart().startsWith("at ")) ?? [];
  return `${error.message.replaceAll(/\d+/g, "").slice(0, 32)} ${frames.slice(0, 2).join(" ")}`;
}
