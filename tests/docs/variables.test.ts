import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const text = (path: string): string => readFileSync(join(root, path), "utf8");

/** What one part of this program tells another, and what every program knows. */
const OWN = [
  "CLAUDE_PLUGIN_ROOT",
  "CONTEXT_INVOKED_AS",
  "CONTEXT_KEPT_FOR_NODE",
  "CONTEXT_NATIVE_SCRIPT",
  "CONTEXT_STDIN_IDLE_MS",
  "GIT_CONFIG_PARAMETERS",
  "HOME",
  "NODE_OPTIONS",
  "PATH",
  "PWD",
  "TMUX",
  "TMUX_PANE",
];

/** Every variable that the source reads: in TypeScript of an `env`, in shell by its name. */
function readVariables(): readonly string[] {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => text(join("src", name)));
  const scripts = ["context", "plugin/bin/context", "plugin/hooks/run.sh", ".claude/hooks/pre-compact.sh"].map(text);
  const names = [
    ...sources.flatMap((source) => [...source.matchAll(/\benv(?:\.|\[")([A-Z][A-Z0-9_]+)/g)]),
    ...[...sources, ...scripts].flatMap((source) => [
      ...source.matchAll(/[$"{`]((?:CONTEXT|HIVEMIND|CLAUDE)_[A-Z][A-Z_]+)\b(?=["`:}\]]|=)/g),
    ]),
  ].map(([, name = ""]) => name);
  return [...new Set(names)].sort();
}

const MARKS = /^(?:CONTEXT_(?:VALID|INVALID|SUFFIX|FILE_MAX_BYTES|HEADER)|CONTEXT_STORE_)$/;

test("every variable that is read stands in the manual and the README, and none that is not", () => {
  const variables = readVariables().filter((name) => !OWN.includes(name) && !MARKS.test(name));
  expect(variables).toContain("CONTEXT_STORE_CERT");
  const [, manual = ""] = text("docs/context.1").split(".SH ENVIRONMENT");
  const readme = text("README.md");
  expect(variables.filter((name) => !new RegExp(`\\b${name}\\b`).test(manual))).toEqual([]);
  expect(variables.filter((name) => !new RegExp(`\\b${name}\\b`).test(readme))).toEqual([]);
  const told = [...(manual.split(".SH FILES")[0] ?? "").matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g)].map(([name]) => name);
  expect(told.filter((name) => !variables.includes(name))).toEqual([]);
});
