/*
 * QuickJS-ng as it is, with quicker forms of what the bundles spend much time in: patterns and looking for a text in a text.
 * Each gives what the engine's own gives (`tests/e2e/native.test.ts` holds the two together); of the cases that hardly occur the
 * engine's own has the rest. It leans on the inside of version 0.17; of another version the engine stays as it is.
 */
#include "libregexp.h"
#include "quickjs.h"

#if QJS_VERSION_MAJOR == 0 && QJS_VERSION_MINOR == 17

static int find_match(uint8_t **capture, const uint8_t *code, const uint8_t *text, int from, int length, int wide, void *opaque);
#define lre_exec find_match
#ifdef HOOKED
/* With calls of these two put in; see `scripts/build-native.mjs`. */
typedef struct JSObject JSObject;
static int quick_define(JSContext *js, JSValueConst object, JSAtom name, JSValue value, int flags);
static int quick_copy(JSContext *js, JSValueConst target, JSObject *source);
#include "quickjs-hooked.c"
#else
#include "quickjs.c"
#endif
#undef lre_exec

/* -------------------------------------------------------------------------------------------------- objects' properties */

/* The engine as it is asks too; tests compare with it. */
static int g_quick;

/* A property that an ordinary object has not yet; -2 where it is another case. */
__attribute__((unused)) static int quick_define(JSContext *js, JSValueConst object, JSAtom name, JSValue value, int flags) {
  if (!g_quick || JS_VALUE_GET_TAG(object) != JS_TAG_OBJECT || (flags & ~JS_PROP_THROW) != JS_PROP_C_W_E) return -2;
  JSObject *it = JS_VALUE_GET_OBJ(object);
  JSProperty *property;
  if (it->is_exotic || !it->extensible || find_own_property(&property, it, name) != NULL) return -2;
  property = add_property(js, it, name, JS_PROP_C_W_E);
  if (property == NULL) {
    JS_FreeValue(js, value);
    return -1;
  }
  property->u.value = value;
  return 1;
}

/* `{...source}` of an ordinary object into an empty one: it is of the same shape. */
__attribute__((unused)) static int quick_copy(JSContext *js, JSValueConst target, JSObject *source) {
  if (!g_quick || JS_VALUE_GET_TAG(target) != JS_TAG_OBJECT) return 0;
  JSObject *it = JS_VALUE_GET_OBJ(target);
  JSShape *shape = source->shape;
  if (it->class_id != JS_CLASS_OBJECT || source->class_id != JS_CLASS_OBJECT || it->is_exotic || source->is_exotic) return 0;
  if (!it->extensible || it->is_prototype || source->is_prototype || it->shape->prop_count != 0) return 0;
  if (!shape->is_hashed || shape->deleted_prop_count != 0 || shape->proto != it->shape->proto || shape->prop_count == 0) return 0;
  JSShapeProperty *names = get_shape_prop(shape);
  for (int at = 0; at < shape->prop_count; at++)
    if ((names[at].flags & (JS_PROP_TMASK | JS_PROP_C_W_E)) != JS_PROP_C_W_E) return 0;
  JSProperty *values = js_malloc(js, sizeof(JSProperty) * (size_t)shape->prop_size);
  if (values == NULL) return 0;
  for (int at = 0; at < shape->prop_count; at++) values[at].u.value = js_dup(source->prop[at].u.value);
  js_free(js, it->prop);
  js_free_shape(js->rt, it->shape);
  it->shape = js_dup_shape(shape);
  it->prop = values;
  return 1;
}

/* ------------------------------------------------------------------------------------- where a pattern's match can begin */

/*
 * The engine tries a pattern at each place of a text, some steps of its interpreter for each. Here the characters that a match
 * can begin with are worked out of the compiled pattern once, and it is tried where one of them stands.
 */

typedef enum {
#define DEF(id, size) REOP_##id,
#include "libregexp-opcode.h"
#undef DEF
} Opcode;

static const uint8_t OPCODE_SIZES[] = {
#define DEF(id, size) size,
#include "libregexp-opcode.h"
#undef DEF
};

/* Flags, two counts and the length stand before the code, which begins with the loop that tries each place. */
#define HEADER 8
#define LOOP 11

struct beginnings {
  const uint8_t *code;
  uint32_t length;
  /* What `code` was, since another pattern's can come to lie at its place. */
  uint8_t *copy;
  /* The same without the loop: it is tried at one place. */
  uint8_t *once;
  /* Whether looking for them gains anything. */
  uint8_t useful;
  /* At the start alone; at the starts of lines. */
  uint8_t at_start, at_lines;
  /* Whether a character above 255 can be the first; whether there may be none. */
  uint8_t wide, empty;
  uint8_t first[256];
};

