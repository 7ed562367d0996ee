import { describe, expect, it } from "vitest";
import { folderOf, shellCommands } from "../../src/transcript/shell-commands.ts";
import { shellPaths } from "../../src/transcript/shell-paths.ts";

const PLACES = { root: "/r", home: "/h" };

/** Verb, words, files written and folder of each command. */
function commands(text: string): readonly string[] {
  return shellCommands(text, "/r", PLACES).map(({ verb, words, writes, base, conditional }) =>
    [`${verb}:`, ...words, ...writes.map((file) => `>${file}`), `@${base}`, ...(conditional ? ["?"] : [])].join(" "),
  );
}

describe("a command's program", () => {
  it.each([
    ["/usr/bin/git status", "git: /usr/bin/git status @/r"],
    ["bin\\run.exe x", "run.exe: bin\\run.exe x @/r"],
    ["sudo env A=1 B_2='x y' time command nohup git log", "git: git log @/r"],
    ["xargs rm -f", "rm: rm -f @/r"],
    ["2X=1 a", "2X=1: 2X=1 a @/r"],
    ["! { a", "a: a @/r"],
    ["A=1", ": @/r"],
    ["sudo", ": @/r"],
    ["> out", ": >out @/r"],
    ["=x a", "=x: =x a @/r"],
    ["a B=1", "a: a B=1 @/r"],
  ])("of %j", (text, expected) => {
    expect(commands(text)).toEqual([expected]);
  });

  it.each(["if", "while"])("behind %s is conditional, until the block ends", (word) => {
    expect(commands(`${word} a; b`)).toEqual(["a: a @/r ?", "b: b @/r ?"]);
  });

  it("in every block and behind its parts", () => {
    expect(commands("for x in y; do a; done; b")).toEqual([
      "for: for x in y @/r ?",
      "a: a @/r ?",
      "done: done @/r",
      "b: b @/r",
    ]);
    expect(commands("until a; do b; done")).toEqual(["a: a @/r ?", "b: b @/r ?", "done: done @/r"]);
    expect(commands("case x in y; esac; a")).toEqual(["case: case x in y @/r ?", "esac: esac @/r", "a: a @/r"]);
    expect(commands("select a; done; done; b")).toEqual([
      "select: select a @/r ?",
      "done: done @/r",
      "done: done @/r",
      "b: b @/r",
    ]);
    expect(commands("done; if a; fi; b")).toEqual(["done: done @/r", "a: a @/r ?", "fi: fi @/r", "b: b @/r"]);
    expect(commands("if a; if b; fi; c")).toEqual(["a: a @/r ?", "b: b @/r ?", "fi: fi @/r ?", "c: c @/r ?"]);
  });
});

describe("a script in a command", () => {
  it.each([
    ["bash -c 'a b'", ["a: a b @/r"]],
    ["/bin/sh -lc 'cd x; a'", ["cd: cd x @/r", "a: a @/r/x"]],
    ["zsh -ilxc a", ["a: a @/r"]],
    ["dash -c a b", ["a: a @/r"]],
    ["bash -ilxvc a", ["bash: bash -ilxvc a @/r"]],
    ["bash x-c a", ["bash: bash x-c a @/r"]],
    ["bash -cx a", ["bash: bash -cx a @/r"]],
    ["bash -c", ["bash: bash -c @/r"]],
    ["bash run.sh", ["bash: bash run.sh @/r"]],
    ["ksh -c a", ["ksh: ksh -c a @/r"]],
    ["bash -c a > out", [": >out @/r", "a: a @/r"]],
    ["x || bash -c 'a; b'", ["x: x @/r", "a: a @/r ?", "b: b @/r ?"]],
    [`bash -c "sh -c 'dash -c a'"`, ["dash: dash -c a @/r"]],
  ])("%j is read in its place", (text, expected) => {
    expect(commands(text)).toEqual(expected);
  });

  it("moves its own folder alone", () => {
    expect(commands("bash -c 'cd x'; a")).toEqual(["cd: cd x @/r", "a: a @/r"]);
  });
});

