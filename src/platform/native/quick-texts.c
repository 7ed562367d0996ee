/*
 * Quicker forms of some of our own readers of texts, which `engine.c` takes in: each beside the TypeScript that stands for it in Node,
 * under the name of its module. They read what such texts mostly are, and give `null` for all else: that is for the TypeScript, which
 * stands in the program too. `tests/e2e/native.test.ts` holds the two together.
 */

static int is_blank(int c) {
  return c == ' ' || c == '\t';
}

/* Where `c`, a character of ASCII, next stands; -1 where it does not. */
static int next_of(JSString *text, int c, int from) {
  if (text->is_wide_char) return string_indexof_char(text, c, from);
  const uint8_t *found = memchr(str8(text) + from, c, text->len - (uint32_t)from);
  return found == NULL ? -1 : (int)(found - str8(text));
}

/* Where the line that begins at `from` ends, without its line feed. */
static int line_end(JSString *text, int from) {
  int at = next_of(text, '\n', from);
  return at < 0 ? (int)text->len : at;
}

static JSValue piece(JSContext *js, JSString *text, int start, int end) {
  return js_sub_string(js, text, start, end);
}

/* For words that begin with a sign that is rare. */
static int holds(JSString *text, const char *word) {
  int size = (int)strlen(word), length = (int)text->len;
  for (int at = 0; at + size <= length; at++) {
    at = next_of(text, word[0], at);
    if (at < 0 || at + size > length) return 0;
    int same = 1;
    while (same < size && string_get(text, at + same) == word[same]) same++;
    if (same == size) return 1;
  }
  return 0;
}

/* --------------------------------------------------------------------------------------- src/projects/count-steps.ts */

enum { OPEN_BOX, CLOSED_BOX, HEADING };

/* Whether the line behind `end` may belong to the item before it, as src/base/markdown.ts has it: which part of it does is not read here. */
static int may_go_on(JSString *text, int end) {
  int length = (int)text->len, at = end + 1;
  while (at < length && is_blank(string_get(text, at))) at++;
  if (at >= length || at == end + 1 || (at == end + 2 && string_get(text, end + 1) != '\t')) return 0;
  int c = string_get(text, at);
  return c != '\n' && (c == 0 || c > 127 || strchr("#>|=*+0123456789[]<-", c) == NULL);
}

/*
 * stepLines(text): a number, a kind and a text for each line that a steps file is read for: of a box the item's words, of a heading of
 * the first or second level, whose level is added to the kind, what follows its marks. null for a text with code or comments, and
 * where the first open box may go on in the next line.
 */
static JSValue quick_step_lines(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  if (!is_text(args[0])) return JS_NULL;
  JSString *text = JS_VALUE_GET_STRING(args[0]);
  int length = (int)text->len;
  if (next_of(text, '\r', 0) >= 0 || holds(text, "```") || holds(text, "~~~") || holds(text, "<!--")) return JS_NULL;
  struct values list = {NULL, 0, 0};
  int number = 0, open = 0;
  for (int start = length > 0 && string_get(text, 0) == 0xFEFF ? 1 : 0; start < length;) {
    int end = line_end(text, start), at = start;
    number++;
    while (at < end && is_blank(string_get(text, at))) at++;
    int lead = at < end ? string_get(text, at) : 0, kind = -1, from = at;
    if (lead == '#') {
      int level = 0;
      while (at + level < end && string_get(text, at + level) == '#') level++;
      int blanks = 0;
      while (start + blanks < at && string_get(text, start + blanks) == ' ') blanks++;
      from = at + level;
      if (level <= 2 && blanks == at - start && blanks <= 3 && (from == end || is_blank(string_get(text, from)))) kind = HEADING + level;
    } else if (lead == '-' || lead == '*' || lead == '+' || (lead >= '0' && lead <= '9')) {
      from = at + 1;
      if (lead >= '0' && lead <= '9') {
        while (from < end && from - at < 9 && string_get(text, from) >= '0' && string_get(text, from) <= '9') from++;
        from = from < end && (string_get(text, from) == '.' || string_get(text, from) == ')') ? from + 1 : end;
      }
      int marker = from;
      while (from < end && is_blank(string_get(text, from))) from++;
      if (from > marker && from + 2 < end && string_get(text, from) == '[' && string_get(text, from + 2) == ']') {
        int box = string_get(text, from + 1);
        from += 3;
        if ((box == ' ' || box == 'x' || box == 'X') && (from == end || is_blank(string_get(text, from)))) kind = box == ' ' ? OPEN_BOX : CLOSED_BOX;
      }
    }
    if (kind == OPEN_BOX && open++ == 0 && may_go_on(text, end)) {
      JS_FreeValue(js, array_of(js, &list));
      return JS_NULL;
    }
    if (kind >= 0) {
      JSValue words = piece(js, text, from, end);
      add_value(js, &list, js_int32(number));
      add_value(js, &list, js_int32(kind));
      add_value(js, &list, js_string_trim(js, words, 0, NULL, 3));
      JS_FreeValue(js, words);
    }
    start = end + 1;
  }
  return array_of(js, &list);
}