static uint32_t two(const uint8_t *at) {
  uint16_t value;
  memcpy(&value, at, 2);
  return value;
}

static uint32_t four(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, 4);
  return value;
}

/* Characters below 256 as patterns compare them where case does not count. */
static uint32_t g_folded[2][256];

static void fold(int unicode) {
  if (g_folded[unicode]['a'] != 0) return;
  for (uint32_t c = 0; c < 256; c++) g_folded[unicode][c] = (uint32_t)lre_canonicalize(c, unicode);
}

static void allow_range(struct beginnings *it, uint32_t low, uint32_t high, int folded, int unicode) {
  if (high > 255 || folded) it->wide = 1;
  if (folded) {
    fold(unicode);
    for (uint32_t c = 0; c < 256; c++)
      if (g_folded[unicode][c] >= low && g_folded[unicode][c] <= high) it->first[c] = 1;
  } else if (low < 256) memset(it->first + low, 1, (high > 255 ? 255 : high) - low + 1);
}

/* Whether every way on from `pc` takes a character first; notes which. */
static int takes_one(struct beginnings *it, const uint8_t *start, const uint8_t *end, const uint8_t *pc, uint8_t *seen, int unicode) {
  for (;;) {
    if (pc < start || pc >= end || *pc >= sizeof OPCODE_SIZES) return 0;
    if (seen[pc - start]) return 1;
    seen[pc - start] = 1;
    Opcode opcode = *pc;
    const uint8_t *next = pc + OPCODE_SIZES[opcode], *operand = pc + 1;
    if (next > end) return 0;
    int folded = 0;
    switch (opcode) {
    case REOP_char_i:
      folded = 1; /* fallthrough */
    case REOP_char:
      allow_range(it, two(operand), two(operand), folded, unicode);
      return 1;
    case REOP_char32:
    case REOP_char32_i:
      it->wide = 1;
      return 1;
    case REOP_dot:
      allow_range(it, 0, 9, 0, 0);
      allow_range(it, 11, 12, 0, 0);
      allow_range(it, 14, 256, 0, 0);
      return 1;
    case REOP_any:
      allow_range(it, 0, 256, 0, 0);
      return 1;
    case REOP_space:
    case REOP_not_space:
      for (uint32_t c = 0; c < 256; c++)
        if (!lre_is_space(c) == (opcode == REOP_not_space)) it->first[c] = 1;
      it->wide = 1;
      return 1;
    case REOP_range_i:
      folded = 1; /* fallthrough */
    case REOP_range:
      for (uint32_t at = 0; at < two(operand); at++) {
        if (next + at * 4 + 4 > end) return 0;
        allow_range(it, two(next + at * 4), two(next + at * 4 + 2), folded, unicode);
      }
      return 1;
    case REOP_range32_i:
      folded = 1; /* fallthrough */
    case REOP_range32:
      for (uint32_t at = 0; at < two(operand); at++) {
        if (next + at * 8 + 8 > end) return 0;
        allow_range(it, four(next + at * 8), four(next + at * 8 + 4), folded, unicode);
      }
      return 1;
    case REOP_goto:
      pc = next + (int32_t)four(operand);
      continue;
    case REOP_split_goto_first:
    case REOP_split_next_first:
      if (!takes_one(it, start, end, next + (int32_t)four(operand), seen, unicode)) return 0;
      break;
    case REOP_lookahead:
    case REOP_negative_lookahead:
      /* What it looks for is left out of account, which allows more. */
      next += (int32_t)four(operand);
      break;
    case REOP_line_start:
    case REOP_line_start_m:
    case REOP_line_end:
    case REOP_line_end_m:
    case REOP_word_boundary:
    case REOP_word_boundary_i:
    case REOP_not_word_boundary:
    case REOP_not_word_boundary_i:
    case REOP_save_start:
    case REOP_save_end:
    case REOP_save_reset:
    case REOP_set_i32:
    case REOP_set_char_pos:
      break;
    default:
      return 0;
    }
    pc = next;
  }
}

