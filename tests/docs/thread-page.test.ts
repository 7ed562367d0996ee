import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as langchain from "../../src/langchain.ts";
import { EVENT_TYPES } from "../../src/thread/event.ts";
import * as library from "../../src/thread/index.ts";
import { runProgram } from "../helpers/run-program.ts";
import { remove, temporaryFolder } from "../platform/scripts.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(join(root, "docs", "thread.md"), "utf8");
const examples = [...page.matchAll(/^```ts\n(.*?)^```\n\nIt prints:\n\n```text\n(.*?)^```$/gms)].map(
  ([, code = "", output = ""]) => ({ code, output }),
);

let folder = "";
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => remove(folder));

async function outputOf(code: string): Promise<string> {
  const outfile = join(folder, "example.mjs");
  await build({
    stdin: { contents: code, loader: "ts", resolveDir: root },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    alias: {
      "agent-context/thread": join(root, "src", "thread", "index.ts"),
      "agent-context/langchain": join(root, "src", "langchain.ts"),
    },
  });
  const ran = runProgram(process.execPath, [outfile], { cwd: folder });
  expect(ran.stderr).toBe("");
  return ran.stdout;
}

describe("docs/thread.md", () => {
  it("shows examples of the library, one for a provider, and one of LangChain, which print what it says", async () => {
    expect(examples).toHaveLength(3);
    for (const { code, output } of examples) expect(await outputOf(code)).toBe(output);
    expect(existsSync(join(folder, "session", "threads", "review-1.jsonl"))).toBe(true);
  });

  it("shows a call of the command, which prints what it says", () => {
    const [, script = "", output = ""] =
      /^```sh\n(context thread.*?)^```\n\nIt prints:\n\n```xml\n(.*?)^```$/ms.exec(page) ?? [];
    expect(script).toContain("context thread");
    const ran = runProgram("sh", ["-c", `context() { '${join(root, "context")}' "$@"; }\n${script}`], { cwd: folder });
    expect(ran.stderr).toBe("");
    expect(ran.stdout).toBe(output);
  });

  it("names everything that the library exports", () => {
    const names = [...Object.keys(library), ...Object.keys(langchain)].filter(
      (name) => name !== "isRecoverableByDefault",
    );
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
  });

  it("names every type of event in both tables", () => {
    const [xml = "", messages = ""] = page.split("## Events and their messages");
    for (const type of EVENT_TYPES) {
      expect(xml).toContain(`| \`${type}\``);
      expect(messages.split("## The library")[0]).toMatch(new RegExp(`^\\|[^|]*\`${type}\``, "m"));
    }
  });
});