static int is_space(int c) {
  return c == ' ';
}

/* Where `word`, in small letters, stands in whatever case at `at`. */
static int begins_with(JSString *text, int at, int end, const char *word) {
  for (; *word != 0; word++, at++)
    if (at >= end || (string_get(text, at) | 0x20) != *word) return 0;
  return 1;
}

#define NO_PHASE (-1)
#define UNKNOWN_PHASE (-2)

/* The number that a title gives a phase; UNKNOWN_PHASE where a full reading has to say. */
static int phase_number(JSString *text, int start, int end) {
  while (start < end && is_space(string_get(text, start))) start++;
  while (end > start && is_space(string_get(text, end - 1))) end--;
  if (start == end) return NO_PHASE;
  for (int at = start; at < end; at++)
    if (string_get(text, at) < ' ' || string_get(text, at) > '~') return UNKNOWN_PHASE;
  int word = begins_with(text, start, end, "phase") ? 5 : begins_with(text, start, end, "section") ? 7 : 0;
  int first = string_get(text, start) | 0x20;
  if (word == 0) return first >= 'a' && first <= 'z' ? NO_PHASE : UNKNOWN_PHASE;
  int at = start + word, number = 0;
  while (at < end && is_space(string_get(text, at))) at++;
  int digits = at;
  while (at < end && at - digits < 7 && is_digit(string_get(text, at))) number = number * 10 + string_get(text, at++) - '0';
  int good = digits > start + word && at > digits && at - digits <= 6 && (at == end || is_space(string_get(text, at)) || string_get(text, at) == ':');
  return good ? number : UNKNOWN_PHASE;
}

/* countSteps(text): closed, total, the current section, the phase's place in PHASES, and the current task; null as `countLines` says. */
static JSValue quick_count_steps(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  if (!is_text(args[0])) return JS_NULL;
  JSString *text = JS_VALUE_GET_STRING(args[0]);
  int length = (int)text->len, total = 0, closed = 0, open = 0, planning = 0, task = -1, task_end = -1;
  int number = NO_PHASE, first_open = NO_PHASE, last = NO_PHASE;
  if (next_of(text, '\r', 0) >= 0 || next_of(text, '\t', 0) >= 0 || holds(text, "```") || holds(text, "~~~") || holds(text, "<!--")) return JS_NULL;
  if (text->is_wide_char)
    for (int at = 0; at < length; at++)
      if (str16(text)[at] == 0x2028 || str16(text)[at] == 0x2029 || str16(text)[at] == 0xFEFF) return JS_NULL;
  for (int start = 0, end; start < length; start = end + 1) {
    end = line_end(text, start);
    int at = start;
    while (at < end && is_space(string_get(text, at))) at++;
    int lead = at < end ? string_get(text, at) : 0;
    if (lead == '#' && at - start <= 3) {
      int from = at + 1, level = 1;
      if (from < end && string_get(text, from) == '#') from++, level++;
      if (from < end && !is_space(string_get(text, from))) continue;
      if (open > 0 && first_open == NO_PHASE) first_open = number;
      open = 0;
      number = level == 1 ? NO_PHASE : phase_number(text, from, end);
      if (number == UNKNOWN_PHASE) return JS_NULL;
      if (number != NO_PHASE) last = number;
      continue;
    }
    int from = at + 1;
    if (is_digit(lead)) {
      while (from < end && from - at < 9 && is_digit(string_get(text, from))) from++;
      if (from == end || (string_get(text, from) != '.' && string_get(text, from) != ')')) continue;
      from++;
    } else if (lead != '-' && lead != '*' && lead != '+') continue;
    int marker = from;
    while (from < end && is_space(string_get(text, from))) from++;
    if (from == marker || from + 2 >= end || string_get(text, from) != '[' || string_get(text, from + 2) != ']') continue;
    int box = string_get(text, from + 1);
    from += 3;
    if ((box != ' ' && box != 'x' && box != 'X') || (from < end && !is_space(string_get(text, from)))) continue;
    total++;
    if (box != ' ') {
      closed++;
      continue;
    }
    if (task < 0) {
      if (may_go_on(text, end)) return JS_NULL;
      task = from, task_end = end;
    }
    if (number == 1) planning = 1;
    if (number != NO_PHASE) open++;
  }
  if (open > 0 && first_open == NO_PHASE) first_open = number;
  int section = first_open != NO_PHASE ? first_open : last != NO_PHASE ? last : 1;
  JSValue words = task < 0 ? JS_NULL : piece(js, text, task, task_end);
  JSValueConst found[] = {js_int32(closed), js_int32(total), js_int32(section), js_int32(total == 0 ? 0 : closed == total ? 3 : planning ? 1 : 2),
                          task < 0 ? JS_NULL : js_string_trim(js, words, 0, NULL, 3)};
  JS_FreeValue(js, words);
  JSValue result = js_create_array(js, 5, found);
  JS_FreeValue(js, found[4]);
  return result;
}