static void work_out(struct beginnings *it, const uint8_t *code, uint32_t length) {
  int flags = lre_get_flags(code);
  uint32_t body = four(code + 4);
  const uint8_t loop[LOOP] = {REOP_split_goto_first, 6, 0, 0, 0, REOP_any, REOP_goto, 0xF5, 0xFF, 0xFF, 0xFF};
  it->useful = 0;
  if ((flags & LRE_FLAG_STICKY) || body <= LOOP || HEADER + body > length || memcmp(code + HEADER, loop, LOOP) != 0) return;
  const uint8_t *start = code + HEADER + LOOP, *end = code + HEADER + body;
  uint8_t *seen = calloc((size_t)(end - start), 1);
  if (seen == NULL) return;
  it->at_start = it->at_lines = it->wide = it->empty = 0;
  memset(it->first, 0, sizeof it->first);
  const uint8_t *head = start;
  while (head < end && (*head == REOP_save_start || *head == REOP_save_reset)) head += OPCODE_SIZES[*head];
  if (head < end && *head == REOP_line_start) it->at_start = 1;
  if (head < end && *head == REOP_line_start_m) it->at_lines = 1;
  int known = takes_one(it, start, end, start, seen, (flags & (LRE_FLAG_UNICODE | LRE_FLAG_UNICODE_SETS)) != 0);
  free(seen);
  if (!known) {
    memset(it->first, 1, sizeof it->first);
    it->wide = it->empty = 1;
    if (!it->at_start && !it->at_lines) return;
  }
  it->useful = 1;
  it->once = malloc(length);
  if (it->once == NULL) {
    it->useful = 0;
    return;
  }
  memcpy(it->once, code, HEADER);
  memcpy(it->once + HEADER, start, length - HEADER - LOOP);
}

#define KNOWN 512
static struct beginnings *g_known[KNOWN];

static struct beginnings *beginnings_of(const uint8_t *code) {
  /* Names of groups stand behind the code; no match needs them. */
  uint32_t length = HEADER + four(code + 4);
  struct beginnings **place = &g_known[((uintptr_t)code >> 4) % KNOWN], *it = *place;
  if (it != NULL && it->code == code && it->length == length && memcmp(it->copy, code, length) == 0) return it;
  if (it == NULL) it = *place = calloc(1, sizeof *it);
  if (it == NULL) return NULL;
  free(it->copy);
  free(it->once);
  it->once = NULL;
  it->copy = malloc(length);
  if (it->copy == NULL) {
    it->code = NULL;
    return NULL;
  }
  memcpy(it->copy, code, length);
  it->code = code;
  it->length = length;
  work_out(it, code, length);
  return it;
}

static int ends_line(uint32_t c) {
  return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029;
}

static int find_match(uint8_t **capture, const uint8_t *code, const uint8_t *text, int from, int length, int wide, void *opaque) {
  struct beginnings *it = beginnings_of(code);
  if (it == NULL || !it->useful) return lre_exec(capture, code, text, from, length, wide, opaque);
  const uint16_t *units = (const uint16_t *)(const void *)text;
  int last = it->at_start ? 0 : length;
  for (int at = from; at <= last; at++) {
    if (it->at_lines && at > 0 && !ends_line(wide ? units[at - 1] : text[at - 1])) {
      if (wide) continue;
      const uint8_t *feed = memchr(text + at, '\n', (size_t)(length - at));
      const uint8_t *end = memchr(text + at, '\r', feed == NULL ? (size_t)(length - at) : (size_t)(feed - text - at));
      if (end == NULL) end = feed;
      if (end == NULL) break;
      at = (int)(end - text);
      continue;
    }
    if (at == length) {
      if (!it->empty) break;
    } else if (!wide) {
      if (!it->first[text[at]]) continue;
    } else if (units[at] < 256 ? !it->first[units[at]] : !it->wide) continue;
    int found = lre_exec(capture, it->once, text, at, length, wide, opaque);
    if (found != 0) return found;
  }
  return 0;
}

/* -------------------------------------------------------------------------------------- what the bundles call of patterns */

/*
 * As the standard has it all of this goes by way of properties that a script may have put something else into, and each match is an
 * object. The bundles put nothing there.
 */

#define SLOTS 64

struct search {
  JSRegExp *pattern;
  const uint8_t *code;
  int flags, groups;
  uint8_t *slots[SLOTS];
};

/* Whether it is a pattern that is searched for here. */
static int open_search(JSContext *js, JSValueConst value, struct search *it, int but) {
  it->pattern = js_get_regexp(js, value, false);
  if (it->pattern == NULL) return 0;
  it->code = str8(it->pattern->bytecode);
  it->flags = lre_get_flags(it->code);
  it->groups = lre_get_capture_count(it->code);
  return (it->flags & (but | LRE_FLAG_INDICES)) == 0 && lre_get_alloc_count(it->code) <= SLOTS;
}

static int search(JSContext *js, struct search *it, JSString *text, int from) {
  return find_match(it->slots, it->code, str8(text), from, text->len, text->is_wide_char, js);
}

static int place(const struct search *it, JSString *text, int slot) {
  return (int)(it->slots[slot] - str8(text)) >> text->is_wide_char;
}

static JSValue group(JSContext *js, const struct search *it, JSString *text, int number) {
  if (it->slots[number * 2] == NULL || it->slots[number * 2 + 1] == NULL) return JS_UNDEFINED;
  return js_sub_string(js, text, place(it, text, number * 2), place(it, text, number * 2 + 1));
}

static JSValue failed(JSContext *js) {
  return JS_ThrowInternalError(js, "out of memory in regexp execution");
}