describe("the folder that cd goes to", () => {
  it.each([
    ["cd; a", "/h"],
    ["cd -P x; a", "/r/x"],
    ["cd ~; a", "/h"],
    ["pushd x; a", "/r/x"],
    ["cd -; a", "/$OLDPWD"],
    ["cd x; cd - && a", "/$OLDPWD"],
    ["pushd x; b; popd; a", "/$OLDPWD"],
    ["cd x && cd ..; a", "/r"],
    [") a", "/r"],
    ["((cd x); cd y) && a", "/r"],
  ])("after %j is %j", (text, base) => {
    expect(shellCommands(text, "/r", PLACES).at(-1)).toMatchObject({ verb: "a", base });
  });

  it("is the person's where none is named", () => {
    expect([folderOf(["cd"]), folderOf(["cd", "-L"]), folderOf(["cd", "-L", "x", "y"])]).toEqual(["~", "~", "x"]);
  });
});

describe("the paths of a shell text", () => {
  function paths(text: string): readonly string[] {
    return shellPaths(text, "/r", PLACES).map(({ path, base, writes }) => `${path} @${base}${writes ? " !" : ""}`);
  }

  it.each([
    ["ls", [". @/r"]],
    ["cd x && make", ["/r/x @/r/x", ". @/r/x"]],
    ["pushd x", ["/r/x @/r/x"]],
    ["a > out b", ["out @/r !", "b @/r"]],
    ["> out", ["out @/r !"]],
    ["A=1", []],
    ["cp a b", ["a @/r", "b @/r !"]],
    ["ln -s a b", ["a @/r", "b @/r !"]],
    ["mv a b", ["a @/r !", "b @/r !"]],
    ["a '' b", ["b @/r"]],
    ["a -x --y=z/1 -w=2", ["z/1 @/r", "2 @/r"]],
    ["a --y=", [" @/r"]],
    ["git commit -m x/y --message z/1 w", ["commit @/r", "w @/r"]],
    ["a -m", [". @/r"]],
    ["node -e 'f(\"x/y\",{z:/w});v'", ['f("x/y",{z:/w});v @/r', "x/y @/r", "z:/w @/r"]],
    ["a b:/c=d/e", ["b:/c=d/e @/r", "b:/c @/r", "d/e @/r"]],
    ["a b:c/d", ["b:c/d @/r", "c/d @/r"]],
    ["a C:\\x\\y", ["C:\\x\\y @/r", "C:\\x\\y @/r"]],
    ["a 'b c'", ["b c @/r"]],
    ["a 'b/c d'", ["b/c d @/r", "b/c @/r"]],
    ["git -C a add b", ["a @/r !", "add @/r !", "b @/r !"]],
    ["git a b c add", ["a @/r", "b @/r", "c @/r", "add @/r"]],
    ["git a b add c", ["a @/r !", "b @/r !", "add @/r !", "c @/r !"]],
    ["sed -n p a", ["p @/r", "a @/r"]],
    ["sed -ni p a", ["p @/r !", "a @/r !"]],
    ["sed -nabdi p", ["p @/r !"]],
    ["sed -nabcdi p", ["p @/r"]],
    ["sed --in-place=.b p", [".b @/r !", "p @/r !"]],
    ["sed x-i p", ["x-i @/r", "p @/r"]],
    ["perl -pi p", ["p @/r !"]],
    ["awk -i p", ["p @/r"]],
  ])("%j", (text, expected) => {
    expect(paths(text)).toEqual(expected);
  });

  it.each("echo printf pwd true false sleep exit export which date whoami wait".split(" "))(
    "%s works on none",
    (verb) => {
      expect(paths(`${verb} a/b`)).toEqual([]);
    },
  );

  it.each("rm mv mkdir touch tee rmdir truncate patch install rsync chmod".split(" "))("%s writes all", (verb) => {
    expect(paths(`${verb} a/b c`)).toEqual(["a/b @/r !", "c @/r !"]);
  });

  it.each("add mv rm restore apply".split(" "))("git %s writes all", (verb) => {
    expect(paths(`git ${verb} a/b`)).toEqual([`${verb} @/r !`, "a/b @/r !"]);
  });
});