/* --------------------------------------------------------------------------------------------- src/base/frontmatter.ts */

static int is_dashes(JSString *text, int start, int end) {
  if (end > start && string_get(text, end - 1) == '\r' && end < (int)text->len) end--;
  if (end - start < 3) return 0;
  for (int at = start; at < end; at++) {
    int c = string_get(text, at);
    if (at < start + 3 ? c != '-' : !is_blank(c)) return 0;
  }
  return 1;
}

/* Where front matter starts and ends, and where what follows it starts; 0 where it is absent or unclosed. */
static int find_front(JSString *text, int places[3]) {
  int length = (int)text->len, start = length > 0 && string_get(text, 0) == 0xFEFF ? 1 : 0, end = line_end(text, start);
  if (!is_dashes(text, start, end)) return 0;
  int first = end + 1;
  for (int at = first; at < length; at = end + 1) {
    end = line_end(text, at);
    if (!is_dashes(text, at, end)) continue;
    places[0] = first;
    places[1] = at;
    places[2] = end == length ? length : end + 1;
    return 1;
  }
  return 0;
}

/* frontMatter(text): those three; null where there are none. */
static JSValue quick_front_matter(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  int at[3];
  if (!is_text(args[0]) || !find_front(JS_VALUE_GET_STRING(args[0]), at)) return JS_NULL;
  JSValueConst places[] = {js_int32(at[0]), js_int32(at[1]), js_int32(at[2])};
  return js_create_array(js, 3, places);
}

#define SAFE_LENGTH 32768
#define SAFE_DASHES 33
#define SAFE_DEPTH 32
#define SAFE_KEYS 100

static int is_safe_yaml(JSString *text, int start, int end) {
  if (end - start > SAFE_LENGTH) return 0;
  int dashes = 0, opened = 0, keys = 0;
  for (int at = start; at < end; at++) {
    int c = string_get(text, at);
    if (c == '[' || c == '{') opened++;
    else if (c == '?') keys++;
    else if (c == '-') dashes++;
  }
  return dashes < SAFE_DASHES && opened <= SAFE_DEPTH && keys <= SAFE_KEYS;
}

/* isSafeYaml(raw): true where it is no hazard; one that may be is looked at again. */
static JSValue quick_is_safe_yaml(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  return js_bool(is_text(args[0]) && is_safe_yaml(JS_VALUE_GET_STRING(args[0]), 0, (int)JS_VALUE_GET_STRING(args[0])->len));
}

static int is_word(JSString *text, int start, int end, const char *word) {
  int size = (int)strlen(word);
  if (end - start != size) return 0;
  for (int at = 0; at < size; at++)
    if (string_get(text, start + at) != word[at]) return 0;
  return 1;
}