static JSValue quick_test(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  struct search it;
  if (!open_search(js, self, &it, LRE_FLAG_GLOBAL | LRE_FLAG_STICKY)) return js_regexp_test(js, self, count, args);
  JSValue text = JS_ToString(js, args[0]);
  if (JS_IsException(text)) return text;
  int found = search(js, &it, JS_VALUE_GET_STRING(text), 0);
  JS_FreeValue(js, text);
  return found < 0 ? failed(js) : js_bool(found);
}

static JSValue quick_exec(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  struct search it;
  if (!open_search(js, self, &it, LRE_FLAG_NAMED_GROUPS)) return js_regexp_exec(js, self, count, args);
  int moves = (it.flags & (LRE_FLAG_GLOBAL | LRE_FLAG_STICKY)) != 0, from = 0;
  if (moves) {
    JSValue last = JS_GetProperty(js, self, JS_ATOM_lastIndex);
    if (JS_VALUE_GET_TAG(last) != JS_TAG_INT || JS_VALUE_GET_INT(last) < 0) {
      JS_FreeValue(js, last);
      return js_regexp_exec(js, self, count, args);
    }
    from = JS_VALUE_GET_INT(last);
  }
  JSValue whole = JS_ToString(js, args[0]);
  if (JS_IsException(whole)) return whole;
  JSString *text = JS_VALUE_GET_STRING(whole);
  int found = from > (int)text->len ? 0 : search(js, &it, text, from);
  if (found < 0 || (moves && JS_SetProperty(js, self, JS_ATOM_lastIndex, js_int32(found ? place(&it, text, 1) : 0)) < 0)) {
    JS_FreeValue(js, whole);
    return found < 0 ? failed(js) : JS_EXCEPTION;
  }
  if (found == 0) {
    JS_FreeValue(js, whole);
    return JS_NULL;
  }
  JSProperty properties[4];
  properties[0].u.value = js_int32(it.groups);
  properties[1].u.value = js_int32(place(&it, text, 0));
  properties[2].u.value = whole;
  properties[3].u.value = JS_UNDEFINED;
  JSValue match = JS_NewObjectFromShape(js, js_dup_shape(js->regexp_result_shape), JS_CLASS_ARRAY, properties);
  if (JS_IsException(match)) return match;
  JSObject *object = JS_VALUE_GET_OBJ(match);
  if (expand_fast_array(js, object, (uint32_t)it.groups) < 0) {
    JS_FreeValue(js, match);
    return JS_EXCEPTION;
  }
  for (int at = 0; at < it.groups; at++) object->u.array.u.values[at] = group(js, &it, text, at);
  object->u.array.count = (uint32_t)it.groups;
  return match;
}

static JSValue quick_flags(JSContext *js, JSValueConst self) {
  struct search it;
  static const struct {
    char letter;
    int flag;
  } letters[] = {{'g', LRE_FLAG_GLOBAL}, {'i', LRE_FLAG_IGNORECASE}, {'m', LRE_FLAG_MULTILINE}, {'s', LRE_FLAG_DOTALL},
                 {'u', LRE_FLAG_UNICODE}, {'v', LRE_FLAG_UNICODE_SETS}, {'y', LRE_FLAG_STICKY}};
  if (!open_search(js, self, &it, 0)) return js_regexp_get_flags(js, self);
  char text[8];
  int length = 0;
  for (size_t at = 0; at < countof(letters); at++)
    if (it.flags & letters[at].flag) text[length++] = letters[at].letter;
  return JS_NewStringLen(js, text, (size_t)length);
}

/* Whether nothing but `$$`, `$&` and a group's single digit is to be filled in. */
static int is_plain_replacement(JSString *text, int groups) {
  for (int at = 0; at < (int)text->len; at++) {
    if (string_get(text, at) != '$') continue;
    int next = at + 1 < (int)text->len ? string_get(text, at + 1) : 0;
    int after = at + 2 < (int)text->len ? string_get(text, at + 2) : 0;
    at++;
    if (next == '$' || next == '&') continue;
    if (next < '1' || next > '9' || next - '0' >= groups || (after >= '0' && after <= '9')) return 0;
  }
  return 1;
}

static void put_group(StringBuffer *out, const struct search *it, JSString *text, int number) {
  if (it->slots[number * 2] == NULL || it->slots[number * 2 + 1] == NULL) return;
  string_buffer_concat(out, text, (uint32_t)place(it, text, number * 2), (uint32_t)place(it, text, number * 2 + 1));
}

