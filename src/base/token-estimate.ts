/**
 * How many tokens a model sees in a text, without its tokenizer: meant to lie at or above the true count, and on pages of
 * English and code at most a quarter above it. Pages dense with names of people or with regular expressions may come out
 * a tenth below. Whole tokens; 0 for an empty text. The cost of lines adds up.
 */
export function estimateTokens(text: string): number {
  const units = unitsOf(text);
  /** In thousandths. */
  let known = 0;
  let other = 0;
  let before = NEWLINE;
  const { length } = text;
  // One function, one pass, whole numbers: a hook counts a document once, before V8 has made any of this fast. Until then a
  // call for each character takes three times as long, and each broken number is an object of its own.
  for (let at = 0; at < length; ) {
    const unit = units[at] ?? 0;
    const kind = KINDS[unit] ?? OTHER;
    let end = at + 1;
    let last = kind;
    switch (kind) {
      case LOWER:
      case UPPER: {
        // A word is one run: capitals at its start belong to it, and in `XMLParser` the last of them to what follows.
        if (kind === UPPER) {
          while (end < length && KINDS[units[end] ?? 0] === UPPER) end += 1;
          if (end - at > 1) {
            if (end < length && KINDS[units[end] ?? 0] === LOWER) end -= 1;
            if (end - at > 1) {
              known += capitalsCost(end - at, before);
              break;
            }
          }
        }
        let row = (unit & 31) * ROW;
        let pairs = 0;
        for (; end < length; end += 1) {
          const next = units[end] ?? 0;
          const pair = next < ROW ? (STEPS[row + next] ?? NO_LETTER) : NO_LETTER;
          if (pair === NO_LETTER) break;
          pairs += pair;
          row = (next & 31) * ROW;
        }
        const size = end - at;
        const cost =
          (size < SIZES ? (WORDS[(kind * KINDS_COUNT + before) * SIZES + size] ?? 0) : longWord(size, kind, before)) +
          pairs * PAIR_STEP;
        known += Math.max(cost, LEAST_WORD);
        if (size < SCRAP) known += scrapCost(size, before);
        if (size > 1) last = LOWER;
        break;
      }
      case DIGIT:
        while (end < length && KINDS[units[end] ?? 0] === DIGIT) end += 1;
        known += Math.ceil((end - at) / 3) * 1030;
        break;
      case BLANK:
        while (end < length && KINDS[units[end] ?? 0] === BLANK) end += 1;
        known += blankCost(units, at, end, end === length);
        break;
      case NEWLINE:
        while (end < length && KINDS[units[end] ?? 0] === NEWLINE) end += 1;
        // Behind a mark (`;` and newline) most often part of its token.
        known += (before === MARK ? 20 : 1020) + 70 * (end - at - 1);
        break;
      case MARK:
        while (end < length && KINDS[units[end] ?? 0] === MARK) end += 1;
        known += end - at === 1 ? (before === BLANK ? MARK_BEHIND_BLANK : ONE_MARK) : markCost(units, at, end, before);
        break;
      case CONTROL:
        while (end < length && KINDS[units[end] ?? 0] === CONTROL) end += 1;
        known += 1000 * (end - at);
        break;
      default: {
        const codePoint = text.codePointAt(at) ?? 0;
        if (codePoint > 0xffff) end += 1;
        other += otherCost(codePoint);
      }
    }
    before = last;
    at = end;
  }
  return Math.ceil((known / 1000) * MARGIN + other);
}

const ENCODER = new TextEncoder();
/** For short texts, of which there are many: used again for each, and filled up to its length. */
const SHORT = new Uint8Array(512);

/** The UTF-16 units of a text: its bytes, where each of them is one. They hold until the next call. */
function unitsOf(text: string): Uint8Array | Uint16Array {
  const { length } = text;
  if (length < SHORT.length) {
    const { read, written } = ENCODER.encodeInto(text, SHORT);
    // Of a text that fills it the end may be left over.
    if (read === length && written === length) return SHORT;
  } else {
    const bytes = ENCODER.encode(text);
    if (bytes.length === length) return bytes;
  }
  const units = new Uint16Array(length);
  for (let at = 0; at < length; at += 1) units[at] = text.charCodeAt(at);
  return units;
}

// What a character is: numbers, since comparing names is slower.
const LOWER = 0;
const UPPER = 1;
const DIGIT = 2;
const BLANK = 3;
const NEWLINE = 4;
const MARK = 5;
const CONTROL = 6;
const OTHER = 7;

const TAB = 9;

/** A token: what is known of ASCII is counted in thousandths of one. */
const ONE = 1000;

/** Of ASCII; everything else is `OTHER`. */
const KINDS = Uint8Array.from({ length: 128 }, (_, unit) => {
  if (unit >= 97 && unit <= 122) return LOWER;
  if (unit >= 65 && unit <= 90) return UPPER;
  if (unit >= 48 && unit <= 57) return DIGIT;
  if (unit === 32 || unit === TAB) return BLANK;
  if (unit === 10 || unit === 13) return NEWLINE;
  return unit < 32 || unit === 127 ? CONTROL : MARK;
});

