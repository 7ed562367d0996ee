// Builds the native program: one executable of the hook commands and of lifecycle.*, from the same TypeScript, in which
// QuickJS-ng runs what Node runs elsewhere. docs/native.md says what it gives and what it needs.
//
// It stands in dist/native/ under a name that holds the build's id: the next `npm run build` takes dist/ away, and a launcher
// that finds another id in dist/bundle/build-id does not look at it. `--into FOLDER` builds it for the copy of the package there.
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { build } from "esbuild";
import { compiledMachine } from "./compiled-machine.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const into = process.argv.indexOf("--into");
/** No compiler and no engine: whether all that the sources take is there in its native form. */
const sourcesAlone = process.argv.includes("--sources");
const dist = join(into === -1 ? root : resolve(process.argv[into + 1] ?? ""), "dist");
const source = join(root, "src");
const native = join(source, "platform", "native");

/** Entries of commands that it holds; the others, and what a bundle loads that is named below, are left to Node. */
const ENTRIES = [
  "gate",
  "pre-compact",
  "session-start",
  "lifecycle-status",
  "lifecycle-history",
  "lifecycle-step",
  "validate",
];
const LEFT_OUT = [
  "commands/shared-machines.ts",
  "commands/lifecycle/shared-step.ts",
  "commands/say-more.ts",
  "cli/entries/lifecycle-watch.ts",
];

/** Modules that have another form here, of the same name. */
const REPLACED = [
  "platform/kept-for-node.ts",
  "platform/optimiser.ts",
  "platform/quick-stat.ts",
  "platform/sleep.ts",
  "platform/read-text.ts",
  "platform/sha256.ts",
  "platform/stdin.ts",
  "base/frontmatter.ts",
  "base/quote.ts",
  "base/token-estimate.ts",
  "base/xml.ts",
  "projects/count-steps.ts",
  "projects/overview.ts",
  "session-start/attribute-pairs.ts",
  "session-start/fingerprint.ts",
  "skills/byte-order.ts",
  "skills/parse-skill-fast.ts",
];

/** What `start.ts` gives to a bundle that loads it. */
const BUILTINS = ["node:buffer", "node:child_process", "node:fs", "node:os", "node:path", "node:util"];

/** Where these stand; with `--sources` they take their place, so that a name which one lacks is an error. */
const NATIVE_FORMS = {
  "node:child_process": "child-process.ts",
  "node:fs": "fs.ts",
  "node:os": "os.ts",
  "node:path": "path.ts",
  "node:util": "parse-args.ts",
};

const LIBRARIES = ["yaml", "zod"];

const shared = {
  bundle: true,
  platform: "node",
  target: "es2023",
  format: "cjs",
  supported: { "dynamic-import": false },
  minify: true,
  legalComments: "none",
  metafile: true,
  write: false,
  absWorkingDir: root,
  logLevel: "warning",
};