static void put_replacement(StringBuffer *out, const struct search *it, JSString *text, JSString *put) {
  int done = 0;
  for (int at = 0; at + 1 < (int)put->len; at++) {
    if (string_get(put, at) != '$') continue;
    string_buffer_concat(out, put, (uint32_t)done, (uint32_t)at);
    int next = string_get(put, ++at);
    if (next == '$') string_buffer_putc16(out, '$');
    else put_group(out, it, text, next == '&' ? 0 : next - '0');
    done = at + 1;
  }
  string_buffer_concat(out, put, (uint32_t)done, put->len);
}

/* What a function makes of a match. */
static JSValue replaced(JSContext *js, const struct search *it, JSValueConst whole, JSValueConst call) {
  JSString *text = JS_VALUE_GET_STRING(whole);
  JSValueConst words[SLOTS + 2];
  for (int at = 0; at < it->groups; at++) words[at] = group(js, it, text, at);
  words[it->groups] = js_int32(place(it, text, 0));
  words[it->groups + 1] = whole;
  JSValue result = JS_ToStringFree(js, JS_Call(js, call, JS_UNDEFINED, it->groups + 2, words));
  for (int at = 0; at < it->groups; at++) JS_FreeValue(js, words[at]);
  return result;
}

static JSValue quick_replace(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  struct search it;
  if (!open_search(js, self, &it, LRE_FLAG_NAMED_GROUPS | LRE_FLAG_STICKY)) return js_regexp_Symbol_replace(js, self, count, args);
  int all = (it.flags & LRE_FLAG_GLOBAL) != 0, calls = JS_IsFunction(js, args[1]);
  int unicode = (it.flags & (LRE_FLAG_UNICODE | LRE_FLAG_UNICODE_SETS)) != 0;
  JSValue put = calls ? JS_UNDEFINED : JS_ToString(js, args[1]);
  if (JS_IsException(put)) return put;
  if (!calls && !is_plain_replacement(JS_VALUE_GET_STRING(put), it.groups)) {
    JS_FreeValue(js, put);
    return js_regexp_Symbol_replace(js, self, count, args);
  }
  JSValue whole = JS_ToString(js, args[0]);
  if (JS_IsException(whole) || (all && JS_SetProperty(js, self, JS_ATOM_lastIndex, js_int32(0)) < 0)) {
    JS_FreeValue(js, put);
    JS_FreeValue(js, whole);
    return JS_EXCEPTION;
  }
  JSString *text = JS_VALUE_GET_STRING(whole);
  StringBuffer built, *out = &built;
  int done = 0, begun = 0, found = 0;
  for (int from = 0; from <= (int)text->len && (found = search(js, &it, text, from)) > 0;) {
    if (!begun && string_buffer_init2(js, out, text->len, text->is_wide_char) < 0) break;
    begun = 1;
    int start = place(&it, text, 0), end = place(&it, text, 1);
    string_buffer_concat(out, text, (uint32_t)done, (uint32_t)start);
    if (calls) {
      JSValue piece = replaced(js, &it, whole, args[1]);
      if (JS_IsException(piece)) {
        string_buffer_free(out);
        JS_FreeValue(js, whole);
        return piece;
      }
      string_buffer_concat_value_free(out, piece);
    } else put_replacement(out, &it, text, JS_VALUE_GET_STRING(put));
    done = end;
    if (!all) break;
    from = end > start ? end : (int)string_advance_index(text, end, unicode);
  }
  JS_FreeValue(js, put);
  if (found < 0) {
    if (begun) string_buffer_free(out);
    JS_FreeValue(js, whole);
    return failed(js);
  }
  if (!begun) return whole;
  string_buffer_concat(out, text, (uint32_t)done, text->len);
  JS_FreeValue(js, whole);
  return string_buffer_end(out);
}

struct values {
  JSValue *items;
  int count, room;
};

static int add_value(JSContext *js, struct values *list, JSValue value) {
  if (list->count == list->room) {
    int room = list->room == 0 ? 16 : list->room * 2;
    JSValue *items = js_realloc(js, list->items, sizeof(JSValue) * (size_t)room);
    if (items == NULL) return -1;
    list->items = items;
    list->room = room;
  }
  list->items[list->count++] = value;
  return 0;
}

/* They become the array's own. */
static JSValue array_of(JSContext *js, struct values *list) {
  JSValue array = JS_NewArray(js);
  JSObject *object = JS_VALUE_GET_OBJ(array);
  object->u.array.u.values = list->items;
  object->u.array.u1.size = (uint32_t)list->room;
  object->u.array.count = (uint32_t)list->count;
  object->prop[0].u.value = js_int32(list->count);
  return array;
}

