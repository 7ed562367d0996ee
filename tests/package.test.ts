import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { afterAll, expect, test } from "vitest";
import { bundleTexts } from "../scripts/packed-bundles.mjs";

// Packing builds, and a build takes away what other tests are running at this moment.
process.env.npm_config_ignore_scripts = "true";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));

interface Packed {
  readonly files: readonly { readonly path: string }[];
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
}

const folder = mkdtempSync(join(tmpdir(), "context packed é "));
afterAll(() => rmSync(folder, { recursive: true }));

let known: Packed | null = null;

/** What npm would publish, packed once for all who look at it. */
function packed(): Packed {
  if (known !== null) return known;
  const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = spawnSync("npm", words, { encoding: "utf8" });
  const [one]: [Packed] = JSON.parse(stdout.slice(stdout.indexOf("[")));
  known = one;
  return one;
}

function tarball(): string {
  return join(folder, packed().filename);
}

test("each file that a script of the package runs is there, and git keeps it", () => {
  const lines = Object.values<string>(manifest.scripts).join(" && ");
  const files = [...lines.matchAll(/\bnode (\S+)/g)].map(([, file = ""]) => file);
  expect(files).toContain("scripts/build.mjs");
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  // What is ignored is there for who wrote it, and missing in every clone.
  const ignored = spawnSync("git", ["check-ignore", "--no-index", ...files], { encoding: "utf8" });
  expect(ignored.stdout).toBe("");
});

test("a clone without the tools of the build says how they come there", () => {
  const clone = mkdtempSync(join(tmpdir(), "context clone é "));
  try {
    cpSync("scripts", join(clone, "scripts"), { recursive: true });
    cpSync("package.json", join(clone, "package.json"));
    const ran = spawnSync(process.execPath, ["scripts/prepare.mjs"], { cwd: clone, encoding: "utf8" });
    expect(ran).toMatchObject({ status: 1, stdout: "" });
    expect(ran.stderr).toMatch(
      /^agent-context: the tools of its build are not installed\..*\n.*npm link in the clone\.\n$/,
    );
  } finally {
    rmSync(clone, { recursive: true });
  }
});

test("the package's exports are as every tool expects them", async () => {
  const bytes = new Uint8Array(readFileSync(tarball()));
  const { messages } = await publint({ strict: true, pack: { tarball: bytes.buffer } });
  expect(messages).toEqual([]);
});

test("the package's types resolve for whoever imports it", () => {
  const args = [tarball(), "--profile", "esm-only", "--format", "ascii"];
  const { status, stdout } = spawnSync("node_modules/.bin/attw", args, { encoding: "utf8" });
  expect(stdout).toContain("agent-context");
  expect(status, stdout).toBe(0);
});

test("the package holds what it needs to run, and nothing else", () => {
  const files = packed().files.map(({ path }) => path);
  const allowed = /^(?:bin|dist|schemas|docs)\/|^(?:package\.json|README\.md|LICENSE)$/;
  expect(files.filter((path) => !allowed.test(path))).toEqual([]);
  expect(files.filter((path) => /code-cache|inputs\.json/.test(path))).toEqual([]);
  expect(files).toContain("bin/context.js");
  expect(files).toContain("dist/bundle/LICENSES.txt");
  expect(files).toContain("dist/bundle/cli-start.cjs");
  expect(files).toContain("dist/lib/thread/index.js");
  const schemas = readdirSync("schemas").map((name) => `schemas/${name}`);
  expect(files.filter((path) => path.startsWith("schemas/")).sort()).toEqual(schemas.sort());
  expect(manifest.man.filter((path: string) => !files.includes(path))).toEqual([]);
});

test("the README says that the pages it links to are not in the package", () => {
  const files = packed().files.map(({ path }) => path);
  const readme = readFileSync("README.md", "utf8");
  const pages = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = ""]) => path);
  expect(pages.filter((path) => files.includes(path))).toEqual([]);
  expect(readme).toMatch(/These pages\nstand in the repository, not in the npm package/);
});

test("the package stays below a megabyte, and no bundle holds a library that another one holds", () => {
  expect(packed().unpackedSize).toBeLessThan(1_000_000);
  expect(packed().size).toBeLessThan(720_000);
  const bundles = [...bundleTexts("dist/bundle")];
  const holding = (word: string) => bundles.flatMap(([name, text]) => (text.includes(word) ? [name] : []));
  expect(holding("YAMLParseError")).toEqual(["lib-yaml.cjs"]);
  expect(holding("~standard")).toEqual(["lib-zod.cjs"]);
  expect(holding("excessArguments")).toEqual(["cli-program.cjs"]);
});

test("what the bundles' licenses ask to be kept is kept", () => {
  const licenses = readFileSync("dist/bundle/LICENSES.txt", "utf8");
  for (const name of ["commander", "yaml", "zod", "diff"]) {
    expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+$`, "m"));
  }
  expect(licenses).toContain("Permission is hereby granted");
});

test("every dependency has its reason, and no reason is left without one", () => {
  const rows = readFileSync("CONTRIBUTING.md", "utf8").matchAll(/^\| `([@\w/-]+)` \| [^|]+ \|$/gm);
  const inDevelopment = [...rows].map(([, name = ""]) => name).filter((name) => !/^src\/|\/$/.test(name));
  const named = Object.keys(manifest.devDependencies).filter((name) => !name.startsWith("@types/"));
  expect(inDevelopment.sort()).toEqual(named.sort());
  expect(Object.keys(manifest["we-have-these-dependencies-because"]).sort()).toEqual(
    Object.keys(manifest.dependencies).sort(),
  );
});

test("a peer is optional, and the version that is tested is one that it may have", () => {
  expect(Object.keys(manifest.peerDependenciesMeta).sort()).toEqual(Object.keys(manifest.peerDependencies).sort());
  for (const [name, range] of Object.entries<string>(manifest.peerDependencies)) {
    expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
    expect(range).toMatch(/^\^[1-9]\d*\.\d+\.\d+$/);
    expect(manifest.devDependencies[name].split(".")[0]).toBe(range.slice(1).split(".")[0]);
  }
});

test("versions are pinned, so that a clone of tomorrow runs what was tested", () => {
  for (const kind of ["dependencies", "devDependencies"]) {
    for (const [name, version] of Object.entries(manifest[kind])) expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
  }
});

test("npm installs three packages with it, which need no other, run nothing at install and come with a hash", () => {
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const packages: [string, Record<string, unknown>][] = Object.entries(lock.packages);
  const installed = packages.filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional);
  expect(installed.map(([path]) => path)).toEqual(["node_modules/xstate", "node_modules/yaml", "node_modules/zod"]);
  for (const [, { dependencies, hasInstallScript, integrity }] of installed) {
    expect([dependencies, hasInstallScript]).toEqual([undefined, undefined]);
    expect(integrity).toMatch(/^sha512-/);
  }
});

test("the bundles hold four packages, which need no other", () => {
  const named = readFileSync("dist/bundle/LICENSES.txt", "utf8").matchAll(/^(@?[\w./-]+) \d+\.\d+\.\d+$/gm);
  const bundled = [...named].map(([, name = ""]) => name);
  expect(bundled).toEqual(["commander", "diff", "yaml", "zod"]);
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  for (const name of bundled) expect(lock.packages[`node_modules/${name}`].dependencies).toBeUndefined();
});