async function run(words, stdio = ["ignore", "ignore", "pipe"]) {
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

/** Tests run the compiler that stands here too. */
const CACHE = join(root, "node_modules", ".cache", "context-native");

/** What this machine lacks, which is no fault. */
class Unavailable extends Error {}

/** The engine's objects, which take half a minute: kept for the next build from the same sources by the same compiler. */
async function compileEngine(engine, cc) {
  const version = spawnSync(cc, ["--version"], { encoding: "utf8" }).stdout.split("\n")[0];
  const own = ["engine.c", "quick-texts.c", "quick-malloc.h"].map((name) => join(native, name));
  const files = [join(native, "engine.c"), ...ENGINE_FILES.map((name) => join(engine, name))];
  const times = [join(engine, "quickjs.c"), ...own, ...files].map((path) => statSync(path).mtimeMs);
  const stamp = [version, ...CFLAGS, ...times, ...HOOKS.flat()].join(" ");
  const key = join(CACHE, "stamp");
  const objects = files.map((path) => join(CACHE, basename(path).replace(/\.c$/, ".o")));
  if (
    existsSync(key) &&
    readFileSync(key, "utf8") === `${engine} ${stamp}` &&
    objects.every((path) => existsSync(path))
  )
    return objects;
  mkdirSync(CACHE, { recursive: true });
  rmSync(key, { force: true });
  const hooked = writeHooked(engine) ? ["-DHOOKED", `-I${CACHE}`, `-I${native}`] : [];
  const compile = (path, at) => run([cc, ...CFLAGS, ...hooked, "-w", `-I${engine}`, "-c", path, "-o", objects[at]]);
  await Promise.all(files.map(compile));
  writeFileSync(key, `${engine} ${stamp}`);
  return objects;
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
function writeHooked(engine) {
  let text = readFileSync(join(engine, "quickjs.c"), "utf8");
  for (const [before, after] of HOOKS) {
    const parts = text.split(before);
    if (parts.length !== 2) return false;
    text = parts.join(after);
  }
  writeFileSync(join(CACHE, "quickjs-hooked.c"), text);
  return true;
}

/** Beside quickjs.c, which `engine.c` takes in. */
const ENGINE_FILES = ["libregexp.c", "libunicode.c", "dtoa.c"];
/** What the environment says comes behind ours. Without contraction, sums are those of JavaScript on every machine. */
const GIVEN = (process.env.CFLAGS ?? "").split(/\s+/).filter((word) => word !== "");
const CFLAGS = ["-O3", ...GIVEN, "-ffp-contract=off", "-D_GNU_SOURCE", "-DNDEBUG"];

function bundleName(path) {
  return `${relative(source, path).replace(/\.ts$/, "").replaceAll(/[\\/]/g, "-")}.cjs`;
}

function boundaries(found) {
  return {
    name: "native-boundaries",
    setup(builder) {
      builder.onResolve({ filter: /^\./ }, ({ path, kind, importer }) => {
        const target = resolve(dirname(importer), path);
        const name = relative(source, target);
        if (REPLACED.includes(name) && !importer.startsWith(native)) return { path: join(native, basename(name)) };
        if (kind !== "dynamic-import") return undefined;
        const isEntry = name.startsWith(join("cli", "entries"));
        const held = isEntry
          ? ENTRIES.some((word) => name === join("cli", "entries", `${word}.ts`))
          : !LEFT_OUT.includes(name) && name !== join("cli", "program.ts");
        if (held) found(target);
        return { path: `./${bundleName(target)}`, external: true };
      });
      builder.onResolve({ filter: /^node:/ }, ({ path }) =>
        sourcesAlone && path in NATIVE_FORMS ? { path: join(native, NATIVE_FORMS[path]) } : undefined,
      );
      builder.onResolve({ filter: new RegExp(`^(?:${LIBRARIES.join("|")})$`) }, ({ path, importer }) =>
        importer.startsWith(source) ? { path: `./lib-${path}.cjs`, external: true } : undefined,
      );
    },
  };
}

/** A native form that nobody asks for is no error of its own: the module beside it is taken, whatever that does here. */
function assertTaken() {
  const names = readdirSync(native).filter(
    (name) => name.endsWith(".ts") && existsSync(join(source, "platform", name)),
  );
  const idle = names.find((name) => !REPLACED.includes(`platform/${name}`));
  if (idle !== undefined) throw new Error(`src/platform/native/${idle} is not asked for: REPLACED does not name it.`);
}

async function bundles(id, work) {
  assertTaken();
  const machine = await compiledMachine(source, work);
  const texts = new Map();
  const entries = [join(source, "cli", "native.ts")];
  const found = (target) => entries.includes(target) || entries.push(target);
  const bundle = async (name, options) => {
    const { outputFiles, metafile } = await build({ ...shared, plugins: [machine, boundaries(found)], ...options });
    for (const { path, external } of Object.values(metafile.outputs).flatMap((output) => output.imports)) {
      if (external && path.startsWith("node:") && !BUILTINS.includes(path)) {
        throw new Error(`${name} loads ${path}, which the native program has not. Leave the bundle to Node.`);
      }
    }
    texts.set(name, outputFiles[0].text);
  };
  await bundle("main", { entryPoints: [join(native, "start.ts")] });
  for (const entry of entries) {
    await bundle(`./${bundleName(entry)}`, { entryPoints: [entry], define: { BUILD_ID: JSON.stringify(id) } });
  }
  return texts;
}

/** What is run now and then stands compressed. */
function bundleText(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : brotliDecompressSync(readFileSync(`${path}.br`)).toString();
}

/** Each bundle's bytecode, as C. */
async function modulesInC(id, texts, compiler, work) {
  const names = [...texts.keys()];
  const array = async (name, at) => {
    const script = join(work, `bundle-${at}.js`);
    const code = join(work, `bundle-${at}.code`);
    const text = texts.get(name);
    writeFileSync(script, name === "main" ? text : `(function (exports, require, module) {${text}\n})`);
    await run([compiler, script, name, code]);
    return `static const uint8_t code_${at}[] = {${[...readFileSync(code)].join(",")}};\n`;
  };
  const arrays = await Promise.all(names.map(array));
  const rows = names.map((name, at) => `{${JSON.stringify(name)}, code_${at}, sizeof code_${at}},`);
  return `#include <stddef.h>
#include <stdint.h>
struct module { const char *name; const uint8_t *code; size_t length; };
${arrays.join("")}
const struct module MODULES[] = {${rows.join("\n")}};
const size_t MODULE_COUNT = ${names.length};
const char BUILD[] = ${JSON.stringify(id)};
`;
}

/**
 * A shell that cannot run a file runs it as a script of its own. So that one of another machine's kind is a script that ends
 * at once, as a program that is not there ends, seven bytes that mean nothing in an ELF header spell the end.
 */
function endAsScript(path) {
  const bytes = readFileSync(path);
  if (bytes.subarray(0, 4).toString("latin1") !== "\x7fELF") return;
  bytes.write("\nexit\n#", 9, "latin1");
  writeFileSync(path, bytes, { mode: 0o755 });
}

async function buildNative() {
  const engine = findEngine();
  const cc = findCompiler();
  const id = readFileSync(join(dist, "bundle", "build-id"), "utf8").trim();
  const work = mkdtempSync(join(tmpdir(), "context-native-"));
  try {
    const texts = await bundles(id, work);
    for (const library of LIBRARIES) {
      const name = `lib-${library}.cjs`;
      texts.set(`./${name}`, bundleText(join(dist, "bundle", name)));
    }
    console.log(`Compiling QuickJS-ng from ${engine}; the first time takes a minute.`);
    const objects = await compileEngine(engine, cc);
    const host = [cc, ...CFLAGS, `-I${engine}`, join(native, "host.c")];
    const compiler = join(CACHE, "compile");
    const libraries = ["-lm", "-lpthread"];
    await run([...host, "-DCOMPILER", ...objects, ...libraries, "-o", compiler]);
    const modules = join(work, "modules.c");
    writeFileSync(modules, await modulesInC(id, texts, compiler, work));
    const program = join(work, "context");
    const link = [...host, modules, ...objects, ...libraries, "-s", "-o", program];
    // Without its libraries a program starts faster, and runs where others of them are; not every system has them for that.
    try {
      await run([...link, "-static"]);
    } catch {
      await run(link);
    }
    endAsScript(program);
    const target = join(dist, "native", `context-${id}`);
    mkdirSync(dirname(target), { recursive: true });
    renameOver(program, target);
    console.log(`${relative(root, target)}: ${(statSync(target).size / 1e6).toFixed(1)} MB`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The temporary folder can lie on another disk, across which nothing is renamed. */
function renameOver(from, to) {
  const draft = `${to}.${process.pid}.new`;
  writeFileSync(draft, readFileSync(from), { mode: 0o755 });
  renameSync(draft, to);
}

async function lookAtSources() {
  const work = mkdtempSync(join(tmpdir(), "context-native-"));
  try {
    console.log(`${(await bundles("sources", work)).size} bundles have all that they need.`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

try {
  if (sourcesAlone) await lookAtSources();
  else {
    if (into === -1) await run([process.execPath, join(root, "scripts", "build.mjs")], "inherit");
    await buildNative();
  }
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  console.error(`The native program is not built: ${error.message}. Everything works without it, in Node.`);
  process.exitCode = 69;
}
