// Builds dist/: one CommonJS bundle for each thing that is loaded on its own, and the library, a module for each entry.
//
// CommonJS, since an ES module as the entry makes every start a fifth longer. A dynamic import() in the source is where a
// bundle ends: what it names becomes a bundle of its own, loaded when it is reached.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { BUNDLE_OPTIONS, holdVersionAlone } from "./bundle-options.mjs";
import { machineModule } from "./compiled-machine.mjs";
import { inAscii } from "./in-ascii.mjs";
import { lazyModules } from "./lazy-modules.mjs";
import { COLD, compressed, together, WARM } from "./packed-bundles.mjs";
import { keepPublicTypes } from "./public-types.mjs";
import { requireOnce } from "./require-once.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "src");
const output = join(root, "dist");
const fresh = join(root, `dist.${process.pid}.new`);

/** `src/cli/entries/validate.ts` becomes `cli-entries-validate.cjs`: flat, so that one bundle finds another beside it. */
function bundleName(path) {
  return `${relative(source, path).replace(/\.ts$/, "").replaceAll(/[\\/]/g, "-")}.cjs`;
}

/** Libraries that several bundles need, each a bundle of its own; the others stand in the one bundle that uses them. */
const LIBRARIES = ["yaml", "zod", "diff"];
const libraryBundle = (name) => `lib-${name}.cjs`;

/**
 * Sources that several bundles need stand once, in a part that each of them loads. Loading code that a command does not
 * need costs it up to a fifth of its start, so what agents run all day takes only the first part, which holds what nearly
 * all of it uses, with the check of a context file, and the client's hooks take none.
 */
const PARTS = [
  { name: "part-core.cjs", users: 12, always: ["commands/check-context.ts"], hot: true },
  { name: "part-cold.cjs", users: 2, always: [], hot: false },
];

/**
 * Bundles that hold whole what commands ask for which are run now and then: these take it from there, and it stands once.
 * Only sources of the named rooms, and those named, are lent, since to ask for one loads all of the bundle. What is loaded first by every such
 * command, or behind one question only, costs nothing more.
 */
const LENDERS = [
  { entry: "cli/bin.ts", rooms: ["cli"] },
  { entry: "commands/session-start/session-start.ts", rooms: ["session-start"] },
  { entry: "commands/session-start/continued.ts", rooms: ["transcript", "trail", "stores/sub-agent-work.ts"] },
];

/** A source is lent where the lender holds so much of what the others use of it: what it never runs makes it slower. */
const HELD_WHOLE = 0.95;

const HOT = [
  "cli-program.cjs",
  "cli-entries-gate.cjs",
  "cli-entries-validate.cjs",
  "commands-lifecycle-compacted.cjs",
  "commands-lifecycle-shared-step.cjs",
  "commands-shared-machines.cjs",
];

/**
 * What a hook and a step of the lifecycle begin with, what is loaded before a command is known, and what a session without a role
 * needs after a compaction: of the first shared part, which takes three milliseconds to load, these would use a tenth.
 */
const ALONE = [
  "cli-bin.cjs",
  "cli-start.cjs",
  "cli-entries-session-start.cjs",
  "cli-entries-pre-compact.cjs",
  "cli-entries-lifecycle-step.cjs",
  "cli-entries-lifecycle-status.cjs",
  "commands-session-start-session-start.cjs",
  "commands-session-start-continued.cjs",
  "commands-pre-compact-work-guidance.cjs",
  "commands-recovery-begin.cjs",
  "stores-registered-twice.cjs",
];

/** What a hook, and a status, goes on with where there is more to do: it takes the first part, and has no say in what stands there. */
const BEHIND_HOOKS = [
  "commands-lifecycle-fresh-status.cjs",
  "commands-session-start-role-facts.cjs",
  "commands-pre-compact-only-open-project.cjs",
  "commands-pre-compact-role.cjs",
  "commands-identity.cjs",
  "commands-lifecycle-begin-session.cjs",
];

/**
 * Bundles that are kept as they are, since hooks begin with them, for whoever keeps no compiled code: no rights to write where
 * this is installed. All others are compressed, to a third or less, and their source is kept beside their compiled code; without
 * it, to inflate them costs a command two or three milliseconds.
 */
const PLAIN = ["cli-start.cjs", "cli-entries-session-start.cjs", "cli-entries-pre-compact.cjs", "cli-version.cjs"];

/**
 * What a hook of most sessions goes on with: alone, it is inflated in a fifth of the time that all the warm ones take. Those lie
 * together, in two thirds of the room, and so do the cold ones.
 */