// All numbers for ASCII come from one least-squares fit to the larger count of the tokenizers cl100k and o200k over four
// megabytes of English and of code in seven languages. On texts left out of the fit the sum lay between 0.90 and 1.12 of
// the true count for all but a few pages in a hundred: with the margin, 9 of 991 pages of 3 000 characters,
// those of the fit included, came out below it.
const MARGIN = 1.13;

/** What a word costs follows from its length and from how rare its pairs of letters are: this much from its length, beyond the table's. */
function longWord(size: number, kind: number, before: number): number {
  const [starts, lengths] = kind === LOWER ? [LOWER_START, LOWER_LENGTH] : [CAPITAL_START, CAPITAL_LENGTH];
  return (starts[before] ?? ONE) + (lengths.at(-1) ?? 0) + 340 * (size - lengths.length);
}

function capitalsCost(length: number, before: number): number {
  const long = 32 * Math.max(0, length - 4) + 500 * Math.max(0, length - LONGEST_NAME);
  // Capitals behind a digit are a key as a rule (`AKIA7…`).
  const key = before === DIGIT ? 300 * length : 0;
  return (CAPITALS_START[before] ?? ONE) + 142 * length + long + key + scrapCost(length, before);
}

/** Short pieces in the middle of a word: random text such as base64, of which names hold few. */
function scrapCost(length: number, before: number): number {
  return length < SCRAP && (before === LOWER || before === UPPER || before === DIGIT) ? 170 : 0;
}

/** One blank belongs to the word behind it. */
function blankCost(units: Uint8Array | Uint16Array, start: number, end: number, isLast: boolean): number {
  const length = end - start;
  const next = isLast ? undefined : KINDS[units[end] ?? 0];
  const run = length > 16 ? 20 * (length - 16) : 0;
  if (units[end - 1] === TAB || units[start] === TAB) return 1370 + 90 * (length - 1) + run;
  if (length > 1) return 1070 + run;
  if (next === DIGIT || isLast) return 950;
  return next === NEWLINE ? 550 : 10;
}

/** Marks that repeat are one token, marks that change are more. */
function markCost(units: Uint8Array | Uint16Array, start: number, end: number, before: number): number {
  let changes = 0;
  for (let at = start + 1; at < end; at += 1) if (units[at] !== units[at - 1]) changes += 1;
  const first = before === BLANK ? FIRST_MARK.behindBlank : FIRST_MARK.elsewhere;
  const more = MARK_CHANGES[Math.min(changes, 4)] ?? 0;
  return first + more + 710 * Math.max(0, changes - 4) + 25 * (end - start - 1 - changes);
}

// Costs of one code point outside ASCII: above what the same tokenizers need for texts in these scripts. Ideographs cost 1 to
// 3: a modern text needs 1.3 of each, an older one, or one of names, up to 2.
const IDEOGRAPH = 2;
const OTHERS: readonly (readonly [below: number, cost: number])[] = [
  [0x00a0, 2], // controls
  [0x0250, 1.6], // Latin with accents
  [0x0370, 2],
  [0x0400, 1.35], // Greek
  [0x0530, 0.85], // Cyrillic
  [0x0700, 1.6], // Hebrew, Arabic
  [0x1e00, 2.2],
  [0x2000, 1.6], // Vietnamese
  [0x2010, 2], // joiners
  [0x2070, 1.3], // dashes, quotes
  [0x2200, 2],
  [0x2c00, 2.8], // symbols, boxes
  [0x3000, 3],
  [0x3040, 1.5], // ideographic marks
  [0x3100, 1.25], // kana
  [0x4e00, 3],
  [0xa000, IDEOGRAPH],
  [0xac00, 3],
  [0xd7b0, 1.6], // Hangul
  [0xff00, 3], // surrogates on their own, private use, joiners
  [0xfff0, 1.8], // full-width forms
  [0x10000, 2],
  [0x20000, 3], // emoji
];

function otherCost(codePoint: number): number {
  if (codePoint >= 0x4e00 && codePoint < 0xa000) return IDEOGRAPH;
  return OTHERS.find(([below]) => codePoint < below)?.[1] ?? 4;
}