static JSValue quick_split(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  struct search it;
  if (!JS_IsUndefined(args[1]) || !open_search(js, self, &it, LRE_FLAG_STICKY)) return js_regexp_Symbol_split(js, self, count, args);
  int unicode = (it.flags & (LRE_FLAG_UNICODE | LRE_FLAG_UNICODE_SETS)) != 0;
  JSValue whole = JS_ToString(js, args[0]);
  if (JS_IsException(whole)) return whole;
  JSString *text = JS_VALUE_GET_STRING(whole);
  int length = (int)text->len, done = 0, from = 0, found = 0;
  struct values list = {NULL, 0, 0};
  if (length == 0) found = search(js, &it, text, 0);
  if (found == 0) {
    while (from < length && (found = search(js, &it, text, from)) > 0) {
      int start = place(&it, text, 0), end = place(&it, text, 1);
      if (start >= length) break;
      if (end == done) {
        from = (int)string_advance_index(text, from, unicode);
        continue;
      }
      add_value(js, &list, js_sub_string(js, text, done, start));
      for (int at = 1; at < it.groups; at++) add_value(js, &list, group(js, &it, text, at));
      from = done = end;
    }
    add_value(js, &list, js_sub_string(js, text, done, length));
  }
  JS_FreeValue(js, whole);
  return found < 0 ? failed(js) : array_of(js, &list);
}

/* The engine's own compiles the pattern anew. */
static JSValue quick_match_all(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  struct search it;
  if (!open_search(js, self, &it, 0)) return js_regexp_Symbol_matchAll(js, self, count, args);
  JSValue text = JS_ToString(js, args[0]);
  if (JS_IsException(text)) return text;
  JSValue pattern = js_dup(JS_MKPTR(JS_TAG_STRING, it.pattern->pattern)), code = js_dup(JS_MKPTR(JS_TAG_STRING, it.pattern->bytecode));
  JSValue own = js_regexp_constructor_internal(js, JS_UNDEFINED, pattern, code);
  JSValue iterator = JS_NewObjectClass(js, JS_CLASS_REGEXP_STRING_ITERATOR);
  JSRegExpStringIteratorData *state = js_malloc(js, sizeof *state);
  JS_SetProperty(js, own, JS_ATOM_lastIndex, JS_GetProperty(js, self, JS_ATOM_lastIndex));
  if (JS_IsException(own) || JS_IsException(iterator) || state == NULL) return JS_EXCEPTION;
  state->iterating_regexp = own;
  state->iterated_string = text;
  state->global = (it.flags & LRE_FLAG_GLOBAL) != 0;
  state->unicode = (it.flags & (LRE_FLAG_UNICODE | LRE_FLAG_UNICODE_SETS)) != 0;
  state->done = false;
  JS_SetOpaqueInternal(iterator, state);
  return iterator;
}

/* ------------------------------------------------------------------------------------------------------ texts in texts */

static int is_text(JSValueConst value) {
  return JS_VALUE_GET_TAG(value) == JS_TAG_STRING;
}

/* Where `word` stands in `text`, at or behind `from`; -1 where it does not. */
static int place_of(JSString *text, JSString *word, int from) {
  int length = (int)text->len, size = (int)word->len;
  if (size == 0) return from;
  if (length - from < size) return -1;
  if (!text->is_wide_char && !word->is_wide_char) {
    const uint8_t *found = memmem(str8(text) + from, (size_t)(length - from), str8(word), (size_t)size);
    return found == NULL ? -1 : (int)(found - str8(text));
  }
  return string_indexof(text, word, from);
}

static int stands_at(JSString *text, JSString *word, int at) {
  if (at < 0 || (int)word->len > (int)text->len - at) return 0;
  if (!text->is_wide_char && !word->is_wide_char) return memcmp(str8(text) + at, str8(word), word->len) == 0;
  return string_cmp(text, word, at, 0, (int)word->len) == 0;
}

/* Where to look from: what the call says, or the start; -1 where it is for the engine. */
static int from_where(JSString *text, int count, JSValueConst *args) {
  if (count < 2 || JS_IsUndefined(args[1])) return 0;
  if (JS_VALUE_GET_TAG(args[1]) != JS_TAG_INT) return -1;
  int from = JS_VALUE_GET_INT(args[1]);
  return from < 0 || from > (int)text->len ? -1 : from;
}

static JSValue quick_index_of(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  if (!is_text(self) || !is_text(args[0])) return js_string_indexOf(js, self, count, args, 0);
  JSString *text = JS_VALUE_GET_STRING(self);
  int from = from_where(text, count, args);
  if (from < 0) return js_string_indexOf(js, self, count, args, 0);
  return js_int32(place_of(text, JS_VALUE_GET_STRING(args[0]), from));
}

static JSValue quick_includes(JSContext *js, JSValueConst self, int count, JSValueConst *args, int magic) {
  if (!is_text(self) || !is_text(args[0])) return js_string_includes(js, self, count, args, magic);
  JSString *text = JS_VALUE_GET_STRING(self), *word = JS_VALUE_GET_STRING(args[0]);
  int from = from_where(text, count, args);
  if (from < 0 || (magic == 2 && count > 1)) return js_string_includes(js, self, count, args, magic);
  if (magic == 0) return js_bool(place_of(text, word, from) >= 0);
  return js_bool(stands_at(text, word, magic == 1 ? from : (int)text->len - (int)word->len));
}

