// The native program's parts in C: the engine, with what `src/platform/native/engine.c` exchanges in it, and our host.
//
// GCC compiles them twice: a program of the first ones counts which ways its code takes while it does what it is for, and the second
// ones are laid out for that, which makes an eighth of a long run's time. Another compiler, or `CFLAGS` of one's own, does it once.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const native = join(root, "src", "platform", "native");

/** A folder for all parts that belong together, and `compile`, the last ones' compiler of bundles, for tests of the engine. */
const CACHE = join(root, "node_modules", ".cache", "context-native");
const LIBRARIES = ["-lm", "-lpthread"];

/** What this machine lacks, which is no fault. */
export class Unavailable extends Error {}

/** Beside quickjs.c, which `engine.c` takes in. */
const ENGINE_FILES = ["libregexp.c", "libunicode.c", "dtoa.c"];
/** What the environment says comes behind ours. Without contraction, sums are those of JavaScript on every machine. */
const GIVEN = (process.env.CFLAGS ?? "").split(/\s+/).filter((word) => word !== "");
const CFLAGS = ["-O3", ...GIVEN, "-ffp-contract=off", "-D_GNU_SOURCE", "-DNDEBUG"];

/** Counts are written by `exit` alone, and the program ends by `_exit`. */
const COUNTING = ["-fprofile-generate", "-D_exit=exit"];
const COUNTED = ["-fprofile-use"];
const COUNTS = ".gcda";

/**
 * The parts, kept for the next build from the same sources by the same compiler: `compiler` makes a bundle's bytecode, `link`
 * a program of the bundles that stand in a C file. `use` is given parts that count, and runs a program that it makes of them.
 */
