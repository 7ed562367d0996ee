import { describe, expect, it } from "vitest";
import { shellCommands } from "../../src/transcript/shell-commands.ts";

function commands(text: string): readonly string[] {
  return shellCommands(text, "/r", { root: "/r", home: "/h" }).map(
    ({ words, joint, conditional, base }) => `${joint} ${words.join(" ")} in ${base}${conditional ? " maybe" : ""}`,
  );
}

describe("shellCommands", () => {
  it("says what stands between two commands", () => {
    expect(commands("a && b || c; d | e & f\ng")).toEqual([
      "; a in /r",
      "&& b in /r",
      "|| c in /r maybe",
      "; d in /r",
      "| e in /r",
      "; f in /r",
      "; g in /r",
    ]);
  });

  it("carries an operator over a newline and into brackets", () => {
    expect(commands("a &&\n  b")).toEqual(["; a in /r", "&& b in /r"]);
    expect(commands("a || (b; c)")).toEqual(["; a in /r", "|| b in /r maybe", "; c in /r"]);
  });

  it("takes what stands behind || and in blocks for conditional", () => {
    expect(commands("a || b && c; d")).toEqual(["; a in /r", "|| b in /r maybe", "&& c in /r maybe", "; d in /r"]);
    expect(commands("if a; then b; else c; fi; d")).toEqual([
      "; a in /r maybe",
      "; b in /r maybe",
      "; c in /r maybe",
      "; fi in /r",
      "; d in /r",
    ]);
    expect(commands("bash -c 'a; b' || sh -c c")).toEqual(["; a in /r", "; b in /r", "; c in /r maybe"]);
  });

  it("moves the folder with cd, in a sub-shell only within it", () => {
    expect(commands("cd x && a; (cd y; b); c")).toEqual([
      "; cd x in /r",
      "&& a in /r/x",
      "; cd y in /r/x",
      "; b in /r/x/y",
      "; c in /r/x",
    ]);
  });

  it("takes all of a group behind || for conditional", () => {
    expect(commands("a || { b; c; }; d")).toEqual([
      "; a in /r",
      "|| b in /r maybe",
      "; c in /r maybe",
      "; } in /r",
      "; d in /r",
    ]);
  });

  it.each([
    ["timeout 60 npm test", "npm test"],
    ["CI=1 timeout -k 5 --signal=KILL 1m npm test", "npm test"],
    ["sudo -u dev -E env -i A=b npm test", "npm test"],
    ["nice -n 5 stdbuf -oL npm test", "npm test"],
    ["xargs -n1 -I {} rm {}", "rm {}"],
    ["command -v git", "command -v git"],
    ["exec npm test", "npm test"],
    ["timeout 5", ""],
  ])("finds the program of %j behind what starts it", (text, expected) => {
    expect(shellCommands(text, "/r", { root: "/r", home: "/h" }).map(({ words }) => words.join(" "))).toEqual([
      expected,
    ]);
  });
});