static JSValue quick_string_split(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  if (!is_text(self) || !is_text(args[0]) || !JS_IsUndefined(args[1])) return js_string_split(js, self, count, args);
  JSString *text = JS_VALUE_GET_STRING(self), *word = JS_VALUE_GET_STRING(args[0]);
  if (text->len == 0 || word->len == 0) return js_string_split(js, self, count, args);
  struct values list = {NULL, 0, 0};
  int done = 0;
  for (int at; (at = place_of(text, word, done)) >= 0; done = at + (int)word->len)
    add_value(js, &list, js_sub_string(js, text, done, at));
  add_value(js, &list, js_sub_string(js, text, done, (int)text->len));
  return array_of(js, &list);
}

/* ------------------------------------------------------------------------------------------------- JSON.stringify(value) */

static void put_quoted(StringBuffer *out, JSString *text) {
  static const char letters[] = "btn?fr";
  int length = (int)text->len, done = 0;
  string_buffer_putc16(out, '"');
  for (int at = 0; at < length; at++) {
    uint32_t c = string_get(text, at);
    if (c >= 0x20 && c != '"' && c != '\\' && !is_surrogate(c)) continue;
    if (is_hi_surrogate(c) && at + 1 < length && is_lo_surrogate(string_get(text, at + 1))) {
      at++;
      continue;
    }
    string_buffer_concat(out, text, (uint32_t)done, (uint32_t)at);
    done = at + 1;
    char escape[8] = {'\\', (char)c};
    if (c >= 8 && c <= 13 && c != 11) escape[1] = letters[c - 8];
    else if (c < 0x20 || is_surrogate(c)) snprintf(escape, sizeof escape, "\\u%04x", c);
    string_buffer_puts8(out, escape);
  }
  string_buffer_concat(out, text, (uint32_t)done, text->len);
  string_buffer_putc16(out, '"');
}

static int put_json(JSContext *js, StringBuffer *out, JSValueConst value, int depth);

/* An object with plain properties, none of which is named as a number is: those would come first. */
static int put_json_object(JSContext *js, StringBuffer *out, JSObject *it, int depth) {
  JSShape *shape = it->shape;
  if (it->is_exotic || (shape->proto != NULL && shape->proto != JS_VALUE_GET_OBJ(js->class_proto[JS_CLASS_OBJECT]))) return 0;
  JSShapeProperty *names = get_shape_prop(shape);
  int good = 1, before = 0;
  string_buffer_putc16(out, '{');
  for (int at = 0; good && at < shape->prop_count; at++) {
    JSAtom name = names[at].atom;
    if (name == JS_ATOM_NULL) continue;
    uint32_t number;
    good = name != JS_ATOM_toJSON && (names[at].flags & JS_PROP_TMASK) == 0 && !JS_AtomIsArrayIndex(js, &number, name) &&
           JS_AtomGetKind(js, name) == JS_ATOM_KIND_STRING;
    if (!good || !(names[at].flags & JS_PROP_ENUMERABLE) || JS_IsUndefined(it->prop[at].u.value)) continue;
    if (before) string_buffer_putc16(out, ',');
    before = 1;
    put_quoted(out, js->rt->atom_array[name]);
    string_buffer_putc16(out, ':');
    good = put_json(js, out, it->prop[at].u.value, depth + 1);
  }
  string_buffer_putc16(out, '}');
  return good;
}

#define DEEPEST_JSON 64