export async function nativeParts(use) {
  const engine = findEngine();
  const cc = findCompiler();
  const version = spawnSync(cc, ["--version"], { encoding: "utf8" }).stdout;
  const files = [
    ...["engine.c", "host.c"].map((name) => join(native, name)),
    ...ENGINE_FILES.map((name) => join(engine, name)),
  ];
  const included = readdirSync(native).filter((name) => name.endsWith(".h") || name === "quick-texts.c");
  const read = [...files, join(engine, "quickjs.c"), ...included.map((name) => join(native, name))];
  const times = read.map((path) => statSync(path).mtimeMs);
  const stamp = [engine, version, ...CFLAGS, ...COUNTED, ...times, ...HOOKS.flat()].join(" ");
  const kept = join(CACHE, createHash("sha256").update(stamp).digest("hex").slice(0, 16));
  if (!existsSync(kept)) {
    console.log(`Compiling QuickJS-ng from ${engine}; the first time takes a minute or two.`);
    // Another build may be at the same, and what is counted stands beside the objects: each has its own until all are there.
    const own = `${kept}.${process.pid}`;
    try {
      mkdirSync(own, { recursive: true });
      const isGcc = version.includes("Free Software Foundation");
      const counted = GIVEN.length === 0 && isGcc && (await countRuns({ cc, engine, files, folder: own }, use));
      await compileParts({ cc, engine, files, folder: own }, counted ? COUNTED : []);
      if (!existsSync(kept)) renameSync(own, kept);
    } catch (error) {
      // The other one was first.
      if (!existsSync(kept)) throw error;
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  }
  const parts = partsIn({ cc, files, folder: kept });
  const compiler = join(CACHE, `compile.${process.pid}`);
  copyFileSync(parts.compiler, compiler);
  renameSync(compiler, join(CACHE, "compile"));
  return parts;
}

function objectIn(folder, file) {
  return join(folder, basename(file).replace(/\.c$/, ".o"));
}

function partsIn({ cc, files, folder }, how = []) {
  const objects = files.map((file) => objectIn(folder, file));
  const made = (modules, program) => link([cc, ...how], [modules, ...objects], program);
  return { compiler: join(folder, "compile"), link: made };
}

async function compileParts({ cc, engine, files, folder }, how) {
  const hooked = writeHooked(engine, folder) ? ["-DHOOKED", `-I${folder}`, `-I${native}`] : [];
  const compile = (file, object, ...more) =>
    run([cc, ...CFLAGS, ...hooked, "-w", `-I${engine}`, ...how, ...more, "-c", file, "-o", object]);
  const host = join(native, "host.c");
  const compilerHost = join(folder, "compiler-host.o");
  await Promise.all([
    ...files.map((file) => compile(file, objectIn(folder, file))),
    compile(host, compilerHost, "-DCOMPILER"),
  ]);
  const others = files.filter((file) => file !== host).map((file) => objectIn(folder, file));
  await run([cc, ...how, compilerHost, ...others, ...LIBRARIES, "-o", join(folder, "compile")]);
}

/** Whether it was counted which ways the code takes; where that cannot be done here, it is compiled as ever. */
async function countRuns(task, use) {
  const { folder } = task;
  const forgetCounts = () => {
    for (const name of readdirSync(folder)) if (name.endsWith(COUNTS)) rmSync(join(folder, name));
  };
  try {
    await compileParts(task, COUNTING);
    await use({ ...partsIn(task, COUNTING), forgetCounts });
    return true;
  } catch (error) {
    console.log(`Which ways the code takes is not counted: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

/** Without its libraries a program starts faster, and runs where others of them are; not every system has them for that. */
async function link(cc, files, program) {
  const words = [...cc, ...files, ...LIBRARIES, "-s", "-o", program];
  try {
    await run([...words, "-static"]);
  } catch {
    await run(words);
  }
}

/** Where the engine asks `engine.c` first, or has another number: what stands there once, and what stands there then. */
const HOOKS = [
  [
    "JSAtom prop, JSValue val, int flags)\n{\n    int ret;\n    ret = JS_DefinePropertyValueConst(ctx",
    "JSAtom prop, JSValue val, int flags)\n{\n    int ret = quick_define(ctx, this_obj, prop, val, flags);\n    if (ret != -2)\n        return ret;\n    ret = JS_DefinePropertyValueConst(ctx",
  ],
  [
    "    p = JS_VALUE_GET_OBJ(source);\n\n    gpn_flags = JS_GPN_STRING_MASK",
    "    p = JS_VALUE_GET_OBJ(source);\n    if (!pexcl && !setprop && quick_copy(ctx, target, p))\n        return 0;\n\n    gpn_flags = JS_GPN_STRING_MASK",
  ],
  [
    "static void *js_arena_malloc(JSRuntime *rt, size_t size)\n{\n    size_t total_size;\n",
    '#include "quick-malloc.h"\nstatic void *js_arena_malloc(JSRuntime *rt, size_t size)\n{\n    size_t total_size;\n    void *quick = quick_malloc(rt, size);\n    if (likely(quick != NULL))\n        return quick;\n',
  ],
  [
    "    b = container_of(ptr, JSMallocBlockHeader, user_data);\n    if (unlikely(b->u.block_idx == JS_ARENA_FREE_NIL)) {\n        /* large",
    "    b = container_of(ptr, JSMallocBlockHeader, user_data);\n    if (likely(b->u.block_idx == QUICK_BLOCK)) {\n        quick_free(b);\n        return;\n    }\n    if (unlikely(b->u.block_idx == JS_ARENA_FREE_NIL)) {\n        /* large",
  ],
  // Most objects here have more than two.
  ["#define JS_PROP_INITIAL_SIZE 2\n", "#define JS_PROP_INITIAL_SIZE 6\n"],
  ["#define JS_PROP_INITIAL_HASH_SIZE 4 ", "#define JS_PROP_INITIAL_HASH_SIZE 8 "],
];

/** Whether the engine's source has all of those places; one that has not is compiled as it is. */
function writeHooked(engine, folder) {
  let text = readFileSync(join(engine, "quickjs.c"), "utf8");
  for (const [before, after] of HOOKS) {
    const parts = text.split(before);
    if (parts.length !== 2) return false;
    text = parts.join(after);
  }
  writeFileSync(join(folder, "quickjs-hooked.c"), text);
  return true;
}

/** Where QuickJS-ng's C sources are: what QUICKJS_SOURCE says, or what Debian's package qjs-src installs. */
function findEngine() {
  const places = [process.env.QUICKJS_SOURCE, "/usr/src/quickjs-ng"];
  const found = places.find((place) => place && existsSync(join(place, "quickjs.c")));
  if (found !== undefined) return found;
  throw new Unavailable("the C sources of QuickJS-ng are not there; docs/native.md says where to get them");
}

function findCompiler() {
  for (const name of [process.env.CC, "cc", "gcc", "clang"]) {
    if (name && spawnSync(name, ["--version"]).status === 0) return name;
  }
  throw new Unavailable("there is no C compiler (cc)");
}

export async function run(words, stdio = ["ignore", "ignore", "pipe"]) {
  const [file, ...args] = words;
  const child = spawn(file, args, { stdio });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  const why = await new Promise((done) => {
    child.on("error", (error) => done(error.message));
    child.on("close", (code, signal) => done(code === 0 ? null : said || `it ended with ${code ?? signal}`));
  });
  if (why !== null) throw new Error(`${words.slice(0, 3).join(" ")} … failed: ${why}`);
}
