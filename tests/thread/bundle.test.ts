import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { runProgram } from "../helpers/run-program.ts";

const folder = new URL("../../src/thread/", import.meta.url);

async function bundle(platform: "browser" | "neutral"): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL("index.ts", folder))],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "thread",
    platform,
    metafile: true,
    logLevel: "silent",
  });
  const outside = Object.keys(result.metafile.inputs).filter((path) => !path.startsWith("src/thread/"));
  expect(outside).toEqual([]);
  return result.outputFiles[0]?.text ?? "";
}

const PROGRAM = `
  const events = [
    { type: "message", role: "user", content: "a <b> \\u0000 🚀 it's".repeat(20), timestamp: 1, iteration: 0 },
    { type: "tool_call", toolName: "read", toolCallId: "c", args: { path: "x", text: "\\"q\\" & ".repeat(50) }, timestamp: 2, iteration: 1 },
    { type: "tool_result", toolCallId: "c", result: new Map([["k", 1n]]), timestamp: 3, iteration: 1 },
  ];
  const xml = thread.serializeThread(events, { attributes: "full" });
  const back = thread.parseThread(xml);
  JSON.stringify([xml, back, thread.serializeThread(events, { maxCharacters: 400 })]);
`;

describe("the thread library", () => {
  it.each(["browser", "neutral"] as const)(
    "runs bundled for %s with nothing but the language, and writes the same",
    async (platform) => {
      const code = await bundle(platform);
      const bare = createContext(Object.create(null));
      expect(runInContext("typeof TextEncoder + typeof process + typeof Buffer + typeof require", bare)).toBe(
        "undefined".repeat(4),
      );
      const inBare: unknown = runInContext(`${code};${PROGRAM}`, bare);
      const withCoders = createContext({ TextEncoder, TextDecoder });
      expect(runInContext(`${code};${PROGRAM}`, withCoders)).toBe(inBare);
      expect(JSON.parse(String(inBare))[1]).toMatchObject({
        ok: true,
        value: { events: [{}, { toolName: "read" }, { result: [["k", "1"]] }] },
      });
    },
  );

  it("reads two million references back in a small heap", async () => {
    const program = `${await bundle("neutral")};
      const content = "<&\\r".repeat(800_000);
      const xml = thread.serializeThread([{ type: "plan", content, timestamp: 0, iteration: 0 }]);
      const back = thread.parseThread(xml);
      console.log(back.ok && back.value.events[0].content === content);`;
    const ran = runProgram(process.execPath, ["--max-old-space-size=90", "-e", program], {
      cwd: fileURLToPath(folder),
    });
    expect(ran).toMatchObject({ code: 0, stdout: "true\n" });
  });

  it("imports nothing from outside its folder", () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));
    const imports = files.flatMap((name) =>
      [...readFileSync(new URL(name, folder), "utf8").matchAll(/from "([^"]+)"/g)].map((match) => match[1]),
    );
    expect(imports.length).toBeGreaterThan(20);
    expect(imports.filter((path) => !path?.match(/^\.\/[a-z-]+\.ts$/))).toEqual([]);
  });
});