/* What begins with a digit. */
static int numeral(JSContext *js, JSString *text, int start, int end, JSValue *value) {
  int like = 1, digits = 0, dots = 0, dashes = 0;
  for (int at = start; at < end; at++) {
    int c = string_get(text, at);
    if (is_digit(c)) digits++;
    else if (c == '.') dots++;
    else if (c == '-') dashes++;
    else if (c > 127 || strchr("eExXoabcdfABCDF+", c) == NULL) like = 0;
    else digits = -1000;
  }
  int date = end - start == 10 && digits == 8 && dashes == 2 && string_get(text, start + 4) == '-' && string_get(text, start + 7) == '-';
  if (!like || date) {
    *value = piece(js, text, start, end);
    return 1;
  }
  /* A number that is written otherwise is for the TypeScript. */
  if (digits != end - start || digits > 15 || (digits > 1 && string_get(text, start) == '0')) return 0;
  double number = 0;
  for (int at = start; at < end; at++) number = number * 10 + (string_get(text, at) - '0');
  *value = number <= INT32_MAX ? js_int32((int32_t)number) : js_float64(number);
  return 1;
}

static const char *const WORDS[] = {"null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE", "__proto__"};

static int scalar(JSContext *js, JSString *text, int start, int end, JSValue *value) {
  int first = start < end ? string_get(text, start) : 0, last = start < end ? string_get(text, end - 1) : 0;
  if (first == 0) return 0;
  if (first == '"' || first == '\'') {
    if (end - start < 2 || last != first) return 0;
    for (int at = start + 1; at < end - 1; at++) {
      int c = string_get(text, at);
      if (c == first || (first == '"' && c == '\\')) return 0;
    }
    *value = piece(js, text, start + 1, end - 1);
    return 1;
  }
  if (first < 128 && strchr("-?:,[]{}#&*!|>%@`.+=<~", first) != NULL) return 0;
  if (last == ':') return 0;
  for (int at = start; at + 1 < end; at++) {
    int c = string_get(text, at), next = string_get(text, at + 1);
    if ((c == ':' && next == ' ') || (c == ' ' && next == '#')) return 0;
  }
  if (is_digit(first)) return numeral(js, text, start, end, value);
  for (int at = 0; at < 9; at++) {
    if (!is_word(text, start, end, WORDS[at])) continue;
    *value = at < 3 ? JS_NULL : js_bool(at < 6);
    return 1;
  }
  *value = piece(js, text, start, end);
  return 1;
}

/* `[a, "b c", 3]` */
static int flow_list(JSContext *js, JSString *text, int start, int end, JSValue *value) {
  if (string_get(text, end - 1) != ']') return 0;
  struct values list = {NULL, 0, 0};
  int at = start + 1, good = 1;
  for (int c = at; c < end - 1; c++) {
    int unit = string_get(text, c);
    if (unit < 128 && strchr("[]{}", unit) != NULL) return 0;
  }
  while (at < end - 1 && string_get(text, at) == ' ') at++;
  while (good && at < end - 1) {
    int stop = next_of(text, ',', at);
    int last = stop < 0 || stop > end - 1;
    if (last) stop = end - 1;
    int from = at, to = stop;
    while (from < to && string_get(text, from) == ' ') from++;
    while (to > from && string_get(text, to - 1) == ' ') to--;
    JSValue item;
    good = scalar(js, text, from, to, &item);
    if (good) add_value(js, &list, item);
    /* Behind the last comma an item stands too, if an empty one. */
    if (!last && stop + 1 == end - 1) good = 0;
    at = stop + 1;
  }
  *value = array_of(js, &list);
  if (!good) JS_FreeValue(js, *value);
  return good;
}

static int is_unusual(int c) {
  return c < 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF;
}

