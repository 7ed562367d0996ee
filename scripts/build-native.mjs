// Builds the native program: one executable of the hook commands and of lifecycle.*, from the same TypeScript, in which
// QuickJS-ng runs what Node runs elsewhere. docs/native.md says what it gives and what it needs.
//
// It stands in dist/native/ under a name that holds the build's id: the next `npm run build` takes dist/ away, and a launcher
// that finds another id in dist/bundle/build-id does not look at it. `--into FOLDER` builds it for the copy of the package there.
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
import { build } from "esbuild";
import { compiledMachine } from "./compiled-machine.mjs";
import { nativeParts, run, Unavailable } from "./native-parts.mjs";
import { bundleTexts } from "./packed-bundles.mjs";
import { runAsUsed } from "./run-as-used.mjs";

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
  const id = readFileSync(join(dist, "bundle", "build-id"), "utf8").trim();
  const work = mkdtempSync(join(tmpdir(), "context-native-"));
  try {
    const texts = await bundles(id, work);
    const built = bundleTexts(join(dist, "bundle"));
    for (const library of LIBRARIES) texts.set(`./lib-${library}.cjs`, built.get(`lib-${library}.cjs`));
    const make = async (parts, program) => {
      const modules = join(work, "modules.c");
      writeFileSync(modules, await modulesInC(id, texts, parts.compiler, work));
      await parts.link(modules, program);
      return program;
    };
    const parts = await nativeParts(async (counting) => {
      const counted = await make(counting, join(work, "counting"));
      // The compiler of bundles has counted as well.
      counting.forgetCounts();
      runAsUsed(counted, work);
    });
    const program = await make(parts, join(work, "context"));
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
