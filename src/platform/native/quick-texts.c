/*
 * Quicker forms of some of our own readers of texts, which `engine.c` takes in: each beside the TypeScript that stands for it in Node,
 * under the name of its module. They read what such texts mostly are, and give `null` for all else: that is for the TypeScript, which
 * stands in the program too. `tests/e2e/native.test.ts` holds the two together.
 */

static int is_blank(int c) {
  return c == ' ' || c == '\t';
}

/* Where the line that begins at `from` ends, without its line feed. */
static int line_end(JSString *text, int from) {
  int at = string_indexof_char(text, '\n', from);
  return at < 0 ? (int)text->len : at;
}

static JSValue piece(JSContext *js, JSString *text, int start, int end) {
  return js_sub_string(js, text, start, end);
}

static int holds(JSString *text, const char *word) {
  int size = (int)strlen(word), length = (int)text->len;
  for (int at = 0; at + size <= length; at++) {
    at = string_indexof_char(text, word[0], at);
    if (at < 0 || at + size > length) return 0;
    int same = 1;
    while (same < size && string_get(text, at + same) == word[same]) same++;
    if (same == size) return 1;
  }
  return 0;
}

/* --------------------------------------------------------------------------------------- src/projects/count-steps.ts */

enum { OPEN_BOX, CLOSED_BOX, HEADING };

/*
 * stepLines(text): a number, a kind and a text for each line that a steps file is read for: of a box the item's words, of a heading of
 * the first or second level, whose level is added to the kind, what follows its marks. null for a text with code or comments.
 */
static JSValue quick_step_lines(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  if (!is_text(args[0])) return JS_NULL;
  JSString *text = JS_VALUE_GET_STRING(args[0]);
  int length = (int)text->len;
  if (string_indexof_char(text, '\r', 0) >= 0 || holds(text, "```") || holds(text, "~~~") || holds(text, "<!--")) return JS_NULL;
  struct values list = {NULL, 0, 0};
  int number = 0;
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

/* frontMatter(text): where it starts and ends, and where what follows it starts; null where it is absent or unclosed. */
static JSValue quick_front_matter(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  if (!is_text(args[0])) return JS_NULL;
  JSString *text = JS_VALUE_GET_STRING(args[0]);
  int length = (int)text->len, start = length > 0 && string_get(text, 0) == 0xFEFF ? 1 : 0, end = line_end(text, start);
  if (!is_dashes(text, start, end)) return JS_NULL;
  int first = end + 1;
  for (int at = first; at < length; at = end + 1) {
    end = line_end(text, at);
    if (!is_dashes(text, at, end)) continue;
    int next = end == length ? length : end + 1;
    JSValueConst places[] = {js_int32(first), js_int32(at), js_int32(next)};
    return js_create_array(js, 3, places);
  }
  return JS_NULL;
}

#define SAFE_LENGTH 32768
#define SAFE_DASHES 33
#define SAFE_DEPTH 32
#define SAFE_KEYS 100

/* isSafeYaml(raw): true where it is no hazard; one that may be is looked at again. */
static JSValue quick_is_safe_yaml(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  if (!is_text(args[0])) return JS_FALSE;
  JSString *text = JS_VALUE_GET_STRING(args[0]);
  if (text->len > SAFE_LENGTH) return JS_FALSE;
  int dashes = 0, opened = 0, keys = 0;
  for (int at = 0; at < (int)text->len; at++) {
    int c = string_get(text, at);
    if (c == '[' || c == '{') opened++;
    else if (c == '?') keys++;
    else if (c == '-') dashes++;
  }
  return js_bool(dashes < SAFE_DASHES && opened <= SAFE_DEPTH && keys <= SAFE_KEYS);
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
  static const char *const words[] = {"null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE"};
  for (int at = 0; at < 9; at++) {
    if (!is_word(text, start, end, words[at])) continue;
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
    int stop = string_indexof_char(text, ',', at);
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

/* Whether a pair's key is the text between. */
static int is_key(JSValueConst key, JSString *text, int start, int end) {
  JSString *known = JS_VALUE_GET_STRING(key);
  return (int)known->len == end - start && string_cmp(known, text, 0, start, end - start) == 0;
}

/* frontLines(raw): keys and values in turn; null where a line is not of the simplest, or no reader would take it. */
static JSValue quick_front_lines(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  if (!is_text(args[0])) return JS_NULL;
  JSString *text = JS_VALUE_GET_STRING(args[0]);
  int length = (int)text->len, listing = 0, indent = 0, good = 1;
  struct values pairs = {NULL, 0, 0}, items = {NULL, 0, 0};
  for (int start = 0, stop; good && start < length; start = stop + 1) {
    stop = line_end(text, start);
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
      pairs.items[pairs.count - 1] = array_of(js, &items);
      items = (struct values){NULL, 0, 0};
    }
    int key = start;
    while (key < end && (is_letter(string_get(text, key)) || (key > start && (is_digit(string_get(text, key)) || string_get(text, key) == '-')))) key++;
    int from = key;
    while (from < end && string_get(text, from) == ' ') from++;
    good = key > start && key - start <= 128 && from < end && string_get(text, from) == ':';
    static const char *const odd[] = {"null", "Null", "NULL", "__proto__"};
    for (int word = 0; good && word < 4; word++) good = !is_word(text, start, key, odd[word]);
    for (int pair = 0; good && pair < pairs.count; pair += 2) good = !is_key(pairs.items[pair], text, start, key);
    if (!good) break;
    int value = from + 1;
    while (value < end && string_get(text, value) == ' ') value++;
    listing = value == end;
    good = listing || value > from + 1;
    JSValue found = JS_NULL;
    if (good && !listing) good = string_get(text, value) == '[' ? flow_list(js, text, value, end, &found) : scalar(js, text, value, end, &found);
    if (!good) break;
    add_value(js, &pairs, piece(js, text, start, key));
    add_value(js, &pairs, found);
  }
  if (good && listing && items.count > 0) {
    pairs.items[pairs.count - 1] = array_of(js, &items);
    items = (struct values){NULL, 0, 0};
  }
  JSValue left = array_of(js, &items), result = array_of(js, &pairs);
  JS_FreeValue(js, left);
  if (good) return result;
  JS_FreeValue(js, result);
  return JS_NULL;
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

static const JSCFunctionListEntry READERS[] = {
  JS_CFUNC_DEF("stepLines", 1, quick_step_lines),
  JS_CFUNC_DEF("frontMatter", 1, quick_front_matter),
  JS_CFUNC_DEF("isSafeYaml", 1, quick_is_safe_yaml),
  JS_CFUNC_DEF("frontLines", 1, quick_front_lines),
  JS_CFUNC_DEF("countCharacters", 1, quick_count_characters),
  JS_CFUNC_DEF("compareTexts", 2, quick_compare_texts),
  JS_CFUNC_DEF("escapeXml", 1, quick_escape_xml),
  JS_CFUNC_DEF("escapeXmlAttribute", 1, quick_escape_xml_attribute),
  JS_CFUNC_DEF("openTag", 1, quick_open_tag),
  JS_CFUNC_DEF("writeXml", 2, quick_write_xml),
};
