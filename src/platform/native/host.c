/*
 * The process around the hook commands and lifecycle.* where they run without Node: QuickJS, the bundles as its bytecode,
 * and the calls to the system that they make. `npm run build:native` compiles it with the engine's own C sources.
 *
 * C, since the engine's standard modules neither link, lock-free and exclusively, nor flush, nor say which errno it was.
 * What is written here is only what JavaScript cannot do; everything else stands in the .ts files beside it.
 *
 * Whatever it cannot do, it gives to Node, which is always there: `handOver` replaces this process by Node with the same
 * command line. It can do so until the first byte is on standard output, since what was read of standard input is kept, and
 * what must not be done a second time is told to Node by `keep`.
 */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include "quickjs.h"
#include "token-estimate.h"

extern char **environ;
/* In engine.c. */
extern void quicken(JSContext *js);
extern JSValue quick_readers(JSContext *js);

#define FUNCTION(name) static JSValue name(JSContext *js, JSValueConst self, int count, JSValueConst *args)
#define UNUSED (void)self, (void)count

/* ------------------------------------------------------------------------------------------- what the build puts in */

struct module {
  const char *name;
  const uint8_t *code;
  size_t length;
};
extern const struct module MODULES[];
extern const size_t MODULE_COUNT;
/* Of the bundles that these were made from. */
extern const char BUILD[];

/* ------------------------------------------------------------------------------------------------- over to Node */

static int g_argc;
static char **g_argv;
static char g_script[PATH_MAX];
static int g_wrote;
static int g_kept;
static uint8_t *g_taken;
static size_t g_taken_length, g_taken_room;
/* No hook takes half as much: what is thrown away behind it is not kept, and Node says of so much what it would say of all. */
#define MOST_TAKEN ((size_t)16 << 20)

/*
 * Locks are files made by link(), or by O_EXCL where no file can have two names: Node would wait for the ones that this process,
 * whose number it takes over, still holds.
 */
#define MOST_LINKS 16
static char *g_links[MOST_LINKS];

static void remember_link(const char *path) {
  /* A second name that keeps a file is no lock, and neither is a draft. */
  size_t length = strlen(path);
  if (strstr(path, ".corrupt-") != NULL || (length > 4 && strcmp(path + length - 4, ".tmp") == 0)) return;
  for (int at = 0; at < MOST_LINKS; at++) {
    if (g_links[at] != NULL) continue;
    g_links[at] = strdup(path);
    return;
  }
}

/* A dead owner's lock is taken over by a rename. */
static void remember_renamed(const char *path) {
  size_t length = strlen(path);
  if (length > 5 && strcmp(path + length - 5, ".lock") == 0) remember_link(path);
}

static void forget_link(const char *path) {
  for (int at = 0; at < MOST_LINKS; at++) {
    if (g_links[at] == NULL || strcmp(g_links[at], path) != 0) continue;
    free(g_links[at]);
    g_links[at] = NULL;
  }
}

static int write_whole(int fd, const uint8_t *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(fd, bytes, length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) {
      struct pollfd wait = {.fd = fd, .events = POLLOUT};
      poll(&wait, 1, 1000);
      continue;
    }
    if (count < 0) return -1;
    bytes += count;
    length -= (size_t)count;
  }
  return 0;
}

/* As long as a hook waits for its client. */
#define IDLE_MS 250

/* The rest of standard input, where it comes at all. */
static void copy_rest(int to) {
  static uint8_t chunk[16 * 1024];
  struct pollfd wait = {.fd = 0, .events = POLLIN};
  while (poll(&wait, 1, IDLE_MS) > 0) {
    ssize_t count = read(0, chunk, sizeof chunk);
    if (count <= 0 || write_whole(to, chunk, (size_t)count) != 0) return;
  }
}