const COMPRESSED_ALONE = [
  "cli-entries-gate.cjs",
  "commands-session-start-session-start.cjs",
  "commands-session-start-continued.cjs",
  "commands-pre-compact-work-guidance.cjs",
  ...LIBRARIES.map(libraryBundle),
];

/** What the build does not read as it stands: the compiled machine, the boundaries, the libraries. */
function boundaries(machine, found) {
  return {
    name: "bundle-boundaries",
    setup(builder) {
      builder.onLoad({ filter: /[\\/]lifecycle[\\/]apply-event\.ts$/ }, () => ({ contents: machine, loader: "ts" }));
      // Its modules, of which what is not used is left out; what it gives to Node is one CommonJS file for each.
      builder.onResolve({ filter: /^yaml$/ }, ({ importer }) =>
        importer.startsWith(source)
          ? undefined
          : { path: join(root, "node_modules", "yaml", "browser", "dist", "index.js"), sideEffects: false },
      );
      builder.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
        contents: 'export { default as en } from "./en.js";',
      }));
      holdVersionAlone(builder, root);
      // Commander loads it for subcommands that are programs of their own, of which there are none: a tenth of its start.
      builder.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
        /[\\/]commander[\\/]/.test(importer) ? { path: "child_process", namespace: "nothing" } : undefined,
      );
      builder.onLoad({ filter: /./, namespace: "nothing" }, () => ({ contents: "" }));
      builder.onResolve({ filter: /^\./ }, ({ path, kind, importer }) => {
        if (kind !== "dynamic-import") return undefined;
        const target = resolve(dirname(importer), path);
        found(target);
        return { path: `./${bundleName(target)}`, external: true };
      });
      builder.onResolve({ filter: new RegExp(`^(?:${LIBRARIES.join("|")})$`) }, ({ path, importer }) =>
        importer.startsWith(source) ? { path: `./${libraryBundle(path)}`, external: true } : undefined,
      );
    },
  };
}

/** Every bundle's entry, and the sources below each with what they take there, in bytes. */
async function findEntries(machine) {
  const entries = [join(source, "cli", "bin.ts")];
  const below = new Map();
  for (const entry of entries) {
    const found = (target) => entries.includes(target) || entries.push(target);
    const { metafile } = await build({
      ...BUNDLE_OPTIONS,
      entryPoints: [entry],
      write: false,
      absWorkingDir: root,
      plugins: [boundaries(machine, found), lazyModules],
    });
    const sources = Object.values(metafile.outputs)
      .flatMap(({ inputs }) => Object.entries(inputs))
      .map(([path, { bytesInOutput }]) => [join(root, path), bytesInOutput])
      .filter(([path]) => path.startsWith(source));
    below.set(entry, new Map(sources));
  }
  return below;
}

/** What is run now and then: it takes from every part, and from those who lend. */
function isCold(bundle) {
  return !ALONE.includes(bundle) && !BEHIND_HOOKS.includes(bundle) && !HOT.includes(bundle);
}

/** Sources with all that they use themselves: it stands where they do, and is shared as they are. */
async function withNeeds(machine, members) {
  const { metafile } = await build({
    ...BUNDLE_OPTIONS,
    stdin: { contents: namespaces(members.map((path, index) => [path, `m${index}`])), resolveDir: root },
    write: false,
    absWorkingDir: root,
    plugins: [boundaries(machine, () => {}), lazyModules],
  });
  const held = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return held.map((path) => join(root, path)).filter((path) => path.startsWith(source) && path.endsWith(".ts"));
}

/** A module that gives out each of these sources under its key. */
function namespaces(keys) {
  return keys.map(([path, key]) => `export * as ${key} from ${JSON.stringify(path)};`).join("\n");
}

/** The file that each shared source stands in, and its place there. */
async function shareOut(machine, below) {
  const place = new Map();
  const put = (name, members) => {
    for (const [index, path] of members.sort().entries()) place.set(path, { name, key: `m${index}` });
  };
  for (const { name, users, always, hot } of PARTS) {
    const counts = new Map(always.map((path) => [join(source, path), users]));
    for (const [entry, sources] of below) {
      const bundle = bundleName(entry);
      if (!isCold(bundle) && (!hot || !HOT.includes(bundle))) continue;
      for (const path of sources.keys()) counts.set(path, (counts.get(path) ?? 0) + 1);
    }
    const members = [...counts.keys()].filter(
      (path) => counts.get(path) >= users && !place.has(path) && !below.has(path) && path.endsWith(".ts"),
    );
    put(name, hot ? (await withNeeds(machine, members)).filter((path) => !below.has(path)) : members);
    if (hot) for (const lender of LENDERS) put(bundleName(join(source, lender.entry)), lent(lender, below, place));
  }
  return place;
}