static int is_letter(int c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Whether the same stands at both places. */
static int is_same(JSString *text, int start, int end, int other, int other_end) {
  return end - start == other_end - other && string_cmp(text, text, start, other, end - start) == 0;
}

#define MOST_LINES 64

/* A key's place and its value. */
struct front_line {
  int start, end;
  JSValue value;
};

struct front {
  int count;
  struct front_line lines[MOST_LINES];
};

static void free_front(JSContext *js, struct front *it) {
  while (it->count > 0) JS_FreeValue(js, it->lines[--it->count].value);
}

/* Reads the lines between; 0 where one is not of the simplest, or no reader would take it, or there are very many. */
static int read_front(JSContext *js, JSString *text, int begin, int length, struct front *it) {
  int listing = 0, indent = 0, good = 1;
  struct values items = {NULL, 0, 0};
  it->count = 0;
  for (int start = begin, stop; good && start < length; start = stop + 1) {
    stop = line_end(text, start);
    if (stop > length) stop = length;
    int end = stop, at = start;
    while (end > start && string_get(text, end - 1) == ' ') end--;
    for (int c = start; good && c < end; c++) good = !is_unusual(string_get(text, c));
    if (!good) break;
    while (at < end && string_get(text, at) == ' ') at++;
    if (at == end || string_get(text, at) == '#') continue;
    if (string_get(text, at) == '-') {
      int from = at + 1;
      while (from < end && string_get(text, from) == ' ') from++;
      JSValue item;
      good = listing && from > at + 1 && (items.count == 0 || indent == at - start) && scalar(js, text, from, end, &item);
      if (good) add_value(js, &items, item);
      indent = at - start;
      continue;
    }
    if (listing && items.count > 0) {
      it->lines[it->count - 1].value = array_of(js, &items);
      items = (struct values){NULL, 0, 0};
    }
    int key = start;
    while (key < end && (is_letter(string_get(text, key)) || (key > start && (is_digit(string_get(text, key)) || string_get(text, key) == '-')))) key++;
    int from = key;
    while (from < end && string_get(text, from) == ' ') from++;
    good = it->count < MOST_LINES && key > start && key - start <= 128 && from < end && string_get(text, from) == ':';
    for (size_t word = 0; good && word < countof(WORDS); word++) good = !is_word(text, start, key, WORDS[word]);
    for (int line = 0; good && line < it->count; line++) good = !is_same(text, start, key, it->lines[line].start, it->lines[line].end);
    if (!good) break;
    int value = from + 1;
    while (value < end && string_get(text, value) == ' ') value++;
    listing = value == end;
    good = listing || value > from + 1;
    JSValue found = JS_NULL;
    if (good && !listing) good = string_get(text, value) == '[' ? flow_list(js, text, value, end, &found) : scalar(js, text, value, end, &found);
    if (!good) break;
    it->lines[it->count++] = (struct front_line){start, key, found};
  }
  if (good && listing && items.count > 0) {
    it->lines[it->count - 1].value = array_of(js, &items);
    items = (struct values){NULL, 0, 0};
  }
  while (items.count > 0) JS_FreeValue(js, items.items[--items.count]);
  js_free(js, items.items);
  if (!good) free_front(js, it);
  return good;
}

/* frontLines(raw): keys and values in turn. */
static JSValue quick_front_lines(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  if (!is_text(args[0])) return JS_NULL;
  JSString *text = JS_VALUE_GET_STRING(args[0]);
  struct front front;
  if (!read_front(js, text, 0, (int)text->len, &front)) return JS_NULL;
  struct values pairs = {NULL, 0, 0};
  for (int at = 0; at < front.count; at++) {
    add_value(js, &pairs, piece(js, text, front.lines[at].start, front.lines[at].end));
    add_value(js, &pairs, front.lines[at].value);
  }
  return array_of(js, &pairs);
}

/* frontValues(text, keys): the value of each key in a text's front matter, undefined where it has none; null where it is not as simple. */
static JSValue quick_front_values(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  int at[3];
  struct front front;
  JSValue *keys;
  uint32_t wanted;
  if (!is_text(args[0]) || !js_get_fast_array(js, args[1], &keys, &wanted)) return JS_NULL;
  JSString *text = JS_VALUE_GET_STRING(args[0]);
  if (!find_front(text, at) || !read_front(js, text, at[0], at[1], &front)) return JS_NULL;
  struct values list = {NULL, 0, 0};
  for (uint32_t key = 0; key < wanted; key++) {
    JSValue value = JS_UNDEFINED;
    JSString *word = is_text(keys[key]) ? JS_VALUE_GET_STRING(keys[key]) : NULL;
    for (int line = 0; word != NULL && line < front.count; line++) {
      int start = front.lines[line].start, size = front.lines[line].end - start;
      if (size == (int)word->len && string_cmp(text, word, start, 0, size) == 0) value = js_dup(front.lines[line].value);
    }
    add_value(js, &list, value);
  }
  free_front(js, &front);
  return array_of(js, &list);
}

/* ------------------------------------------------------------------------------------- src/skills/parse-skill-fast.ts */

#define LONGEST_NAME 64
#define LONGEST_DESCRIPTION 1024

static int is_visible(int c) {
  return c > ' ' && c < 127;
}

/* Whether it is a skill's name: `[a-z0-9]+(?:-[a-z0-9]+)*`. */
static int is_skill_name(JSString *name) {
  int length = (int)name->len, before = '-';
  if (length == 0 || length > LONGEST_NAME) return 0;
  for (int at = 0; at < length; at++) {
    int c = string_get(name, at);
    if (!is_digit(c) && !(c >= 'a' && c <= 'z') && !(c == '-' && before != '-')) return 0;
    before = c;
  }
  return before != '-';
}

/* skillWords(text, folder's name): the description of a skill that has that name, and no key that has to be looked at; null for others. */
static JSValue quick_skill_words(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  int at[3];
  struct front front;
  if (!is_text(args[0]) || !is_text(args[1])) return JS_NULL;
  JSString *text = JS_VALUE_GET_STRING(args[0]), *folder = JS_VALUE_GET_STRING(args[1]);
  if (!is_skill_name(folder) || !find_front(text, at) || !is_safe_yaml(text, at[0], at[1]) || !read_front(js, text, at[0], at[1], &front)) return JS_NULL;
  JSValue description = JS_NULL;
  int named = 0, good = 1;
  for (int line = 0; good && line < front.count; line++) {
    int start = front.lines[line].start, end = front.lines[line].end;
    JSValueConst value = front.lines[line].value;
    JSString *words = is_text(value) ? JS_VALUE_GET_STRING(value) : NULL;
    good = words != NULL && words->len > 0 && is_visible(string_get(words, 0)) && is_visible(string_get(words, (int)words->len - 1));
    if (!good) break;
    if (is_word(text, start, end, "name")) named = good = js_string_compare(words, folder) == 0;
    else if (is_word(text, start, end, "description")) {
      good = words->len <= LONGEST_DESCRIPTION;
      description = value;
    } else good = is_word(text, start, end, "license") || is_word(text, start, end, "allowed-tools");
  }
  JSValue result = good && named ? js_dup(description) : JS_NULL;
  free_front(js, &front);
  return result;
}

/* ------------------------------------------------------------------------------------------------ src/base/quote.ts */

/* countCharacters(text): half of a pair counts as one. */
static JSValue quick_count_characters(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  if (!is_text(args[0])) return JS_NULL;
  JSString *text = JS_VALUE_GET_STRING(args[0]);
  int characters = (int)text->len;
  if (text->is_wide_char)
    for (uint32_t at = 1; at < text->len; at++)
      if (is_lo_surrogate(str16(text)[at]) && is_hi_surrogate(str16(text)[at - 1])) characters--;
  return js_int32(characters);
}

/* ---------------------------------------------------------------------------------------- src/skills/byte-order.ts */

/* Surrogates stand for what comes behind all else. */
static int rank(int unit) {
  return unit >= 0xD800 && unit <= 0xDFFF ? unit + 0x10000 : unit;
}

static JSValue quick_compare_texts(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  if (!is_text(args[0]) || !is_text(args[1])) return JS_NULL;
  JSString *a = JS_VALUE_GET_STRING(args[0]), *b = JS_VALUE_GET_STRING(args[1]);
  int shared = (int)(a->len < b->len ? a->len : b->len), order = 0;
  if (!a->is_wide_char && !b->is_wide_char) order = shared == 0 ? 0 : memcmp(str8(a), str8(b), (size_t)shared);
  else
    for (int at = 0; order == 0 && at < shared; at++) order = rank(string_get(a, at)) - rank(string_get(b, at));
  return js_int32(order != 0 ? order : (int)a->len - (int)b->len);
}

/* -------------------------------------------------------------------------------------------------- src/base/xml.ts */

/* What a character is written as in an element's body or an attribute; NULL for itself, the empty text for one that XML forbids. */
static const char *entity(JSString *text, int at, int attribute) {
  int c = string_get(text, at);
  switch (c) {
  case '&': return "&amp;";
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '"': return "&quot;";
  case '\'': return "&apos;";
  case '\r': return "&#13;";
  case '\t': return attribute ? "&#9;" : NULL;
  case '\n': return attribute ? "&#10;" : NULL;
  }
  if (c < 0x20 || c == 0xFFFE || c == 0xFFFF) return "";
  if (is_hi_surrogate(c)) return at + 1 < (int)text->len && is_lo_surrogate(string_get(text, at + 1)) ? NULL : "";
  if (is_lo_surrogate(c)) return at > 0 && is_hi_surrogate(string_get(text, at - 1)) ? NULL : "";
  return NULL;
}

static void put_escaped(StringBuffer *out, JSString *text, int attribute) {
  int done = 0;
  for (int at = 0; at < (int)text->len; at++) {
    int c = string_get(text, at);
    if (c > '>' && c < 0xD800) continue;
    const char *instead = entity(text, at, attribute);
    if (instead == NULL) continue;
    string_buffer_concat(out, text, (uint32_t)done, (uint32_t)at);
    if (*instead == 0) string_buffer_putc16(out, 0xFFFD);
    else string_buffer_puts8(out, instead);
    done = at + 1;
  }
  string_buffer_concat(out, text, (uint32_t)done, text->len);
}

static JSValue escaped(JSContext *js, JSValueConst value, int attribute) {
  if (!is_text(value)) return JS_NULL;
  JSString *text = JS_VALUE_GET_STRING(value);
  int at = 0;
  while (at < (int)text->len && entity(text, at, attribute) == NULL) at++;
  if (at == (int)text->len) return js_dup(value);
  StringBuffer built;
  string_buffer_init2(js, &built, (int)text->len + 16, text->is_wide_char);
  put_escaped(&built, text, attribute);
  return string_buffer_end(&built);
}

static JSValue quick_escape_xml(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  return escaped(js, args[0], 0);
}

static JSValue quick_escape_xml_attribute(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  return escaped(js, args[0], 1);
}

/* Puts a text; 0 where it is none. */
static int put_text(JSContext *js, StringBuffer *out, JSValueConst value, int attribute) {
  if (!JS_IsString(value)) return 0;
  JSValue flat = JS_ToString(js, value);
  if (attribute < 0) string_buffer_concat_value(out, flat);
  else put_escaped(out, JS_VALUE_GET_STRING(flat), attribute);
  JS_FreeValue(js, flat);
  return 1;
}

static int put_tag(JSContext *js, StringBuffer *out, JSValueConst element, JSValueConst name) {
  JSValue attributes = JS_GetPropertyStr(js, element, "attributes"), *pairs, *pair;
  uint32_t count, two;
  string_buffer_putc16(out, '<');
  int good = put_text(js, out, name, -1) && js_get_fast_array(js, attributes, &pairs, &count);
  for (uint32_t at = 0; good && at < count; at++) {
    good = js_get_fast_array(js, pairs[at], &pair, &two) && two == 2;
    if (!good) break;
    string_buffer_putc16(out, ' ');
    good = put_text(js, out, pair[0], -1);
    string_buffer_puts8(out, "=\"");
    good = good && put_text(js, out, pair[1], 1);
    string_buffer_putc16(out, '"');
  }
  JS_FreeValue(js, attributes);
  return good;
}

#define DEEPEST_ELEMENT 64

/* `more` blanks stand behind the indentation that was asked for; of an element among text none stand there. */
static int put_element(JSContext *js, StringBuffer *out, JSValueConst element, JSValueConst indent, int more, int depth) {
  if (!JS_IsObject(element) || depth > DEEPEST_ELEMENT) return 0;
  JSValue name = JS_GetProperty(js, element, JS_ATOM_name), children = JS_GetPropertyStr(js, element, "children"), *nodes;
  uint32_t count = 0;
  int good = js_get_fast_array(js, children, &nodes, &count), texts = 0;
  for (uint32_t at = 0; good && at < count; at++) texts |= JS_IsString(nodes[at]);
  string_buffer_concat_value(out, indent);
  string_buffer_fill(out, ' ', more);
  good = good && put_tag(js, out, element, name);
  if (count == 0) string_buffer_puts8(out, "/>");
  else {
    string_buffer_putc16(out, '>');
    for (uint32_t at = 0; good && at < count; at++) {
      if (!texts) string_buffer_putc16(out, '\n');
      if (JS_IsString(nodes[at])) good = put_text(js, out, nodes[at], 0);
      else if (texts) {
        JSValue none = js_empty_string(js->rt);
        good = put_element(js, out, nodes[at], none, 0, depth + 1);
        JS_FreeValue(js, none);
      } else good = put_element(js, out, nodes[at], indent, more + 2, depth + 1);
    }
    if (!texts) {
      string_buffer_putc16(out, '\n');
      string_buffer_concat_value(out, indent);
      string_buffer_fill(out, ' ', more);
    }
    string_buffer_puts8(out, "</");
    good = good && put_text(js, out, name, -1);
    string_buffer_putc16(out, '>');
  }
  JS_FreeValue(js, name);
  JS_FreeValue(js, children);
  return good;
}

static JSValue built_or_null(StringBuffer *out, int good) {
  if (good) return string_buffer_end(out);
  string_buffer_free(out);
  return JS_NULL;
}

/* writeXml(element, indent): null where it is not built of plain arrays, or very deep. */
static JSValue quick_write_xml(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  if (!is_text(args[1])) return JS_NULL;
  StringBuffer built;
  string_buffer_init2(js, &built, 256, 0);
  return built_or_null(&built, put_element(js, &built, args[0], args[1], 0, 0));
}

static JSValue quick_open_tag(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  if (!JS_IsObject(args[0])) return JS_NULL;
  StringBuffer built;
  string_buffer_init2(js, &built, 64, 0);
  JSValue name = JS_GetProperty(js, args[0], JS_ATOM_name);
  int good = put_tag(js, &built, args[0], name);
  JS_FreeValue(js, name);
  return built_or_null(&built, good);
}

/* -------------------------------------------------------------------------------- src/session-start/attribute-pairs.ts */

static JSValue quick_attribute_pairs(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  if (!JS_IsObject(args[0])) return JS_NULL;
  JSObject *it = JS_VALUE_GET_OBJ(args[0]);
  if (it->class_id != JS_CLASS_OBJECT || it->is_exotic) return JS_NULL;
  JSShapeProperty *names = get_shape_prop(it->shape);
  struct values list = {NULL, 0, 0};
  int good = 1;
  for (int at = 0; good && at < it->shape->prop_count; at++) {
    if (names[at].atom == JS_ATOM_NULL || !(names[at].flags & JS_PROP_ENUMERABLE)) continue;
    uint32_t number;
    good = (names[at].flags & JS_PROP_TMASK) == 0 && !JS_AtomIsArrayIndex(js, &number, names[at].atom) &&
           JS_AtomGetKind(js, names[at].atom) == JS_ATOM_KIND_STRING && !JS_IsObject(it->prop[at].u.value);
    if (!good || JS_IsNull(it->prop[at].u.value)) continue;
    const JSValue pair[] = {JS_AtomToString(js, names[at].atom), JS_ToString(js, it->prop[at].u.value)};
    good = !JS_IsException(pair[1]);
    add_value(js, &list, JS_NewArrayFrom(js, 2, pair));
  }
  JSValue pairs = array_of(js, &list);
  if (good) return pairs;
  JS_FreeValue(js, pairs);
  return JS_NULL;
}

static const JSCFunctionListEntry READERS[] = {
  JS_CFUNC_DEF("stepLines", 1, quick_step_lines),
  JS_CFUNC_DEF("countSteps", 1, quick_count_steps),
  JS_CFUNC_DEF("frontMatter", 1, quick_front_matter),
  JS_CFUNC_DEF("isSafeYaml", 1, quick_is_safe_yaml),
  JS_CFUNC_DEF("frontLines", 1, quick_front_lines),
  JS_CFUNC_DEF("frontValues", 2, quick_front_values),
  JS_CFUNC_DEF("skillWords", 2, quick_skill_words),
  JS_CFUNC_DEF("countCharacters", 1, quick_count_characters),
  JS_CFUNC_DEF("compareTexts", 2, quick_compare_texts),
  JS_CFUNC_DEF("attributePairs", 1, quick_attribute_pairs),
  JS_CFUNC_DEF("escapeXml", 1, quick_escape_xml),
  JS_CFUNC_DEF("escapeXmlAttribute", 1, quick_escape_xml_attribute),
  JS_CFUNC_DEF("openTag", 1, quick_open_tag),
  JS_CFUNC_DEF("writeXml", 2, quick_write_xml),
};
