/*
 * `src/base/token-estimate.ts` once more, step for step: it looks at every character of a start's document, which takes an
 * interpreter four tenths of the start. A test holds the two together, and fails when the other one changes.
 */

enum kind { LOWER, UPPER, DIGIT, BLANK, NEWLINE, MARK, CONTROL, OTHER, END };

struct text {
  const uint8_t *bytes;
  size_t length;
};

static enum kind kind_at(struct text text, size_t at) {
  if (at >= text.length) return END;
  uint8_t unit = text.bytes[at];
  if (unit >= 128) return OTHER;
  if (unit >= 'a' && unit <= 'z') return LOWER;
  if (unit >= 'A' && unit <= 'Z') return UPPER;
  if (unit >= '0' && unit <= '9') return DIGIT;
  if (unit == ' ' || unit == '\t') return BLANK;
  if (unit == '\n' || unit == '\r') return NEWLINE;
  return unit < 32 || unit == 127 ? CONTROL : MARK;
}

/* Strings of the engine are well-formed but for halves of surrogate pairs, which stand there like any code point. */
static size_t code_point(struct text text, size_t at, uint32_t *point) {
  uint8_t first = text.bytes[at];
  size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  *point = first & (0xFFu >> (length + 1));
  for (size_t next = 1; next < length && at + next < text.length; next++) *point = *point << 6 | (text.bytes[at + next] & 0x3F);
  return length;
}

static size_t end_of_run(struct text text, size_t start, enum kind kind) {
  size_t end = start + 1;
  if (kind == UPPER) {
    while (kind_at(text, end) == UPPER) end++;
    int lower = kind_at(text, end) == LOWER;
    if (end - start > 1) return lower ? end - 1 : end;
    while (kind_at(text, end) == LOWER) end++;
    return end;
  }
  while (kind_at(text, end) == kind) end++;
  return end;
}

static double more_than(size_t length, size_t most) {
  return length > most ? (double)(length - most) : 0;
}

static double scrap_cost(size_t length, enum kind before) {
  return length <= 3 && (before == LOWER || before == UPPER || before == DIGIT) ? 170 : 0;
}

#define LENGTHS 14
static const double LOWER_LENGTH[LENGTHS] = {-180, -150, -110, -70, 0, 20, 150, 250, 380, 560, 630, 800, 970, 1230};
static const double CAPITAL_LENGTH[LENGTHS] = {-150, -30, 50, 70, 110, 220, 280, 410, 720, 710, 880, 960, 1120, 1200};
static const double LOWER_START[] = {[LOWER] = 1000, [UPPER] = 1000, [DIGIT] = 1210, [BLANK] = 1110, [NEWLINE] = 1210, [MARK] = 720, [CONTROL] = 1000, [OTHER] = 1000};
static const double CAPITAL_START[] = {[LOWER] = 930, [UPPER] = 1120, [DIGIT] = 1260, [BLANK] = 1020, [NEWLINE] = 1120, [MARK] = 690, [CONTROL] = 1000, [OTHER] = 1000};
static const double CAPITALS_START[] = {[LOWER] = 840, [UPPER] = 1000, [DIGIT] = 1000, [BLANK] = 750, [NEWLINE] = 910, [MARK] = 50, [CONTROL] = 1000, [OTHER] = 1000};
static const double MARK_CHANGES[] = {120, 210, 290, 790, 1200};

static double word_cost(struct text text, size_t start, size_t end, double first, const double *by_length, const double *pairs) {
  size_t length = end - start;
  double cost = first + by_length[(length < LENGTHS ? length : LENGTHS) - 1];
  cost += 340 * more_than(length, LENGTHS);
  unsigned left = text.bytes[start] & 31;
  for (size_t at = start + 1; at < end; at++) {
    unsigned right = text.bytes[at] & 31;
    cost += pairs[left * 32 + right];
    left = right;
  }
  return cost > 300 ? cost : 300;
}