function lends(name) {
  return LENDERS.some(({ entry }) => bundleName(join(source, entry)) === name);
}

/** What a lender holds whole, and a bundle that may take it asks for. */
function lent({ entry, rooms }, below, place) {
  const asking = [...below].filter(([other]) => isCold(bundleName(other)) || bundleName(other) === "cli-program.cjs");
  return [...(below.get(join(source, entry)) ?? [])]
    .filter(([path]) => path.endsWith(".ts") && !place.has(path) && !below.has(path))
    .filter(([path]) => rooms.some((room) => `${path}/`.startsWith(join(source, room, "/"))))
    .filter(([path, bytes]) => {
      const others = asking.map(([, sources]) => sources.get(path) ?? 0);
      return Math.max(...others) > 0 && bytes >= HELD_WHOLE * Math.max(...others);
    })
    .map(([path]) => path);
}

/** What a source exports, types left out. */
async function exportsOf(paths) {
  const { metafile } = await build({
    entryPoints: paths,
    outdir: fresh,
    write: false,
    metafile: true,
    format: "esm",
    absWorkingDir: root,
    logLevel: "warning",
  });
  const byEntry = Object.values(metafile.outputs).map(({ entryPoint, exports }) => [join(root, entryPoint), exports]);
  return new Map(byEntry);
}

/** Takes the sources that stand in one of these files from there instead of bundling them once more. */
function sharing(place, names, files) {
  return {
    name: "shared-parts",
    setup(builder) {
      builder.onResolve({ filter: /^\./ }, ({ path, kind, importer, namespace }) => {
        if (namespace === "part") return { path, namespace: "part-file" };
        if (namespace === "part-file") return { path, external: true };
        if (kind !== "import-statement") return undefined;
        const target = resolve(dirname(importer), path);
        const at = place.get(target);
        return at === undefined || !files.includes(at.name) ? undefined : { path: target, namespace: "part" };
      });
      builder.onLoad({ filter: /./, namespace: "part" }, ({ path }) => {
        const { name, key } = place.get(path);
        const file = lends(name) ? "file.lent" : "file";
        const exported = names.get(path).map((word) => `${word} = part.${word}`);
        const rest = exported.length === 0 ? "" : `export const ${exported.join(", ")};`;
        return {
          contents: `import { file } from "./${name}"; const part = ${file}.${key};${rest}`,
          resolveDir: source,
        };
      });
      builder.onLoad({ filter: /./, namespace: "part-file" }, ({ path }) => ({
        contents: `export const file = require(${JSON.stringify(path)});`,
        resolveDir: source,
      }));
    },
  };
}