// What begins a word costs by what stands before it: behind a mark (`.name`) the two often are one token.
const LOWER_START = byKind([
  [DIGIT, 1210],
  [BLANK, 1110],
  [NEWLINE, 1210],
  [MARK, 720],
]);
const CAPITAL_START = byKind([
  [LOWER, 930],
  [UPPER, 1120],
  [DIGIT, 1260],
  [BLANK, 1020],
  [NEWLINE, 1120],
  [MARK, 690],
]);
const CAPITALS_START = byKind([
  [LOWER, 840],
  [BLANK, 750],
  [NEWLINE, 910],
  [MARK, 50],
]);
const LOWER_LENGTH = [-180, -150, -110, -70, 0, 20, 150, 250, 380, 560, 630, 800, 970, 1230];
const CAPITAL_LENGTH = [-150, -30, 50, 70, 110, 220, 280, 410, 720, 710, 880, 960, 1120, 1200];
const MARK_CHANGES = [120, 210, 290, 790, 1200];
const FIRST_MARK = { behindBlank: 910, elsewhere: 850 };
const MARK_BEHIND_BLANK = FIRST_MARK.behindBlank + (MARK_CHANGES[0] ?? 0);
const ONE_MARK = FIRST_MARK.elsewhere + (MARK_CHANGES[0] ?? 0);
const LEAST_WORD = 300;
/** Shorter pieces in the middle of a word are scraps. */
const SCRAP = 4;
// Capitals beyond this are a key, not a word.
const LONGEST_NAME = 14;

// The cost of each pair of letters, in steps of 0.05 from `m`: a row for each first letter, a column for each second.
const PAIR_ROWS = [
  "tmolwnkqlpmklmrmolmjslmoll",
  "ptytlswrrixmDEjxoophjmrtnv",
  "lpmriwBjmxfjpslwpjzjlsntlr",
  "mttmjuoqmmqjyAmrplowjonoio",
  "mqnnollooEwnlmioimmlylnkmo",
  "mtuoknrxjsrmtnmrnmpnnsponq",
  "ruxBmzpooqtplrkxzmpiqwwqpl",
  "ovuxlDrykvuulqklpkrikvttkq",
  "klnmkkhvlAnnnmimmlmlrktppj",
  "qnqtipsrwtiootmrnGkrqokpqp",
  "qtnqmEltrqouvgvypyqustspus",
  "nhwnmirsnqmnvzknsromlhrjhw",
  "mlzplxuwnDxijoolnCnunJGsrr",
  "mxlljqjsntnplmomqzjlmnrvmo",
  "nponpnmqokgpomopolqklklslr",
  "myxojpxuqotjrAjlEmqljgvrgp",
  "tprnlBrpqpngptqkodppkstpqx",
  "mupllojqmooplnkmnlmmnlDpkp",
  "oxnpkkilnvdwrimltolllmkBmy",
  "nysoksxmmCysotnrulmolyoifx",
  "mmmolkmvqqsjjmvoplnlmhvgru",
  "kyxylrjorrpsqwgztxFrnuhopo",
  "lsEtmzpnlppsupkBslorBvqfso",
  "rwouoypnopnzvrGpxyxnEnwsiq",
  "ykvApuvpnpurmnnvtnmowoomoq",
  "mwnqkrunqqywtmCptruqqrqrmx",
];

/** Thousandths of a token. */
const PAIR_STEP = 50;

const ROW = 128;
const NO_LETTER = 1000;

/** In steps, at 128 times the first letter's number in the alphabet and the second character; `NO_LETTER` for what is no small letter. */
const STEPS = pairSteps();

const KINDS_COUNT = 8;
/** One more than the longest word that the tables of lengths have. */
const SIZES = LOWER_LENGTH.length + 1;

/** What words cost without their pairs, by kind, by what stands before, and by length. */
const WORDS = Int16Array.from({ length: 2 * KINDS_COUNT * SIZES }, (_, index) => {
  const size = index % SIZES;
  const before = Math.floor(index / SIZES) % KINDS_COUNT;
  const lower = index < KINDS_COUNT * SIZES;
  const start = (lower ? LOWER_START : CAPITAL_START)[before] ?? ONE;
  return start + ((lower ? LOWER_LENGTH : CAPITAL_LENGTH)[size - 1] ?? 0);
});

function pairSteps(): Int16Array {
  const table = new Int16Array(32 * ROW).fill(NO_LETTER);
  // A capital may come first, and what is no letter never does.
  for (let first = 0; first < PAIR_ROWS.length; first += 1) {
    const row = PAIR_ROWS[first] ?? "";
    for (let second = 0; second < row.length; second += 1) {
      const letter = row.charCodeAt(second);
      table[(first + 1) * ROW + 97 + second] = letter >= 97 ? letter - 109 : letter - 51;
    }
  }
  return table;
}

/** The cost of each pair of letters in thousandths of a token, at 32 times the first one's number in the alphabet and the second one's. */
export function pairCosts(): Float64Array {
  const table = new Float64Array(32 * 32);
  for (let index = 0; index < 32 * 27; index += 1) {
    const steps = STEPS[(index >> 5) * ROW + 96 + (index & 31)] ?? NO_LETTER;
    if (steps !== NO_LETTER) table[index] = steps * PAIR_STEP;
  }
  return table;
}

/** A cost for each kind of character; one token for those that are not named. */
function byKind(costs: readonly (readonly [kind: number, cost: number])[]): Int16Array {
  const table = new Int16Array(OTHER + 1).fill(ONE);
  for (const [kind, cost] of costs) table[kind] = cost;
  return table;
}