/* What was taken off standard input stands there again; after a crash, which can come in the middle, with what follows. */
static void give_back_stdin(int crash) {
  if (g_taken_length == 0) return;
#ifdef __linux__
  int file = memfd_create("stdin", 0);
  if (file >= 0 && write_whole(file, g_taken, g_taken_length) == 0) {
    if (crash) copy_rest(file);
    lseek(file, 0, SEEK_SET);
    dup2(file, 0);
    return;
  }
#endif
  int ends[2];
  if (pipe(ends) != 0) return;
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    write_whole(ends[1], g_taken, g_taken_length);
    if (crash) copy_rest(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  dup2(ends[0], 0);
}

/* Called by signal handlers too: nothing here may allocate. */
static void to_node(int crash) {
  static const char late[] = "context: the native program failed after its answer was begun.\n";
  static const char missing[] = "context: node is not on the PATH; version 20 or later is needed.\n";
  if (g_wrote) {
    write_whole(2, (const uint8_t *)late, sizeof late - 1);
    _exit(70);
  }
  for (int at = 0; at < MOST_LINKS; at++)
    if (g_links[at] != NULL) unlink(g_links[at]);
  give_back_stdin(crash);
  /* It makes every start of Node 20 nearly three times as long. */
  char **kept = environ;
  for (char **entry = environ; *entry != NULL; entry++)
    if (strncmp(*entry, "NODE_EXTRA_CA_CERTS=", 20) != 0) *kept++ = *entry;
  *kept = NULL;
  char *words[g_argc + 2];
  words[0] = "node";
  words[1] = g_script;
  for (int at = 1; at < g_argc; at++) words[at + 1] = g_argv[at];
  words[g_argc + 1] = NULL;
  execvp("node", words);
  write_whole(2, (const uint8_t *)missing, sizeof missing - 1);
  _exit(70);
}

static void hand_over(void) {
  to_node(0);
}

/* Whether anything was changed on disk: until then the whole can be done again. */
static int g_changed;
static size_t g_read;

/*
 * An interpreter takes several times as long over a long text as V8, which compiles what it runs often. A compaction reads
 * half a megabyte in a thousand texts of some kilobytes, a start with 200 skills and 100 projects a third of one. A text or
 * a sum far beyond that is for Node, which is done sooner.
 */
#define LONG_TEXT (96 * 1024)
#define LONG_READ (2 * 1024 * 1024)

static void note_read(size_t length) {
  g_read += length;
  if ((length > LONG_TEXT || g_read > LONG_READ) && !g_changed && !g_wrote) hand_over();
}

/*
 * A crash. Where standard input was read, or something was kept, only this process can give it to Node; else it dies of the
 * signal, and whoever started it, who sees that, starts Node: as another process, which finds this one's locks to be a dead
 * owner's.
 */
static void crashed(int number) {
  signal(number, SIG_DFL);
  if (g_taken_length > 0 || g_kept) to_node(1);
  raise(number);
}

static void watch_for_crashes(void) {
  static uint8_t stack[64 * 1024];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = crashed;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
  for (size_t at = 0; at < sizeof numbers / sizeof *numbers; at++) sigaction(numbers[at], &action, NULL);
}

FUNCTION(host_hand_over) {
  UNUSED, (void)js, (void)args;
  hand_over();
  return JS_UNDEFINED;
}

/* keep(name, text): a variable that Node finds in its environment where it takes over. */
FUNCTION(host_keep) {
  UNUSED;
  const char *name = JS_ToCString(js, args[0]), *text = JS_ToCString(js, args[1]);
  if (name != NULL && text != NULL) g_kept = setenv(name, text, 1) == 0;
  JS_FreeCString(js, name);
  JS_FreeCString(js, text);
  return JS_UNDEFINED;
}

/* ------------------------------------------------------------------------------------------------- texts and bytes */

/* The length of the well-formed sequence at `bytes`; 0 for a malformed one, whose part to replace is `*bad` long. */
static size_t sequence(const uint8_t *bytes, size_t left, size_t *bad) {
  uint8_t first = bytes[0];
  *bad = 1;
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  uint8_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  uint8_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  for (size_t at = 1; at < length; at++) {
    if (at >= left || bytes[at] < low || bytes[at] > high) {
      *bad = at;
      return 0;
    }
    low = 0x80;
    high = 0xBF;
  }
  return length;
}

/* How many bytes from the start are well-formed UTF-8. */
static size_t well_formed(const uint8_t *bytes, size_t length) {
  size_t at = 0, bad;
  while (at < length) {
    uint64_t eight;
    if (length - at >= 8 && (memcpy(&eight, bytes + at, 8), (eight & 0x8080808080808080u) == 0)) {
      at += 8;
      continue;
    }
    size_t step = sequence(bytes + at, length - at, &bad);
    if (step == 0) return at;
    at += step;
  }
  return at;
}

/* A string of bytes as Node makes it: each malformed part becomes one replacement character. */
static JSValue decoded(JSContext *js, const uint8_t *bytes, size_t length) {
  size_t good = well_formed(bytes, length);
  if (good == length) return JS_NewStringLen(js, (const char *)bytes, length);
  uint8_t *repaired = malloc(length * 3);
  if (repaired == NULL) hand_over();
  memcpy(repaired, bytes, good);
  size_t end = good, bad;
  for (size_t at = good; at < length;) {
    size_t step = sequence(bytes + at, length - at, &bad);
    if (step == 0) {
      memcpy(repaired + end, "\xEF\xBF\xBD", 3);
      end += 3;
      at += bad;
    } else {
      memcpy(repaired + end, bytes + at, step);
      end += step;
      at += step;
    }
  }
  JSValue text = JS_NewStringLen(js, (const char *)repaired, end);
  free(repaired);
  return text;
}

/* A string's UTF-8; half of a surrogate pair becomes the replacement character, which is as long. */
static const char *encoded(JSContext *js, size_t *length, JSValueConst text) {
  char *bytes = (char *)JS_ToCStringLen(js, length, text);
  if (bytes == NULL) hand_over();
  for (size_t at = 0; at + 2 < *length; at++) {
    char *next = memchr(bytes + at, 0xED, *length - 2 - at);
    if (next == NULL) break;
    at = (size_t)(next - bytes);
    if ((uint8_t)bytes[at + 1] >= 0xA0) memcpy(bytes + at, "\xEF\xBF\xBD", 3);
  }
  return bytes;
}

/* The bytes that a view of an ArrayBuffer shows. */
static uint8_t *view(JSContext *js, JSValueConst value, size_t *length) {
  size_t offset, whole;
  JSValue buffer = JS_GetTypedArrayBuffer(js, value, &offset, length, NULL);
  if (JS_IsException(buffer)) hand_over();
  uint8_t *bytes = JS_GetArrayBuffer(js, &whole, buffer);
  JS_FreeValue(js, buffer);
  return bytes == NULL ? NULL : bytes + offset;
}

static int64_t integer(JSContext *js, JSValueConst value) {
  int64_t number = 0;
  JS_ToInt64(js, &number, value);
  return number;
}

static size_t within(JSContext *js, JSValueConst value, size_t most) {
  int64_t number = integer(js, value);
  return number < 0 ? 0 : (uint64_t)number > most ? most : (size_t)number;
}

static void release(JSRuntime *runtime, void *opaque, void *bytes) {
  (void)runtime, (void)opaque;
  free(bytes);
}

/* utf8(bytes, start, end): the text. */
FUNCTION(host_utf8) {
  UNUSED;
  size_t length;
  uint8_t *bytes = view(js, args[0], &length);
  size_t end = within(js, args[2], length), start = within(js, args[1], end);
  note_read(end - start);
  return decoded(js, bytes + start, end - start);
}

/* latin1(bytes, start, end): one character a byte. */
FUNCTION(host_latin1) {
  UNUSED;
  size_t length;
  uint8_t *bytes = view(js, args[0], &length);
  size_t end = within(js, args[2], length), start = within(js, args[1], end), high = 0;
  note_read(end - start);
  for (size_t at = start; at < end; at++) high += bytes[at] >> 7;
  if (high == 0) return JS_NewStringLen(js, (const char *)bytes + start, end - start);
  uint8_t *wide = malloc(end - start + high);
  if (wide == NULL) hand_over();
  size_t size = 0;
  for (size_t at = start; at < end; at++) {
    if (bytes[at] >> 7) {
      wide[size++] = (uint8_t)(0xC0 | bytes[at] >> 6);
      wide[size++] = (uint8_t)(0x80 | (bytes[at] & 0x3F));
    } else wide[size++] = bytes[at];
  }
  JSValue text = JS_NewStringLen(js, (const char *)wide, size);
  free(wide);
  return text;
}

/* encode(text): an ArrayBuffer of its UTF-8. */
FUNCTION(host_encode) {
  UNUSED;
  size_t length;
  const char *text = encoded(js, &length, args[0]);
  JSValue bytes = JS_NewArrayBufferCopy(js, (const uint8_t *)text, length);
  JS_FreeCString(js, text);
  return bytes;
}

/* latin1Bytes(text): an ArrayBuffer of the low byte of each UTF-16 unit. */
FUNCTION(host_latin1_bytes) {
  UNUSED;
  size_t length, size = 0;
  /* Not `encoded`: half of a surrogate pair has a low byte of its own. */
  const uint8_t *text = (const uint8_t *)JS_ToCStringLen(js, &length, args[0]);
  uint8_t *bytes = text == NULL ? NULL : malloc(length + 1);
  if (bytes == NULL) hand_over();
  for (size_t at = 0; at < length;) {
    uint8_t first = text[at];
    if (first < 0x80) {
      bytes[size++] = first;
      at += 1;
    } else if (first < 0xE0) {
      bytes[size++] = (uint8_t)(first << 6 | (text[at + 1] & 0x3F));
      at += 2;
    } else if (first < 0xF0) {
      bytes[size++] = (uint8_t)(text[at + 1] << 6 | (text[at + 2] & 0x3F));
      at += 3;
    } else {
      /* Two units: of the code point less 0x10000 the upper ten bits, and the lower. */
      uint32_t point = (uint32_t)(first & 7) << 18 | (uint32_t)(text[at + 1] & 0x3F) << 12 |
                       (uint32_t)(text[at + 2] & 0x3F) << 6 | (text[at + 3] & 0x3F);
      bytes[size++] = (uint8_t)((point - 0x10000) >> 10);
      bytes[size++] = (uint8_t)point;
      at += 4;
    }
  }
  JSValue buffer = JS_NewArrayBufferCopy(js, bytes, size);
  free(bytes);
  JS_FreeCString(js, (const char *)text);
  return buffer;
}

/* byteLength(text): how long its UTF-8 is. */
FUNCTION(host_byte_length) {
  UNUSED;
  size_t length;
  const char *text = encoded(js, &length, args[0]);
  JS_FreeCString(js, text);
  return JS_NewInt64(js, (int64_t)length);
}

FUNCTION(host_is_utf8) {
  UNUSED;
  size_t length;
  uint8_t *bytes = view(js, args[0], &length);
  return JS_NewBool(js, well_formed(bytes, length) == length);
}

/* find(bytes, needle, from): where the bytes of `needle` next stand; -1 where they do not. */
FUNCTION(host_find) {
  UNUSED;
  size_t length, size;
  uint8_t *bytes = view(js, args[0], &length), *needle = view(js, args[1], &size);
  size_t from = within(js, args[2], length);
  if (size == 0) return JS_NewInt64(js, (int64_t)from);
  uint8_t *found = size == 1 ? memchr(bytes + from, needle[0], length - from) : memmem(bytes + from, length - from, needle, size);
  return JS_NewInt64(js, found == NULL ? -1 : found - bytes);
}

/* findByte(bytes, value, from) */
FUNCTION(host_find_byte) {
  UNUSED;
  size_t length;
  uint8_t *bytes = view(js, args[0], &length);
  size_t from = within(js, args[2], length);
  uint8_t *found = from == length ? NULL : memchr(bytes + from, (int)integer(js, args[1]) & 255, length - from);
  return JS_NewInt64(js, found == NULL ? -1 : found - bytes);
}

/* findLastByte(bytes, value, from): the last place at or before `from`. */
FUNCTION(host_find_last_byte) {
  UNUSED;
  size_t length;
  uint8_t *bytes = view(js, args[0], &length), value = (uint8_t)integer(js, args[1]);
  int64_t at = integer(js, args[2]);
  if (at >= (int64_t)length) at = (int64_t)length - 1;
  while (at >= 0 && bytes[at] != value) at--;
  return JS_NewInt64(js, at < 0 ? -1 : at);
}

/* compare(a, b): -1, 0 or 1 as the bytes sort. */
FUNCTION(host_compare) {
  UNUSED;
  size_t first, second;
  uint8_t *a = view(js, args[0], &first), *b = view(js, args[1], &second);
  size_t shared = first < second ? first : second;
  int order = shared == 0 ? 0 : memcmp(a, b, shared);
  if (order == 0) order = first < second ? -1 : first > second;
  return JS_NewInt32(js, order < 0 ? -1 : order > 0);
}

/* compareTexts(a, b): as their UTF-8 sorts. */
FUNCTION(host_compare_texts) {
  UNUSED;
  size_t first, second;
  const char *a = JS_ToCStringLen(js, &first, args[0]), *b = JS_ToCStringLen(js, &second, args[1]);
  if (a == NULL || b == NULL) hand_over();
  int order = memcmp(a, b, first < second ? first : second);
  if (order == 0) order = first < second ? -1 : first > second;
  JS_FreeCString(js, a);
  JS_FreeCString(js, b);
  return JS_NewInt32(js, order < 0 ? -1 : order > 0);
}

/* estimateTokens(text, pairs) */
FUNCTION(host_estimate_tokens) {
  UNUSED;
  size_t length, size;
  const char *bytes = JS_ToCStringLen(js, &length, args[0]);
  const double *pairs = (const double *)(const void *)view(js, args[1], &size);
  if (bytes == NULL || size < 32 * 32 * sizeof *pairs) hand_over();
  double tokens = estimate_tokens((struct text){(const uint8_t *)bytes, length}, pairs);
  JS_FreeCString(js, bytes);
  return JS_NewFloat64(js, tokens);
}

/* fingerprint(text): as src/session-start/fingerprint.ts makes it. */
FUNCTION(host_fingerprint) {
  UNUSED;
  size_t length;
  const char *text = encoded(js, &length, args[0]);
  const uint8_t *bytes = (const uint8_t *)text;
  size_t whole = length - length % 4;
  uint32_t hash = 0x811c9dc5 ^ (uint32_t)length;
  for (size_t at = 0; at < whole; at += 4) {
    uint32_t word = bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 | (uint32_t)bytes[at + 3] << 24;
    hash = (hash ^ word) * 0x01000193;
  }
  for (size_t at = whole; at < length; at++) hash = (hash ^ bytes[at]) * 0x01000193;
  JS_FreeCString(js, text);
  hash = (hash ^ hash >> 16) * 0x85ebca6b;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35;
  char digits[9];
  snprintf(digits, sizeof digits, "%08x", hash ^ hash >> 16);
  return JS_NewStringLen(js, digits, 8);
}

/* sha256(bytes): 64 lower-case hexadecimal digits. FIPS 180-4. */
static const uint32_t ROUNDS[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
  0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
  0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
  0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
  0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
  0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t word, int by) {
  return word >> by | word << (32 - by);
}

static void sha256_block(uint32_t state[8], const uint8_t *block) {
  uint32_t w[64], v[8];
  for (int at = 0; at < 16; at++)
    w[at] = (uint32_t)block[at * 4] << 24 | (uint32_t)block[at * 4 + 1] << 16 | (uint32_t)block[at * 4 + 2] << 8 | block[at * 4 + 3];
  for (int at = 16; at < 64; at++) {
    uint32_t a = w[at - 15], b = w[at - 2];
    w[at] = w[at - 16] + w[at - 7] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
  }
  memcpy(v, state, sizeof v);
  for (int at = 0; at < 64; at++) {
    uint32_t one = v[7] + (turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + ROUNDS[at] + w[at];
    uint32_t two = (turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += one;
    v[0] = one + two;
  }
  for (int at = 0; at < 8; at++) state[at] += v[at];
}

FUNCTION(host_sha256) {
  UNUSED;
  size_t length;
  uint8_t *bytes = view(js, args[0], &length), last[128] = {0};
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  size_t whole = length / 64 * 64, rest = length - whole, end = rest < 56 ? 64 : 128;
  for (size_t at = 0; at < whole; at += 64) sha256_block(state, bytes + at);
  if (rest > 0) memcpy(last, bytes + whole, rest);
  last[rest] = 0x80;
  for (int at = 0; at < 8; at++) last[end - 1 - at] = (uint8_t)((uint64_t)length * 8 >> at * 8);
  for (size_t at = 0; at < end; at += 64) sha256_block(state, last + at);
  char text[65];
  for (int at = 0; at < 8; at++) snprintf(text + at * 8, 9, "%08x", state[at]);
  return JS_NewStringLen(js, text, 64);
}

/* ------------------------------------------------------------------------------------------------------------ files */

#define ERRNO(name) {name, #name}
static const struct {
  int number;
  const char *name;
} ERRNOS[] = {
  ERRNO(EACCES), ERRNO(EAGAIN), ERRNO(EBADF), ERRNO(EBUSY), ERRNO(EDQUOT), ERRNO(EEXIST), ERRNO(EFAULT), ERRNO(EFBIG),
  ERRNO(EINVAL), ERRNO(EIO), ERRNO(EISDIR), ERRNO(ELOOP), ERRNO(EMFILE), ERRNO(EMLINK), ERRNO(ENAMETOOLONG), ERRNO(ENFILE),
  ERRNO(ENODEV), ERRNO(ENOENT), ERRNO(ENOMEM), ERRNO(ENOSPC), ERRNO(ENOSYS), ERRNO(ENOTCONN), ERRNO(ENOTDIR), ERRNO(ENOTEMPTY),
  ERRNO(ENOTSUP), ERRNO(ENXIO), ERRNO(EOVERFLOW), ERRNO(EPERM), ERRNO(EPIPE), ERRNO(ECONNRESET), ERRNO(EROFS), ERRNO(ESPIPE),
  ERRNO(ESRCH), ERRNO(ESTALE), ERRNO(ETIMEDOUT), ERRNO(ETXTBSY), ERRNO(EXDEV)};

/* errno(number): its name; undefined for one that Node is to name. */
FUNCTION(host_errno) {
  UNUSED;
  int number = (int)integer(js, args[0]);
  for (size_t at = 0; at < sizeof ERRNOS / sizeof *ERRNOS; at++)
    if (ERRNOS[at].number == number) return JS_NewStringLen(js, ERRNOS[at].name, strlen(ERRNOS[at].name));
  return JS_UNDEFINED;
}

#define FLAG(name) {#name, name}
static const struct {
  const char *name;
  int value;
} FLAGS[] = {FLAG(O_RDONLY), FLAG(O_WRONLY), FLAG(O_RDWR), FLAG(O_CREAT), FLAG(O_EXCL), FLAG(O_TRUNC), FLAG(O_APPEND),
             FLAG(O_NONBLOCK), FLAG(O_NOCTTY), FLAG(O_NOFOLLOW), FLAG(O_DIRECTORY), FLAG(F_OK), FLAG(R_OK), FLAG(W_OK),
             FLAG(X_OK)};

/* Every call returns what the system does, and a negative errno where it fails. */
#define RESULT(call) JS_NewInt64(js, (call) < 0 ? -errno : 0)

static JSValue on_path(JSContext *js, JSValueConst path, int (*call)(const char *)) {
  size_t length;
  const char *text = encoded(js, &length, path);
  g_changed = 1;
  JSValue result = RESULT(call(text));
  JS_FreeCString(js, text);
  return result;
}

static JSValue on_paths(JSContext *js, JSValueConst *args, int (*call)(const char *, const char *), void (*done)(const char *)) {
  size_t length;
  g_changed = 1;
  const char *from = encoded(js, &length, args[0]), *to = encoded(js, &length, args[1]);
  JSValue result = call(from, to) < 0 ? JS_NewInt64(js, -errno) : (done(to), JS_NewInt64(js, 0));
  JS_FreeCString(js, from);
  JS_FreeCString(js, to);
  return result;
}

FUNCTION(host_open) {
  UNUSED;
  size_t length;
  const char *path = encoded(js, &length, args[0]);
  int fd, flags = (int)integer(js, args[1]);
  do fd = open(path, flags | O_CLOEXEC, (mode_t)integer(js, args[2]));
  while (fd < 0 && errno == EINTR);
  if (fd >= 0 && (flags & O_EXCL)) remember_link(path);
  JS_FreeCString(js, path);
  return JS_NewInt64(js, fd < 0 ? -errno : fd);
}

FUNCTION(host_close) {
  UNUSED;
  return RESULT(close((int)integer(js, args[0])));
}

/* read(fd, bytes, offset, length, position or -1): the count. */
FUNCTION(host_read) {
  UNUSED;
  size_t size;
  uint8_t *bytes = view(js, args[1], &size);
  size_t offset = within(js, args[2], size), length = within(js, args[3], size - offset);
  int fd = (int)integer(js, args[0]);
  int64_t position = integer(js, args[4]);
  ssize_t got;
  do got = position < 0 ? read(fd, bytes + offset, length) : pread(fd, bytes + offset, length, position);
  while (got < 0 && errno == EINTR);
  if (got < 0) return JS_NewInt64(js, -errno);
  if (fd == 0 && got > 0 && g_taken_length <= MOST_TAKEN) {
    if (g_taken_length + (size_t)got > g_taken_room) {
      g_taken_room = (g_taken_length + (size_t)got) * 2;
      g_taken = realloc(g_taken, g_taken_room);
      if (g_taken == NULL) abort();
    }
    memcpy(g_taken + g_taken_length, bytes + offset, (size_t)got);
    g_taken_length += (size_t)got;
  }
  return JS_NewInt64(js, got);
}

/* write(fd, bytes, offset, length, position or -1): the count. */
FUNCTION(host_write) {
  UNUSED;
  size_t size;
  uint8_t *bytes = view(js, args[1], &size);
  size_t offset = within(js, args[2], size), length = within(js, args[3], size - offset);
  int fd = (int)integer(js, args[0]);
  int64_t position = integer(js, args[4]);
  if (fd == 1) g_wrote = 1;
  g_changed = 1;
  ssize_t put;
  do put = position < 0 ? write(fd, bytes + offset, length) : pwrite(fd, bytes + offset, length, position);
  while (put < 0 && errno == EINTR);
  return JS_NewInt64(js, put < 0 ? -errno : put);
}

#ifdef __APPLE__
#define MTIME st_mtimespec
#define CTIME st_ctimespec
#define ATIME st_atimespec
#else
#define MTIME st_mtim
#define CTIME st_ctim
#define ATIME st_atim
#endif

/* With the very arithmetic of Node: such a number is compared with one of Node's. */
static double milliseconds(const struct timespec *time) {
  return (double)time->tv_sec * 1000 + (double)time->tv_nsec / 1000000;
}

/* What the system says of a file, in the order that `stats.ts` has. */
static JSValue numbers_of(JSContext *js, const struct stat *stat) {
  const double values[] = {
    (double)stat->st_dev, (double)stat->st_mode, (double)stat->st_nlink, (double)stat->st_uid, (double)stat->st_gid,
    (double)stat->st_rdev, (double)((uint64_t)stat->st_ino >> 32) * 4294967296.0 + (double)((uint64_t)stat->st_ino & 0xFFFFFFFFu),
    (double)stat->st_size, milliseconds(&stat->ATIME), milliseconds(&stat->MTIME), milliseconds(&stat->CTIME),
    (double)((uint64_t)stat->st_ino >> 32), (double)((uint64_t)stat->st_ino & 0xFFFFFFFFu),
    (double)stat->MTIME.tv_sec, (double)stat->MTIME.tv_nsec};
  JSValue numbers[sizeof values / sizeof *values];
  for (size_t at = 0; at < sizeof values / sizeof *values; at++) numbers[at] = JS_NewNumber(js, values[at]);
  return JS_NewArrayFrom(js, sizeof values / sizeof *values, numbers);
}

/* stat(path, whether a link is followed): fifteen numbers. */
FUNCTION(host_stat) {
  UNUSED;
  size_t length;
  const char *path = encoded(js, &length, args[0]);
  struct stat found;
  int result = JS_ToBool(js, args[1]) ? stat(path, &found) : lstat(path, &found);
  int why = errno;
  JS_FreeCString(js, path);
  return result < 0 ? JS_NewInt64(js, -why) : numbers_of(js, &found);
}

FUNCTION(host_fstat) {
  UNUSED;
  struct stat found;
  return fstat((int)integer(js, args[0]), &found) < 0 ? JS_NewInt64(js, -errno) : numbers_of(js, &found);
}

/*
 * readText(path, most, follow): the text of a regular file that holds UTF-8 without NUL and at most so many bytes, and the file's fifteen
 * numbers; undefined for every other, which is looked at again to say what it is.
 */
FUNCTION(host_read_text) {
  UNUSED;
  size_t length;
  const char *path = encoded(js, &length, args[0]);
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (JS_ToBool(js, args[2]) ? 0 : O_NOFOLLOW));
  JS_FreeCString(js, path);
  if (fd < 0) return JS_UNDEFINED;
  struct stat found;
  JSValue pair = JS_UNDEFINED;
  if (fstat(fd, &found) == 0 && S_ISREG(found.st_mode) && found.st_size > 0 && found.st_size <= integer(js, args[1]) && found.st_size <= LONG_TEXT) {
    size_t size = (size_t)found.st_size;
    static uint8_t bytes[LONG_TEXT + 1];
    /* One byte more than it held: where it grew, it is not read whole. */
    ssize_t got = read(fd, bytes, size + 1);
    if (got == (ssize_t)size && memchr(bytes, 0, size) == NULL && well_formed(bytes, size) == size) {
      note_read(size);
      const JSValue values[] = {JS_NewStringLen(js, (const char *)bytes, size), numbers_of(js, &found)};
      pair = JS_NewArrayFrom(js, 2, values);
    }
  }
  close(fd);
  return pair;
}

/* readPlain(path): the text of what was looked at before; null for a link, for what is no text or may be none, and for a long one. */
FUNCTION(host_read_plain) {
  UNUSED;
  size_t length;
  const char *path = encoded(js, &length, args[0]);
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW);
  JS_FreeCString(js, path);
  if (fd < 0) return JS_NULL;
  static uint8_t bytes[LONG_TEXT + 1];
  ssize_t got = read(fd, bytes, sizeof bytes);
  close(fd);
  if (got <= 0 || got == sizeof bytes || memchr(bytes, 0, (size_t)got) != NULL || well_formed(bytes, (size_t)got) != (size_t)got) return JS_NULL;
  /* U+FFFD may stand for bytes that were none. */
  const uint8_t *end = bytes + got;
  for (const uint8_t *at = bytes; (at = memchr(at, 0xEF, (size_t)(end - at))) != NULL; at++)
    if (at[1] == 0xBF && at[2] == 0xBD) return JS_NULL;
  note_read((size_t)got);
  return JS_NewStringLen(js, (const char *)bytes, (size_t)got);
}

struct entry {
  char *name;
  int type;
};

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

/* readdir(path): names and types in turn, in the order of the names' bytes, as Node lists them. */
FUNCTION(host_readdir) {
  UNUSED;
  size_t length, used = 0, room = 64;
  const char *path = encoded(js, &length, args[0]);
  DIR *folder = opendir(path);
  int why = errno;
  JS_FreeCString(js, path);
  if (folder == NULL) return JS_NewInt64(js, -why);
  struct entry *entries = malloc(room * sizeof *entries);
  if (entries == NULL) hand_over();
  for (struct dirent *next = readdir(folder); next != NULL; next = readdir(folder)) {
    if (strcmp(next->d_name, ".") == 0 || strcmp(next->d_name, "..") == 0) continue;
    if (used == room) entries = realloc(entries, (room *= 2) * sizeof *entries);
    if (entries == NULL) hand_over();
    entries[used].name = strdup(next->d_name);
    entries[used++].type = next->d_type;
  }
  closedir(folder);
  qsort(entries, used, sizeof *entries, by_name);
  JSValue list = JS_NewArray(js);
  for (size_t at = 0; at < used; at++) {
    JSValue name = decoded(js, (const uint8_t *)entries[at].name, strlen(entries[at].name));
    JS_SetPropertyUint32(js, list, (uint32_t)at * 2, name);
    JS_SetPropertyUint32(js, list, (uint32_t)at * 2 + 1, JS_NewInt32(js, entries[at].type));
    free(entries[at].name);
  }
  free(entries);
  return list;
}

FUNCTION(host_realpath) {
  UNUSED;
  size_t length;
  const char *path = encoded(js, &length, args[0]);
  char *real = realpath(path, NULL);
  int why = errno;
  JS_FreeCString(js, path);
  if (real == NULL) return JS_NewInt64(js, -why);
  JSValue text = decoded(js, (const uint8_t *)real, strlen(real));
  free(real);
  return text;
}

FUNCTION(host_readlink) {
  UNUSED;
  size_t length;
  const char *path = encoded(js, &length, args[0]);
  char target[PATH_MAX + 1];
  ssize_t size = readlink(path, target, sizeof target);
  int why = errno;
  JS_FreeCString(js, path);
  if (size < 0) return JS_NewInt64(js, -why);
  return decoded(js, (const uint8_t *)target, (size_t)size);
}

FUNCTION(host_mkdir) {
  UNUSED;
  size_t length;
  const char *path = encoded(js, &length, args[0]);
  g_changed = 1;
  JSValue result = RESULT(mkdir(path, (mode_t)integer(js, args[1])));
  JS_FreeCString(js, path);
  return result;
}

FUNCTION(host_access) {
  UNUSED;
  size_t length;
  const char *path = encoded(js, &length, args[0]);
  JSValue result = RESULT(access(path, (int)integer(js, args[1])));
  JS_FreeCString(js, path);
  return result;
}

static int removed(const char *path) {
  int result = unlink(path);
  if (result == 0) forget_link(path);
  return result;
}

FUNCTION(host_unlink) { UNUSED; return on_path(js, args[0], removed); }
FUNCTION(host_rmdir) { UNUSED; return on_path(js, args[0], rmdir); }
FUNCTION(host_link) { UNUSED; return on_paths(js, args, link, remember_link); }
FUNCTION(host_rename) { UNUSED; return on_paths(js, args, rename, remember_renamed); }
FUNCTION(host_fsync) { UNUSED; return RESULT(fsync((int)integer(js, args[0]))); }
FUNCTION(host_ftruncate) { UNUSED; return RESULT(ftruncate((int)integer(js, args[0]), integer(js, args[1]))); }
FUNCTION(host_fchmod) { UNUSED; return RESULT(fchmod((int)integer(js, args[0]), (mode_t)integer(js, args[1]))); }
FUNCTION(host_fchown) {
  UNUSED;
  return RESULT(fchown((int)integer(js, args[0]), (uid_t)integer(js, args[1]), (gid_t)integer(js, args[2])));
}

/* -------------------------------------------------------------------------------------------------- process, machine */

/* poll(fd, milliseconds): whether there is something to read, an end included, before that time is over. */
FUNCTION(host_poll) {
  UNUSED;
  struct pollfd wait = {.fd = (int)integer(js, args[0]), .events = POLLIN};
  int ready;
  do ready = poll(&wait, 1, (int)integer(js, args[1]));
  while (ready < 0 && errno == EINTR);
  return JS_NewInt64(js, ready < 0 ? -errno : ready);
}

/* sleep(milliseconds) */
FUNCTION(host_sleep) {
  UNUSED;
  double milliseconds = 0;
  JS_ToFloat64(js, &milliseconds, args[0]);
  struct timespec left = {.tv_sec = (time_t)(milliseconds / 1000)};
  left.tv_nsec = (long)((milliseconds - (double)left.tv_sec * 1000) * 1e6);
  while (nanosleep(&left, &left) < 0 && errno == EINTR) {
  }
  return JS_UNDEFINED;
}

/* clock(): seconds and nanoseconds of a clock that only grows. */
FUNCTION(host_clock) {
  UNUSED, (void)args;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  JSValue pair = JS_NewArray(js);
  JS_SetPropertyUint32(js, pair, 0, JS_NewInt64(js, now.tv_sec));
  JS_SetPropertyUint32(js, pair, 1, JS_NewInt64(js, now.tv_nsec));
  return pair;
}

/* uptime(): seconds since the machine was started. */
FUNCTION(host_uptime) {
  UNUSED, (void)args;
  struct timespec now;
#ifdef __linux__
  clock_gettime(CLOCK_BOOTTIME, &now);
#else
  clock_gettime(CLOCK_MONOTONIC, &now);
#endif
  return JS_NewFloat64(js, (double)now.tv_sec + (double)now.tv_nsec / 1e9);
}

FUNCTION(host_kill) {
  UNUSED;
  return RESULT(kill((pid_t)integer(js, args[0]), (int)integer(js, args[1])));
}

FUNCTION(host_hostname) {
  UNUSED, (void)args;
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return decoded(js, (const uint8_t *)name, strlen(name));
}

FUNCTION(host_cwd) {
  UNUSED, (void)args;
  char path[PATH_MAX];
  return getcwd(path, sizeof path) == NULL ? JS_NewInt64(js, -errno) : decoded(js, (const uint8_t *)path, strlen(path));
}

/* run(words, milliseconds): what the program wrote on its standard output; null where it failed or took longer. */
FUNCTION(host_run) {
  UNUSED;
  char *words[16] = {NULL};
  uint32_t most = 0;
  for (; most < 15; most++) {
    JSValue word = JS_GetPropertyUint32(js, args[0], most);
    if (JS_IsUndefined(word)) break;
    size_t length;
    words[most] = (char *)encoded(js, &length, word);
    JS_FreeValue(js, word);
  }
  int ends[2];
  if (pipe(ends) != 0) return JS_NULL;
  pid_t child = fork();
  if (child < 0) return JS_NULL;
  if (child == 0) {
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, 0);
    dup2(ends[1], 1);
    dup2(nothing, 2);
    close(ends[0]);
    execvp(words[0], words);
    _exit(127);
  }
  close(ends[1]);
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  int64_t limit = integer(js, args[1]);
  static uint8_t output[64 * 1024];
  size_t length = 0;
  int whole = 0;
  for (;;) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t left = limit - ((int64_t)(now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000);
    struct pollfd wait = {.fd = ends[0], .events = POLLIN};
    if (left <= 0 || poll(&wait, 1, (int)left) <= 0) break;
    ssize_t got = read(ends[0], output + length, sizeof output - length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      whole = got == 0 && length < sizeof output;
      break;
    }
    length += (size_t)got;
  }
  if (!whole) kill(child, SIGTERM);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  for (uint32_t at = 0; at < most; at++) JS_FreeCString(js, words[at]);
  if (!whole || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return JS_NULL;
  return decoded(js, output, length);
}

/* ---------------------------------------------------------------------------------------------------------- modules */

static JSValue run_module(JSContext *js, const char *name) {
  for (size_t at = 0; at < MODULE_COUNT; at++) {
    if (strcmp(MODULES[at].name, name) != 0) continue;
    JSValue code = JS_ReadObject(js, MODULES[at].code, MODULES[at].length, JS_READ_OBJ_BYTECODE);
    return JS_IsException(code) ? code : JS_EvalFunction(js, code);
  }
  return JS_UNDEFINED;
}

/* load(name): the function that a bundle is wrapped in; undefined where there is no such bundle. */
FUNCTION(host_load) {
  UNUSED;
  size_t length;
  const char *name = encoded(js, &length, args[0]);
  JSValue value = run_module(js, name);
  JS_FreeCString(js, name);
  return value;
}

#define CALL(name, function, count) JS_SetPropertyStr(js, host, name, JS_NewCFunction(js, function, name, count))

static JSValue make_host(JSContext *js) {
  JSValue host = JS_NewObject(js);
  CALL("handOver", host_hand_over, 0);
  CALL("keep", host_keep, 2);
  CALL("utf8", host_utf8, 3);
  CALL("latin1", host_latin1, 3);
  CALL("encode", host_encode, 1);
  CALL("latin1Bytes", host_latin1_bytes, 1);
  CALL("byteLength", host_byte_length, 1);
  CALL("isUtf8", host_is_utf8, 1);
  CALL("find", host_find, 3);
  CALL("findByte", host_find_byte, 3);
  CALL("findLastByte", host_find_last_byte, 3);
  CALL("compare", host_compare, 2);
  CALL("compareTexts", host_compare_texts, 2);
  CALL("estimateTokens", host_estimate_tokens, 2);
  CALL("sha256", host_sha256, 1);
  CALL("fingerprint", host_fingerprint, 1);
  CALL("open", host_open, 3);
  CALL("close", host_close, 1);
  CALL("read", host_read, 5);
  CALL("write", host_write, 5);
  CALL("stat", host_stat, 2);
  CALL("fstat", host_fstat, 1);
  CALL("readdir", host_readdir, 1);
  CALL("readText", host_read_text, 3);
  CALL("readPlain", host_read_plain, 1);
  CALL("realpath", host_realpath, 1);
  CALL("readlink", host_readlink, 1);
  CALL("mkdir", host_mkdir, 2);
  CALL("access", host_access, 2);
  CALL("unlink", host_unlink, 1);
  CALL("rmdir", host_rmdir, 1);
  CALL("link", host_link, 2);
  CALL("rename", host_rename, 2);
  CALL("fsync", host_fsync, 1);
  CALL("ftruncate", host_ftruncate, 2);
  CALL("fchmod", host_fchmod, 2);
  CALL("fchown", host_fchown, 3);
  CALL("poll", host_poll, 2);
  CALL("sleep", host_sleep, 1);
  CALL("clock", host_clock, 0);
  CALL("uptime", host_uptime, 0);
  CALL("kill", host_kill, 2);
  CALL("hostname", host_hostname, 0);
  CALL("cwd", host_cwd, 0);
  CALL("run", host_run, 2);
  CALL("load", host_load, 1);
  CALL("errno", host_errno, 1);
  JS_SetPropertyStr(js, host, "quick", quick_readers(js));
  JSValue flags = JS_NewObject(js);
  for (size_t at = 0; at < sizeof FLAGS / sizeof *FLAGS; at++)
    JS_SetPropertyStr(js, flags, FLAGS[at].name, JS_NewInt32(js, FLAGS[at].value));
  JS_SetPropertyStr(js, host, "constants", flags);
  JS_SetPropertyStr(js, host, "pid", JS_NewInt64(js, getpid()));
  JS_SetPropertyStr(js, host, "ppid", JS_NewInt64(js, getppid()));
  JS_SetPropertyStr(js, host, "euid", JS_NewInt64(js, geteuid()));
  JS_SetPropertyStr(js, host, "script", decoded(js, (const uint8_t *)g_script, strlen(g_script)));
  JS_SetPropertyStr(js, host, "executable", decoded(js, (const uint8_t *)g_argv[0], strlen(g_argv[0])));
  JSValue words = JS_NewArray(js);
  for (int at = 1; at < g_argc; at++)
    JS_SetPropertyUint32(js, words, (uint32_t)at - 1, decoded(js, (const uint8_t *)g_argv[at], strlen(g_argv[at])));
  JS_SetPropertyStr(js, host, "argv", words);
  JSValue env = JS_NewObject(js);
  for (char **entry = environ; *entry != NULL; entry++) {
    char *equals = strchr(*entry, '=');
    if (equals == NULL || equals == *entry) continue;
    JSValue name = decoded(js, (const uint8_t *)*entry, (size_t)(equals - *entry));
    JSAtom atom = JS_ValueToAtom(js, name);
    JS_FreeValue(js, name);
    /* Of a name that stands there twice the first counts, as getenv and Node have it. */
    if (JS_GetOwnProperty(js, NULL, env, atom) == 0)
      JS_DefinePropertyValue(js, env, atom, decoded(js, (const uint8_t *)equals + 1, strlen(equals + 1)), JS_PROP_C_W_E);
    JS_FreeAtom(js, atom);
  }
  JS_SetPropertyStr(js, host, "env", env);
  return host;
}

#ifdef COMPILER

/*
 * context-compile <wrapped.js> <name> <out>: a bundle's bytecode, without its source and its lines. With the script alone: runs it
 * and writes what it comes to, for tests of the engine; `plain` behind it leaves the engine as it is.
 */
const struct module MODULES[1];
const size_t MODULE_COUNT = 0;
const char BUILD[] = "";

int main(int argc, char **argv) {
  if (argc < 2 || argc > 4) return 64;
  FILE *in = fopen(argv[1], "rb");
  if (in == NULL || fseek(in, 0, SEEK_END) != 0) return 66;
  long size = ftell(in);
  rewind(in);
  char *text = calloc((size_t)size + 1, 1);
  if (text == NULL || fread(text, 1, (size_t)size, in) != (size_t)size) return 66;
  JSContext *js = JS_NewContext(JS_NewRuntime());
  if (argc == 2) quicken(js);
  JSValue global = JS_GetGlobalObject(js), host = JS_NewObject(js);
  JS_SetPropertyStr(js, host, "quick", quick_readers(js));
  JS_SetPropertyStr(js, global, "host", host);
  JSValue code = JS_Eval(js, text, (size_t)size, argv[argc == 4 ? 2 : 1], argc == 4 ? JS_EVAL_FLAG_COMPILE_ONLY : 0);
  if (JS_IsException(code)) {
    fprintf(stderr, "%s: %s\n", argv[1], JS_ToCString(js, JS_GetException(js)));
    return 65;
  }
  if (argc < 4) return puts(JS_ToCString(js, code)) < 0;
  size_t length;
  int flags = JS_WRITE_OBJ_BYTECODE;
#ifdef JS_WRITE_OBJ_STRIP_DEBUG
  flags |= JS_WRITE_OBJ_STRIP_SOURCE | JS_WRITE_OBJ_STRIP_DEBUG;
#endif
  uint8_t *bytes = JS_WriteObject(js, &length, code, flags);
  FILE *out = fopen(argv[3], "wb");
  if (bytes == NULL || out == NULL || fwrite(bytes, 1, length, out) != length || fclose(out) != 0) return 74;
  (void)make_host;
  return 0;
}

#else

/* Most of what the main thread's stack may take: texts nested as deep as V8 takes them need it. */
static size_t stack_room(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 6u << 20;
  return limit.rlim_cur > (64u << 20) ? 48u << 20 : (size_t)(limit.rlim_cur / 4 * 3);
}

/* What Node would be given: what the caller says, which may be a link; else what stands in the package of this program. */
static void find_script(const char *program) {
  static const char variable[] = "CONTEXT_NATIVE_SCRIPT";
  const char *said = getenv(variable);
  if (said != NULL) snprintf(g_script, sizeof g_script, "%s", said);
  if (said != NULL) unsetenv(variable);
  if (*g_script != 0) return;
  char path[PATH_MAX];
#ifdef __linux__
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length > 0) path[length] = 0;
  else
#endif
    snprintf(path, sizeof path, "%s", program);
  for (int up = 0; up < 3; up++) {
    char *slash = strrchr(path, '/');
    if (slash != NULL) *slash = 0;
  }
  snprintf(g_script, sizeof g_script, "%.*s/bin/context.js", PATH_MAX - 20, path);
}