async function bundleAll() {
  const machine = await machineModule(source, fresh);
  const below = await findEntries(machine);
  const place = await shareOut(machine, below);
  const names = await exportsOf([...place.keys()]);
  const sources = new Set([...below.values()].flatMap((sources) => [...sources.keys()]));
  const inputs = {};
  const packages = new Set();
  const bundle = async (name, options) => {
    const outfile = join(fresh, "bundle", name);
    const { metafile } = await build({ ...BUNDLE_OPTIONS, outfile, absWorkingDir: root, ...options });
    // Last stand the names of the exports once more, for who imports them: nobody does.
    const text = inAscii(readFileSync(outfile, "utf8")).replace(/0&&\(module\.exports=\{[^}]*\}\);\n?$/, "");
    writeFileSync(outfile, requireOnce(text));
    const read = Object.keys(metafile.inputs).filter((path) => !/^(?:part(?:-file)?:|lazy-module:|<stdin>)/.test(path));
    for (const path of read) {
      // Linked to, such a folder stands elsewhere.
      const found = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(path);
      if (found !== null) packages.add(found[1]);
    }
    // What it loads at its top counts as held.
    const loaded = Object.values(metafile.outputs).flatMap((output) => output.imports);
    const parts = loaded.filter(({ kind, path }) => kind === "require-call" && path.startsWith("./"));
    inputs[name] = [...new Set([...read, ...parts.flatMap(({ path }) => inputs[path.slice(2)] ?? [])])].sort();
  };
  for (const library of LIBRARIES) {
    const plugins = [boundaries(machine, () => {})];
    await bundle(libraryBundle(library), {
      stdin: { contents: await libraryText(library, [...sources]), resolveDir: root },
      plugins,
    });
  }
  const lenders = LENDERS.map(({ entry }) => join(source, entry));
  const bundleEntry = async (entry, files) => {
    const name = bundleName(entry);
    const members = [...place].filter(([, at]) => at.name === name);
    const given = members.map(([path, { key }]) => `import * as ${key} from ${JSON.stringify(path)};`).join("");
    // Worked out where it is asked for: who begins with this bundle pays nothing for it.
    const lending = members.map(([path, { key }]) => {
      const words = names.get(path).map((word) => `${word}: ${key}.${word}`);
      return `get ${key}() { return { ${words.join(", ")} }; }`;
    });
    const contents = `export * from ${JSON.stringify(entry)};${given}export const lent = { ${lending.join(", ")} };`;
    await bundle(name, {
      ...(members.length === 0 ? { entryPoints: [entry] } : { stdin: { contents, resolveDir: root } }),
      plugins: [sharing(place, names, files), boundaries(machine, () => {}), lazyModules],
    });
  };
  const [core, cold] = PARTS.map(({ name }) => name);
  const bundlePart = async (name, contentsOf, files) => {
    const members = [...place].filter(([, at]) => at.name === name);
    const plugins = [sharing(place, names, files), boundaries(machine, () => {}), lazyModules];
    await bundle(name, { stdin: { contents: contentsOf(members), resolveDir: root }, plugins });
  };
  /** What the entry may take from elsewhere. */
  const filesFor = (entry) => {
    const name = bundleName(entry);
    if (ALONE.includes(name)) return [];
    const borrowed = lenders.filter((lender) => lender !== entry).map(bundleName);
    return isCold(name)
      ? [core, ...borrowed, cold]
      : name === "cli-program.cjs"
        ? [core, bundleName(lenders[0])]
        : [core];
  };
  await bundlePart(core, (members) => namespaces(members.map(([path, { key }]) => [path, key])), []);
  for (const entry of lenders) await bundleEntry(entry, filesFor(entry));
  // Of the second part a command needs a few sources, and fewer of the libraries: each is run when it is first asked for.
  await bundlePart(
    cold,
    (members) =>
      `module.exports = {${members.map(([path, { key }]) => `get ${key}() { return require(${JSON.stringify(path)}); },`).join("\n")}};`,
    [core, ...lenders.map(bundleName)],
  );
  for (const entry of below.keys()) if (!lenders.includes(entry)) await bundleEntry(entry, filesFor(entry));
  // What is compiled ahead is named after all that it was compiled from.
  const id = createHash("sha256");
  for (const name of Object.keys(inputs).sort()) id.update(readFileSync(join(fresh, "bundle", name)));
  const start = join(source, "cli", "start.ts");
  const buildId = id.digest("hex").slice(0, 16);
  const warm = Object.keys(inputs).filter((name) => lies(name) === WARM);
  const define = { BUILD_ID: JSON.stringify(buildId), WARM_BUNDLES: JSON.stringify(warm) };
  // For a launcher, which looks for the native program of the same build.
  writeFileSync(join(fresh, "bundle", "build-id"), `${buildId}\n`);
  await bundle(bundleName(start), {
    stdin: {
      // By hand: what esbuild writes for a module's exports is four more functions that each start has to compile.
      contents: `import { start } from ${JSON.stringify(start)}; module.exports.start = (quick) => start(__dirname, require, quick);`,
      resolveDir: root,
    },
    logOverride: { "commonjs-variable-in-esm": "silent" },
    define,
  });
  // Which sources each bundle holds: a test reads it to see that a hook's bundle holds no library it does not use.
  writeFileSync(join(fresh, "bundle", "inputs.json"), `${JSON.stringify(inputs, null, 1)}\n`);
  writeFileSync(join(fresh, "bundle", "LICENSES.txt"), licenses([...packages].sort()));
  pack(join(fresh, "bundle"), Object.keys(inputs));
}

/** The file that holds a bundle. */
function lies(name) {
  if (PLAIN.includes(name)) return name;
  if (COMPRESSED_ALONE.includes(name)) return `${name}.br`;
  return isCold(name) && name !== "part-core.cjs" ? COLD : WARM;
}

/** Puts the bundles in `folder` where they lie in the package. */
function pack(folder, names) {
  const packs = new Map([WARM, COLD].map((name) => [name, new Map()]));
  for (const name of names.filter((name) => !PLAIN.includes(name))) {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    const pack = packs.get(lies(name));
    if (pack === undefined) writeFileSync(join(folder, lies(name)), compressed(text));
    else pack.set(name, text);
    rmSync(path);
  }
  for (const [name, texts] of packs) writeFileSync(join(folder, name), together(texts));
}