static double blank_cost(struct text text, size_t start, size_t end) {
  size_t length = end - start;
  double run = 20 * more_than(length, 16);
  if (text.bytes[end - 1] == '\t' || text.bytes[start] == '\t') return 1370 + 90 * (double)(length - 1) + run;
  if (length > 1) return 1070 + run;
  enum kind next = kind_at(text, end);
  if (next == DIGIT || next == END) return 950;
  return next == NEWLINE ? 550 : 10;
}

static double mark_cost(struct text text, size_t start, size_t end, enum kind before) {
  size_t changes = 0;
  for (size_t at = start + 1; at < end; at++) changes += text.bytes[at] != text.bytes[at - 1];
  double first = before == BLANK ? 910 : 850;
  double more = MARK_CHANGES[changes < 4 ? changes : 4];
  return first + more + 710 * more_than(changes, 4) + 25 * (double)(end - start - 1 - changes);
}

static double run_cost(struct text text, size_t start, size_t end, enum kind kind, enum kind before, const double *pairs) {
  size_t length = end - start;
  switch (kind) {
    case LOWER:
      return word_cost(text, start, end, LOWER_START[before], LOWER_LENGTH, pairs) + scrap_cost(length, before);
    case UPPER:
      if (length > 1 && kind_at(text, start + 1) == UPPER) {
        double rest = 32 * more_than(length, 4) + 500 * more_than(length, 14);
        double key = before == DIGIT ? 300 * (double)length : 0;
        return CAPITALS_START[before] + 142 * (double)length + rest + key + scrap_cost(length, before);
      }
      return word_cost(text, start, end, CAPITAL_START[before], CAPITAL_LENGTH, pairs) + scrap_cost(length, before);
    case DIGIT:
      return (double)((length + 2) / 3) * 1030;
    case BLANK:
      return blank_cost(text, start, end);
    case NEWLINE:
      return (before == MARK ? 20 : 1020) + 70 * (double)(length - 1);
    case MARK:
      return mark_cost(text, start, end, before);
    default:
      return (double)length * 1000;
  }
}

static const struct {
  uint32_t below;
  double cost;
} OTHERS[] = {{0x00a0, 2}, {0x0250, 1.6}, {0x0370, 2}, {0x0400, 1.35}, {0x0530, 0.85}, {0x0700, 1.6}, {0x1e00, 2.2}, {0x2000, 1.6},
              {0x2010, 2}, {0x2070, 1.3}, {0x2200, 2}, {0x2c00, 2.8}, {0x3000, 3}, {0x3040, 1.5}, {0x3100, 1.25}, {0x4e00, 3},
              {0xa000, 2}, {0xac00, 3}, {0xd7b0, 1.6}, {0xff00, 3}, {0xfff0, 1.8}, {0x10000, 2}, {0x20000, 3}};

static double other_cost(uint32_t point) {
  for (size_t at = 0; at < sizeof OTHERS / sizeof *OTHERS; at++)
    if (point < OTHERS[at].below) return OTHERS[at].cost;
  return 4;
}

/* Of ASCII in thousandths of a token, which are whole numbers. `pairs` is a row of 32 of them for each letter. */
static double estimate_tokens(struct text text, const double *pairs) {
  double known = 0, other = 0;
  enum kind before = NEWLINE;
  for (size_t at = 0; at < text.length;) {
    enum kind kind = kind_at(text, at);
    size_t end;
    if (kind == OTHER) {
      uint32_t point;
      end = at + code_point(text, at, &point);
      other += other_cost(point);
    } else {
      end = end_of_run(text, at, kind);
      known += run_cost(text, at, end, kind, before, pairs);
    }
    before = kind == UPPER && kind_at(text, end - 1) == LOWER ? LOWER : kind;
    at = end;
  }
  double sum = known / 1000 * 1.13 + other;
  double whole = (double)(int64_t)sum;
  return whole < sum ? whole + 1 : whole;
}