/* As Node does: a descriptor that is closed would be the first file that is opened. */
static void open_standard_streams(void) {
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0) open("/dev/null", O_RDWR);
}

int main(int argc, char **argv) {
  open_standard_streams();
  /* Whether it runs here at all, for who looks after it. */
  if (argc == 2 && strcmp(argv[1], "--native-build") == 0) return puts(BUILD) < 0;
  g_argc = argc;
  g_argv = argv;
  find_script(argv[0]);
  watch_for_crashes();
  /* As Node has them: a write says that nobody reads, or that the file may not grow. */
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  JSRuntime *runtime = JS_NewRuntime();
  JSContext *js = runtime == NULL ? NULL : JS_NewContext(runtime);
  if (js == NULL) hand_over();
  quicken(js);
  JS_SetMaxStackSize(runtime, stack_room());
  /* A run is over before there is much to collect. */
  JS_SetGCThreshold(runtime, (size_t)256 << 20);
  JSValue global = JS_GetGlobalObject(js);
  JS_SetPropertyStr(js, global, "host", make_host(js));
  JSValue done = run_module(js, "main");
  if (JS_IsException(done)) hand_over();
  JSContext *busy;
  for (int more = 1; more > 0;) {
    more = JS_ExecutePendingJob(runtime, &busy);
    if (more < 0) hand_over();
  }
  JSValue code = JS_GetPropertyStr(js, global, "exitCode");
  /* Nothing is left to do and the program has not said how it ended: it waits for what is not here. */
  if (!JS_IsNumber(code)) hand_over();
  _exit((int)integer(js, code));
}

#endif