/** What the sources use of a library: the rest of it is left out. */
async function libraryText(library, paths) {
  const known = Object.keys(await import(library));
  const used = new Set();
  for (const path of paths) {
    const text = readFileSync(path, "utf8");
    const [, space, named] =
      new RegExp(`^import (?:\\* as (\\w+)|(\\{[^}]*\\})) from "${library}";`, "m").exec(text) ?? [];
    for (const [word] of (named ?? "").replaceAll(/\btype \w+/g, "").matchAll(/\w+/g)) used.add(word);
    if (space === undefined) continue;
    for (const [, word] of text.matchAll(new RegExp(`\\b${space}\\.(\\w+)`, "g"))) used.add(word);
  }
  const values = known.filter((name) => used.has(name)).sort();
  if (values.length === 0) throw new Error(`No source uses ${library}.`);
  return `export { ${values.join(", ")} } from "${library}";`;
}

/** The bundles hold no comments: what their licenses ask to be kept stands here, a text that several have in common once. */
function licenses(packages) {
  const first = new Map();
  return packages
    .map((name) => {
      const folder = join(root, "node_modules", name);
      const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      if (file === undefined) throw new Error(`${name} has no license file.`);
      const text = readFileSync(join(folder, file), "utf8").trim();
      const [, notice = "", terms = text] = /^([\s\S]*?^Copyright .*)\n([\s\S]*)/m.exec(text) ?? [];
      // Of the same words, however they are wrapped and quoted.
      const words = terms.replaceAll("'", '"').split(/\s+/).join(" ");
      const shown = first.has(words) ? `${notice}\n\nThe terms are those of ${first.get(words)}, above.` : text;
      if (!first.has(words)) first.set(words, name);
      return `${name} ${version}\n\n${shown}\n`;
    })
    .join("\n---\n\n");
}

function emitLibrary() {
  const tsc = join(root, "node_modules", "typescript", "lib", "tsc.js");
  const result = spawnSync(
    process.execPath,
    [tsc, "-p", join(source, "tsconfig.json"), "--outDir", join(fresh, "lib")],
    {
      stdio: "inherit",
    },
  );
  if (result.status !== 0) throw new Error("The library does not compile.");
}

/** The library's entries, as `exports` in package.json names them. */
const LIBRARY_ENTRIES = ["index", "manifest", "detect", "documents", "thread/index", "langchain"];

/** All that a folder holds, by its path in there: Node 20.0 lists none but its own. */
function below(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? [entry.name, ...below(join(folder, entry.name)).map((name) => join(entry.name, name))]
      : [entry.name],
  );
}

/** In place of a module for each source, the entries with what they share; and of the types, what these give out. */
async function bundleLibrary() {
  const folder = join(fresh, "lib");
  const modules = below(folder);
  for (const name of modules) if (name.endsWith(".js")) rmSync(join(folder, name));
  await build({
    entryPoints: LIBRARY_ENTRIES.map((name) => join(source, `${name}.ts`)),
    outbase: source,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: BUNDLE_OPTIONS.target,
    packages: "external",
    minify: true,
    legalComments: "none",
    absWorkingDir: root,
    logLevel: "warning",
  });
  const types = modules.filter((name) => name.endsWith(".d.ts")).map((name) => join(folder, name));
  keepPublicTypes(
    LIBRARY_ENTRIES.map((name) => join(folder, `${name}.d.ts`)),
    types,
  );
  for (const name of modules.sort().reverse()) {
    const path = join(folder, name);
    if (existsSync(path) && statSync(path).isDirectory() && readdirSync(path).length === 0)
      rmSync(path, { recursive: true });
  }
}

try {
  mkdirSync(join(fresh, "bundle"), { recursive: true });
  writeFileSync(join(fresh, "bundle", "package.json"), '{ "type": "commonjs" }\n');
  await bundleAll();
  emitLibrary();
  await bundleLibrary();
  mkdirSync(join(fresh, "man"));
  writeFileSync(
    join(fresh, "man", "context.1.gz"),
    gzipSync(readFileSync(join(root, "docs", "context.1")), { level: 9 }),
  );
  // Two renames, with nothing in between: a command that starts meanwhile finds the old build or, but for a moment, the new one.
  const old = `${output}.${process.pid}.old`;
  if (existsSync(output)) renameSync(output, old);
  renameSync(fresh, output);
  rmSync(old, { recursive: true, force: true });
  chmodSync(join(root, "bin", "context.js"), 0o755);
} catch (error) {
  rmSync(fresh, { recursive: true, force: true });
  throw error;
}
