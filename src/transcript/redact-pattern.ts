export interface RefusedPattern {
  readonly pattern: string;
  /** One sentence: what was found and what is expected. */
  readonly message: string;
}

export interface CompiledPatterns {
  readonly patterns: readonly RegExp[];
  readonly refused: readonly RefusedPattern[];
}

/**
 * A person's own patterns for `redact`: regular expressions of the part of the language that takes linear time. Refused are
 * repeated groups, backreferences, look-around, `*` and `+` before the end, more than 256 ways to match from one place, and
 * more than 4096 steps there, of all patterns together.
 */
export function compileRedactPatterns(sources: readonly string[]): CompiledPatterns {
  const patterns: RegExp[] = [];
  const refused: RefusedPattern[] = [];
  let left = MAX_STEPS;
  for (const pattern of sources) {
    const steps = stepsOf(pattern, left);
    if (typeof steps === "string") {
      refused.push({ pattern, message: steps });
      continue;
    }
    patterns.push(new RegExp(pattern, "g"));
    left -= steps;
  }
  return { patterns, refused };
}

// What one starting point may cost: the length of a part, and each character as often as there are ways to come to it.
// The longest text that a hook looks into then takes some seconds at worst, and next to nothing for patterns that start with a fixed text.
const MAX_CHOICES = 256;
const MAX_BOUND = 1_000;
const MAX_STEPS = 4096;

/** At most so many steps, or what is wrong. */
function stepsOf(pattern: string, most: number): number | string {
  let compiled: RegExp;
  try {
    compiled = new RegExp(pattern);
  } catch (cause) {
    return `Expected a regular expression, found ${JSON.stringify(pattern)}: ${cause instanceof Error ? cause.message : cause}`;
  }
  if (compiled.test("")) return "The pattern matches an empty text; expected one that needs at least one character";
  return stepsOfParts(pattern, most);
}

function stepsOfParts(pattern: string, mostSteps: number): number | string {
  let choices = 1;
  let steps = 0;
  let afterGroup = false;
  let last = "";
  const alternatives: number[] = [];
  for (let at = 0; at < pattern.length; ) {
    const place = `at character ${at + 1}`;
    const rest = pattern.slice(at, at + LONGEST_PART);
    if (/^\(\?<?[=!]/.test(rest)) return `Found look-around ${place}; expected none`;
    if (/^\\(?:[1-9]|k<)/.test(rest)) return `Found a backreference ${place}; expected none`;
    const quantifier = QUANTIFIER.exec(rest)?.[0];
    if (quantifier !== undefined) {
      const [least, most] = boundsOf(quantifier);
      const atEnd = alternatives.length === 0 && /^(?:\||$)/.test(pattern.slice(at + quantifier.length));
      if (afterGroup && most > 1)
        return `Found the repeated group "${quantifier}" ${place}; expected groups once or optional`;
      if (!atEnd && most > MAX_BOUND)
        return `Found "${quantifier}" ${place} before the end; expected a bound such as {1,40}`;
      steps += choices * (atEnd ? least : most);
      at += quantifier.length;
      // Where it ends in one place, to look for others is in vain: each costs a step.
      if (!atEnd && !afterGroup && endsBefore(pattern, last, at)) steps += choices * (most - least);
      else if (!atEnd) choices *= most - least + 1;
      afterGroup = false;
    } else {
      afterGroup = rest.startsWith(")");
      const top = alternatives.length - 1;
      if (rest.startsWith("(")) alternatives.push(1);
      else if (rest.startsWith("|") && top >= 0) alternatives[top] = (alternatives[top] ?? 1) + 1;
      else if (afterGroup) choices *= alternatives.pop() ?? 1;
      last = pattern.slice(at, at + partLength(pattern, at));
      at += last.length;
      steps += choices;
    }
    if (steps > mostSteps)
      return `Found more than ${MAX_STEPS} steps ${place}, with those of the patterns before; expected shorter parts`;
    if (choices > MAX_CHOICES) return `Found ${choices} ways to match up to ${place}; expected at most ${MAX_CHOICES}`;
  }
  return steps;
}

/**
 * Whether a part that may be repeated ends in one place of any text, as it takes no character with which the next part, at `at`,
 * begins: the blanks before an equals sign.
 */
function endsBefore(pattern: string, part: string, at: number): boolean {
  const next = pattern.slice(at, at + partLength(pattern, at));
  const quantifier = QUANTIFIER.exec(pattern.slice(at + next.length, at + next.length + LONGEST_PART))?.[0];
  if (/^[()|^$]|^\\b/i.test(next) || (quantifier !== undefined && boundsOf(quantifier)[0] === 0)) return false;
  // Of others a part by itself does not tell what it takes.
  if (/\\[^\WsSdDwWbBnrtfv]|[^ -~]|\(\?[ims-]/.test(pattern)) return false;
  const [one, other] = [new RegExp(part), new RegExp(next)];
  // All that such parts tell apart: ASCII, and beyond it blanks, ends of lines and others.
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  return ![...ascii, "\u00a0", "\u2028", "\u00e9"].some((character) => one.test(character) && other.test(character));
}

/** Characters of the part at `at` that is no quantifier: a class, an escape, the opening of a group, or one character. */
function partLength(pattern: string, at: number): number {
  if (pattern[at] === "[") return classLength(pattern, at);
  if (pattern[at] === "\\") return 2;
  return /^\((?:\?(?:[ims-]*:|<[A-Za-z_$][\w$]*>))?/.exec(pattern.slice(at))?.[0].length ?? 1;
}

const QUANTIFIER = /^(?:[*+?]|\{[0-9]{1,9}(?:,[0-9]{0,9})?\})\??/;
const LONGEST_PART = 32;

/** Least and most repetitions that a quantifier stands for. */
function boundsOf(quantifier: string): readonly [number, number] {
  const bounds = /^\{([0-9]+)(,?)([0-9]*)\}/.exec(quantifier);
  if (bounds === null)
    return [quantifier.startsWith("+") ? 1 : 0, quantifier.startsWith("?") ? 1 : Number.POSITIVE_INFINITY];
  const least = Number(bounds[1]);
  if (bounds[2] !== ",") return [least, least];
  return [least, bounds[3] === "" ? Number.POSITIVE_INFINITY : Number(bounds[3])];
}

/** Characters of the class that starts at `open`, its closing bracket included. */
function classLength(pattern: string, open: number): number {
  let at = open + 1;
  // A class that is left open does not compile, so each has its bracket.
  while (at < pattern.length && pattern[at] !== "]") at += pattern[at] === "\\" ? 2 : 1;
  return at - open + 1;
}
