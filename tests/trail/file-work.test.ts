import { describe, expect, it } from "vitest";
import { REFUSED, ROOT, Session } from "./session.ts";

function files(session: Session): readonly string[] {
  return session
    .trail()
    .files.map(({ path, change, by, times, movedTo }) =>
      [change, path, by, `${times}×`, ...(movedTo === null ? [] : [`to ${movedTo}`])].join(" "),
    );
}

describe("files changed", () => {
  it("folds every spelling of a path into one", () => {
    const session = new Session()
      .edit(`${ROOT}/src/a.ts`)
      .edit("./src/../src/a.ts")
      .edit("src//a.ts")
      .call("Edit", { file_path: "a.ts" }, { record: { cwd: `${ROOT}/src` } })
      .call("Edit", { file_path: "src\\a.ts" });
    expect(files(session)).toEqual(["edited src/a.ts tool 5×"]);
  });

  it("shows what lies outside the root with its whole path, and a folder with a like name is outside", () => {
    expect(files(new Session().edit("/etc/hosts").edit("/home/dev/acme-2/x"))).toEqual([
      "edited /home/dev/acme-2/x tool 1×",
      "edited /etc/hosts tool 1×",
    ]);
  });

  it("reads paths of Windows below a root of Windows", () => {
    const session = new Session().call("Edit", { file_path: "C:\\acme\\src\\a.ts" });
    expect(session.trail({ root: "c:\\acme" }).files.map(({ path }) => path)).toEqual(["src/a.ts"]);
  });

  it("counts Write, Edit, MultiEdit and NotebookEdit, newest first", () => {
    const session = new Session()
      .write("a")
      .edit("b")
      .call("MultiEdit", { file_path: "c" })
      .call("NotebookEdit", { notebook_path: "d.ipynb" });
    expect(files(session)).toEqual([
      "edited d.ipynb tool 1×",
      "edited c tool 1×",
      "edited b tool 1×",
      "created a tool 1×",
    ]);
  });

  it("leaves out calls that failed, were refused, or have no result", () => {
    const session = new Session()
      .write("failed", { failed: true })
      .write("refused", { failed: true, says: REFUSED })
      .write("open", { open: true });
    expect(files(session)).toEqual([]);
    expect(session.trail().inFlight.map(({ what }) => what)).toEqual(["open"]);
  });

  it("takes the client's word for created or edited, and else a file not met before for new", () => {
    const session = new Session()
      .write("new", { note: { type: "create" } })
      .write("old", { note: { type: "update" } })
      .write("said-new", { says: "File created successfully at: said-new" })
      .write("said-old", { says: "The file said-old has been updated." })
      .read("met")
      .write("met")
      .write("unmet");
    expect(files(session).map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
      "created unmet",
      "edited met",
      "edited said-old",
      "created said-new",
      "edited old",
      "created new",
    ]);
  });

  it("says edited of a file that was created before the compaction and edited since", () => {
    const trail = new Session().write("a").compacted().edit("a").trail({ since: "compaction" });
    expect(trail.files).toMatchObject([{ path: "a", change: "edited", times: 1 }]);
  });

  it("counts a sub-agent's files and says so", () => {
    const trail = new Session()
      .edit("a")
      .edit("b", { record: { isSidechain: true } })
      .trail();
    expect(trail.files.map(({ path, subAgent }) => [path, subAgent])).toEqual([
      ["b", true],
      ["a", false],
    ]);
  });

  it.each([
    ["rm src/a.ts", ["deleted src/a.ts tool 1×"]],
    ["cd src && rm -f a.ts", ["deleted src/a.ts tool 1×"]],
    ["rm -rf src", ["deleted src/a.ts tool 1×"]],
    ["echo > dist/x; rm -rf dist", ["deleted dist/x shell 1×", "created src/a.ts tool 1×"]],
    ["git rm src/a.ts", ["deleted src/a.ts tool 1×"]],
    ["git -C src rm -q a.ts", ["deleted src/a.ts tool 1×"]],
    ["git rm --cached src/a.ts", ["created src/a.ts tool 1×"]],
    ["mv src/a.ts src/b.ts", ["created src/b.ts shell 1×", "deleted src/a.ts tool 1× to src/b.ts"]],
    ["git mv src/a.ts lib/", ["created lib/a.ts shell 1×", "deleted src/a.ts tool 1× to lib/a.ts"]],
    ["mv src lib", ["created lib shell 1×", "deleted src/a.ts tool 1× to lib/a.ts"]],
    ["sed -i 's/a/b/' src/a.ts", ["created src/a.ts tool 2×"]],
  ])("after %j knows what became of a file", (command, expected) => {
    expect(files(new Session().write(`${ROOT}/src/a.ts`).bash(command))).toEqual(expected);
  });

  it("takes a file that is written again for created", () => {
    expect(files(new Session().write("a").bash("rm a").write("a"))).toEqual(["created a tool 2×"]);
  });

  it.each([
    ["echo hi > out.txt", ["out.txt"]],
    ["cat <<'EOF' > notes.md\nrm src/a.ts > not-this\nEOF", ["notes.md"]],
    ["make 2>&1 | tee -a build.log", ["build.log"]],
    ["cp a.txt b.txt", ["b.txt"]],
    ["cp a.txt docs/", ["docs/a.txt"]],
    ["sed -i -e 's/a/b/' -e 's/c/d/' one two", ["two", "one"]],
    ["perl -pi -e 's/a/b/' one", ["one"]],
    ["bash -c 'echo x > inner.txt'", ["inner.txt"]],
    ["touch empty.ts", ["empty.ts"]],
  ])("reads what %j writes, marked as the shell's", (command, paths) => {
    const found = new Session().bash(command).trail().files;
    expect(found.map(({ path }) => path)).toEqual(paths);
    expect(found.every(({ by }) => by === "shell")).toBe(true);
  });

  it.each([
    "ls 2>/dev/null",
    "make 2>&1",
    "rm *.log",
    'rm "$FILE"',
    "test -f a || touch b",
    "if [ -f a ]; then rm a; fi",
    "for f in a b; do rm x; done",
    "cp -r a b",
    "cp a.txt maybe-a-folder",
    'echo "a > b"',
    "grep '>' a",
    'git commit -m "rm a > b"',
    "cd web && make; cd - && touch notes.md",
    "pushd web && make && popd && touch notes.md",
    'cd "$(git rev-parse --show-toplevel)" && echo x > a.txt',
    "cd $BUILD && rm a",
    'git -C "$OTHER" rm a',
    "# rm a",
    "echo rm a",
    "sed 's/a/b/' file",
    "[[ 3 > 2 ]]",
    "[[ a > b ]] && (( c > d ))",
    "rm -rf dist node_modules packages/a/coverage",
  ])("finds no file in %j", (command) => {
    expect(files(new Session().bash(command))).toEqual([]);
  });

  it.each([
    ["rm a", "Exit code 1", []],
    ["rm a && mv b c > d", "Exit code 1\nmv: cannot stat 'b'", ["deleted a shell 0×"]],
    ["rm a && mv b c > d", "Exit code 1\nrm: cannot remove 'a'", []],
    ["cat > a.test.ts <<'EOF'\nx\nEOF\nnpx vitest run", "Exit code 1\n1 failed", ["created a.test.ts shell 1×"]],
    ["npm test > log 2>&1", "Exit code 1", ["created log shell 1×"]],
    ["make && npm test > log 2>&1", "Exit code 1", []],
    ["cd d && npm test | tee log", "Exit code 1", []],
    ["rm a && make", "PreToolUse:Bash hook error: no", []],
    ["rm a && make", REFUSED, []],
  ])("of %j that failed with %j finds what was done before that", (command, says, expected) => {
    expect(files(new Session().bash(command, { failed: true, says }))).toEqual(expected);
  });

  it("finds what was done where the call tells its failure by an exit code that it prints", () => {
    const session = new Session().bash("echo x > a; make; echo exit=$?", { says: "error\nexit=2" });
    expect(files(session)).toEqual(["created a shell 1×"]);
    expect(session.trail().failures).toHaveLength(1);
  });

  it("takes a call whose exit code is not to be found in what it says for what it is told to be", () => {
    expect(new Session().bash("make; echo exit=$?", { says: "made" }).trail().failures).toEqual([]);
  });

  it.each([
    ["echo x >> .gitignore", "edited .gitignore shell 1×"],
    ["sed -Ei 's/a/b/' a", "edited a shell 1×"],
    ["perl -0pi -e 's/a/b/' a", "edited a shell 1×"],
    ["echo x | tee -a a", "edited a shell 1×"],
    ["patch src/a.c fix.diff", "edited src/a.c shell 1×"],
    ["tee a <<< text", "created a shell 1×"],
    ["tee a < input", "created a shell 1×"],
  ])("does not say that %j made a file that may have been there", (command, expected) => {
    expect(files(new Session().bash(command))).toEqual([expected]);
  });

  it("takes patch's own word for the files that it changed", () => {
    const says = "patching file src/a.ts\npatching file 'src/b c.ts'\n";
    const expected = ["edited src/b c.ts shell 1×", "edited src/a.ts shell 1×"];
    expect(files(new Session().bash("patch -p1 < fix.diff", { says }))).toEqual(expected);
    expect(files(new Session().bash("cat log", { says }))).toEqual([]);
  });

  it.each([
    "git checkout -- d/a",
    "git checkout HEAD -- d/a",
    "git checkout d/a",
    "git -C d checkout a",
    "git checkout HEAD d/a",
    "git checkout d/",
    "git restore d/a",
    "git checkout .",
    "git restore d",
    "git reset --hard",
  ])("knows that %j takes an edit back, but no commit", (command) => {
    expect(files(new Session().edit("d/a").bash(command))).toEqual([]);
    expect(files(new Session().edit("d/a").bash("git commit -qam x").bash(command))).toEqual(["edited d/a tool 1×"]);
    expect(files(new Session().edit("d/a").bash("git commit -qam x").edit("d/a").bash(command))).toEqual([
      "edited d/a tool 2×",
    ]);
    expect(files(new Session().write("d/a").bash(command))).toEqual(["created d/a tool 1×"]);
    expect(files(new Session().edit("d/a").bash(command).edit("d/a"))).toEqual(["edited d/a tool 1×"]);
  });

  it.each(["git checkout -- d/a", "git checkout d/a", "git restore d", "git checkout .", "git reset --hard"])(
    "knows that %j brings a deleted file back as it was committed",
    (command) => {
      expect(files(new Session().bash("rm d/a").bash(command))).toEqual([]);
      expect(files(new Session().edit("d/a").bash("rm d/a").bash(command))).toEqual([]);
      expect(files(new Session().edit("d/a").bash("rm d/a").write("d/a").bash(command))).toEqual([]);
      expect(files(new Session().bash("rm d/a").bash("git commit -qam x").bash(command))).toEqual([
        "deleted d/a shell 0×",
      ]);
      expect(files(new Session().write("d/a").bash("rm d/a").bash(command))).toEqual(["deleted d/a tool 1×"]);
    },
  );

  it("does not look in a folder for a path that no file can have", () => {
    const found = new Session()
      .write(`d/${"a/".repeat(2100)}x`)
      .write("d/b")
      .bash("rm -r d")
      .trail().files;
    expect(found.map(({ change }) => change).sort()).toEqual(["created", "deleted"]);
  });

  it("finds a file that was made again where its folder goes, and not what went before", () => {
    const made = new Session().write("d/a").write("d/b").bash("rm d/a d/b").write("d/a").bash("rm -r d");
    expect(files(made)).toEqual(["deleted d/a tool 2×", "deleted d/b tool 1×"]);
  });

  it.each([
    "git checkout main",
    "git checkout -b a",
    "git checkout main a",
    "git checkout -",
    "git restore --staged a",
    "git reset a",
    "git reset --hard HEAD~1",
    "git stash",
  ])("knows that %j takes no edit back for good", (command) => {
    expect(files(new Session().edit("a").bash(command))).toEqual(["edited a tool 1×"]);
  });

  it.each<readonly [string, object, readonly string[]]>([
    ["mcp__filesystem__write_file", { path: "a", content: "" }, ["created a tool 1×"]],
    ["mcp__filesystem__edit_file", { path: "a" }, ["edited a tool 1×"]],
    ["mcp__filesystem__move_file", { source: "a", destination: "b" }, ["created b tool 1×", "deleted a shell 0× to b"]],
    ["mcp__serena__replace_symbol_body", { relative_path: "a" }, ["edited a tool 1×"]],
    ["mcp__ide__writeFile", { path: "a" }, ["created a tool 1×"]],
    ["mcp__ide__edit-file", { file_path: "a" }, ["edited a tool 1×"]],
    ["mcp__credit__list", { path: "a" }, []],
    ["write_file", { path: "a" }, []],
    ["mcp__filesystem__create_directory", { path: "a" }, []],
    ["mcp__filesystem__read_file", { path: "a" }, []],
    ["mcp__github__create_or_update_file", { owner: "o", repo: "r", path: "a" }, []],
    ["mcp__tracker__create_issue", { title: "a" }, []],
  ])("tells from %s %j what a server's tool did to a file", (name, input, expected) => {
    expect(files(new Session().call(name, input))).toEqual(expected);
  });
});

describe("files read", () => {
  it("are counted once a file, newest first, without those that could not be read", () => {
    const trail = new Session().read("a").read("b").read("./a").read("gone", { failed: true }).trail();
    expect(trail.reads.map(({ path, times }) => [path, times])).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
  });
});