/* 0 where it is not of what JSON is read into. */
static int put_json(JSContext *js, StringBuffer *out, JSValueConst value, int depth) {
  if (depth > DEEPEST_JSON) return 0;
  switch (JS_VALUE_GET_NORM_TAG(value)) {
  case JS_TAG_STRING:
    put_quoted(out, JS_VALUE_GET_STRING(value));
    return 1;
  case JS_TAG_STRING_ROPE:
  case JS_TAG_INT:
  case JS_TAG_FLOAT64: {
    if (JS_VALUE_GET_NORM_TAG(value) == JS_TAG_FLOAT64 && !isfinite(JS_VALUE_GET_FLOAT64(value))) return string_buffer_puts8(out, "null") == 0;
    JSValue text = JS_ToString(js, value);
    if (!is_text(text)) return 0;
    if (JS_VALUE_GET_NORM_TAG(value) == JS_TAG_STRING_ROPE) put_quoted(out, JS_VALUE_GET_STRING(text));
    else string_buffer_concat_value(out, text);
    JS_FreeValue(js, text);
    return 1;
  }
  case JS_TAG_BOOL:
    return string_buffer_puts8(out, JS_VALUE_GET_BOOL(value) ? "true" : "false") == 0;
  case JS_TAG_NULL:
    return string_buffer_puts8(out, "null") == 0;
  case JS_TAG_OBJECT:
    break;
  default:
    return 0;
  }
  JSObject *it = JS_VALUE_GET_OBJ(value);
  if (it->class_id == JS_CLASS_OBJECT) return put_json_object(js, out, it, depth);
  JSValue *items;
  uint32_t count;
  if (it->class_id != JS_CLASS_ARRAY || it->shape->prop_count != 1 || it->shape->proto != JS_VALUE_GET_OBJ(js->class_proto[JS_CLASS_ARRAY])) return 0;
  if (!js_get_fast_array(js, value, &items, &count)) return 0;
  int good = 1;
  string_buffer_putc16(out, '[');
  for (uint32_t at = 0; good && at < count; at++) {
    if (at > 0) string_buffer_putc16(out, ',');
    good = JS_IsUndefined(items[at]) ? string_buffer_puts8(out, "null") == 0 : put_json(js, out, items[at], depth + 1);
  }
  string_buffer_putc16(out, ']');
  return good;
}

/* The engine's own asks each value for a `toJSON`, and makes a text of each part. */
static JSValue quick_stringify(JSContext *js, JSValueConst self, int count, JSValueConst *args) {
  if (JS_IsUndefined(args[1]) && JS_IsUndefined(args[2])) {
    StringBuffer built;
    string_buffer_init2(js, &built, 256, 0);
    if (put_json(js, &built, args[0], 0)) return string_buffer_end(&built);
    string_buffer_free(&built);
  }
  return js_json_stringify(js, self, count, args);
}

#include "quick-texts.c"

static const JSCFunctionListEntry FLAGS_OF_PATTERNS[] = {JS_CGETSET_DEF("flags", quick_flags, NULL)};

static const JSCFunctionListEntry PATTERNS[] = {
  JS_CFUNC_DEF("exec", 1, quick_exec),
  JS_CFUNC_DEF("test", 1, quick_test),
  JS_CFUNC_DEF("[Symbol.replace]", 2, quick_replace),
  JS_CFUNC_DEF("[Symbol.matchAll]", 1, quick_match_all),
  JS_CFUNC_DEF("[Symbol.split]", 2, quick_split),
};

static const JSCFunctionListEntry TEXTS[] = {
  JS_CFUNC_DEF("indexOf", 1, quick_index_of),
  JS_CFUNC_MAGIC_DEF("includes", 1, quick_includes, 0),
  JS_CFUNC_MAGIC_DEF("endsWith", 1, quick_includes, 2),
  JS_CFUNC_MAGIC_DEF("startsWith", 1, quick_includes, 1),
  JS_CFUNC_DEF("split", 2, quick_string_split),
};

static const JSCFunctionListEntry JSONS[] = {JS_CFUNC_DEF("stringify", 3, quick_stringify)};

/* The engine makes a function when it is first called for: what of is exchanged. */
static void exchange(JSContext *js, JSValueConst owner, const JSCFunctionListEntry *entries, size_t count) {
  for (size_t at = 0; at < count; at++) {
    JSAtom name = find_atom(js, entries[at].name);
    JSProperty *property;
    JSShapeProperty *found = find_own_property(&property, JS_VALUE_GET_OBJ(owner), name);
    if (found != NULL && (found->flags & JS_PROP_TMASK) == JS_PROP_AUTOINIT) property->u.init.opaque = (void *)&entries[at];
    JS_FreeAtom(js, name);
  }
}

void quicken(JSContext *js) {
  g_quick = 1;
  JS_SetPropertyFunctionList(js, js->class_proto[JS_CLASS_REGEXP], FLAGS_OF_PATTERNS, countof(FLAGS_OF_PATTERNS));
  exchange(js, js->class_proto[JS_CLASS_REGEXP], PATTERNS, countof(PATTERNS));
  exchange(js, js->class_proto[JS_CLASS_STRING], TEXTS, countof(TEXTS));
  JSValue json = JS_GetPropertyStr(js, js->global_obj, "JSON");
  if (JS_IsObject(json)) exchange(js, json, JSONS, countof(JSONS));
  JS_FreeValue(js, json);
}

JSValue quick_readers(JSContext *js) {
  JSValue readers = JS_NewObject(js);
  JS_SetPropertyFunctionList(js, readers, READERS, countof(READERS));
  return readers;
}

#else

#include "quickjs.c"

void quicken(JSContext *js) {
  (void)js;
}

JSValue quick_readers(JSContext *js) {
  (void)js;
  return JS_UNDEFINED;
}

#endif
