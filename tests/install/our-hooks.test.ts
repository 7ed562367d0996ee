import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shellQuote } from "../../src/base/shell-word.ts";
import { HOOK_SCRIPTS } from "../../src/install/hook-scripts.ts";
import { guardedCommand, ourCommand, projectScriptCommand, wantedHooks } from "../../src/install/our-hooks.ts";
import { simpleCommands } from "../../src/install/simple-commands.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

const NONE: ReadonlySet<string> = new Set();

const MARKS = ["session/agents", "context.yaml"];

/** The guard of an earlier version. */
const early = (command: string): string =>
  `if [ -e "$CLAUDE_PROJECT_DIR"/session/.cache/gate.pending ]; then ${command}; else { cat <&3 >/dev/null 3<&- & } 2>/dev/null 3<&0; fi`;

/** An earlier version read on for ever. */
const endless = (command: string): string => command.replace("head -c 99999999", "cat");

describe("which commands are ours", () => {
  test.each([
    ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/pre-compact.sh --guidance', "pre-compact", false],
    ["$CLAUDE_PROJECT_DIR/.claude/hooks/pre-compact.sh", "pre-compact", false],
    [".claude/hooks/session-start.sh --part 1/4", "session-start", false],
    [`bash "\${CLAUDE_PROJECT_DIR}/.claude/hooks/context-session-start.sh"`, "session-start", false],
    ["/home/dev/p/.claude/hooks/pre-compact.sh", "pre-compact", true],
    [`CONTEXT_PROGRAM='/opt/a b/context' "$CLAUDE_PROJECT_DIR"/.claude/hooks/pre-compact.sh`, "pre-compact", true],
    [projectScriptCommand(".claude/hooks/context-gate.sh", { program: "/a; b", root: "/it's; c" }), "gate", true],
    ["CONTEXT_PROGRAM=C:/context/context .claude/hooks/pre-compact.sh", "pre-compact", true],
    ["context pre-compact", "pre-compact", false],
    ["./context pre-compact --guidance", "pre-compact", false],
    ['context -C "$CLAUDE_PROJECT_DIR" session-start --part 2/4', "session-start", false],
    ["npx --yes agent-context session-start", "session-start", false],
    ["node /opt/agent-context/bin/context.js pre-compact", "pre-compact", true],
    ["node_modules/.bin/context pre-compact", "pre-compact", false],
    ["~/bin/context session-start", "session-start", true],
    ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/gate.sh', "gate", false],
    [early("context gate"), "gate", false],
    [early("'/opt/a b/context' gate"), "gate", true],
    [guardedCommand("context", "gate", "context gate"), "gate", false],
    [guardedCommand("'/opt/a b/context'", "gate", "'/opt/a b/context' gate"), "gate", true],
    [guardedCommand("context", "session-start", "context session-start --part 1/4"), "session-start", false],
    [guardedCommand("context", "session-start", "context session-start --part 1/4", MARKS), "session-start", false],
    [endless(guardedCommand("context", "gate", "context gate", MARKS)), "gate", false],
    [guardedCommand("'/a; b/context'", "pre-compact", "'/a; b/context' pre-compact", MARKS), "pre-compact", true],
  ])("%s is", (line, hook, machinePath) => {
    expect(ourCommand(line, NONE)).toEqual({ hook, plain: true, machinePath });
  });

  test("a line that is to stop a compaction is a person's; one that always ends well stops none", () => {
    const words = "pre-compact --guidance --require-saved";
    expect(ourCommand(`context ${words}`, NONE)?.plain).toBe(false);
    for (const line of [
      guardedCommand("context", "pre-compact", `context ${words}`),
      `.claude/hooks/${words.replace(" ", ".sh ")}`,
    ])
      expect(ourCommand(line, NONE)?.plain).toBe(true);
  });

  test.each([
    "",
    "echo pre-compact",
    "./lint.sh pre-compact",
    'echo "context pre-compact"',
    "my-context pre-compact",
    "contextual session-start",
    "context validate session-start.md",
    "hooks/pre-compact.sh",
    ".claude/hooks/other.sh pre-compact",
    ".claude/hooks/sub/pre-compact.sh",
    "cat .claude/hooks/pre-compact.sh",
    ".claude/hooks/gatekeeper.sh",
    early("./mine.sh"),
    early(""),
    guardedCommand("./mine.sh", "gate", "./mine.sh"),
    guardedCommand("", "gate", ""),
  ])("%s is not", (line) => {
    expect(ourCommand(line, NONE)).toBeNull();
  });

  test("a script of that name that is somebody else's is not", () => {
    const line = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/session-start.sh';
    expect(ourCommand(line, new Set(["session-start.sh"]))).toBeNull();
    expect(
      ourCommand(line.replace("session-start", "context-session-start"), new Set(["session-start.sh"])),
    ).not.toBeNull();
  });

  test.each([
    "context pre-compact || true",
    "cd x && context pre-compact",
    "context pre-compact 2>/dev/null",
    "echo x; context pre-compact",
    "if [ -x ./context ]; then ./context pre-compact; fi",
    "[ -x ./context ] && { ./context pre-compact; }",
    `${early("context pre-compact")}; echo x`,
    early("context pre-compact; echo x"),
    `${guardedCommand("context", "pre-compact", "context pre-compact")}; echo x`,
    guardedCommand("context", "pre-compact", "context pre-compact; echo x"),
    guardedCommand("other", "pre-compact", "context pre-compact"),
    guardedCommand("other", "pre-compact", "context pre-compact", MARKS),
  ])("%s does more than start it", (line) => {
    expect(ourCommand(line, NONE)).toMatchObject({ hook: "pre-compact", plain: false });
  });

  test("every command that is written is known again, whatever the program's path holds", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary", minLength: 1 }), fc.constant("x >/dev/null; then /x >/dev/null; then ")),
        fc.integer({ min: 1, max: 30 }),
        (name, parts) => {
          const start = `/opt/${name.replaceAll("\0", "")}/context`;
          const script = (hook: string) =>
            projectScriptCommand(`.claude/hooks/${hook}.sh`, { program: start, root: `/${name}` });
          const hooks = [
            ...wantedHooks(parts, script, HOOK_SCRIPTS),
            ...wantedHooks(parts, (hook) => early(`${shellQuote(start)} ${hook}`), ["gate"]),
            ...HOOK_SCRIPTS.flatMap((hook) =>
              wantedHooks(parts, () => `${shellQuote(start)} ${hook}`, [hook]).map((one) => ({
                ...one,
                command: guardedCommand(shellQuote(start), hook, one.command),
              })),
            ),
          ];
          expect(hooks).toHaveLength(2 * (1 + parts + 2) + 2);
          for (const { command, timeout } of hooks) {
            expect(ourCommand(command, NONE)).toMatchObject({ plain: true, machinePath: true });
            expect(timeout).toBeGreaterThan(0);
          }
        },
      ),
    );
  });

  test("only events that every client knows are registered, and each part once", () => {
    const hooks = wantedHooks(3, (hook) => hook);
    expect(hooks.map(({ event, command }) => `${event}: ${command}`)).toEqual([
      "PreCompact: pre-compact --guidance",
      "SessionStart: session-start --part 1/3",
      "SessionStart: session-start --part 2/3",
      "SessionStart: session-start --part 3/3",
    ]);
    const gate = wantedHooks(3, (hook) => hook, ["gate"]);
    expect(gate.map(({ event, matcher, command }) => [event, matcher, command])).toEqual([
      ["PreToolUse", "Edit|Write|MultiEdit|NotebookEdit", "gate"],
      ["PostToolUse", "Read", "gate"],
    ]);
  });
});

describe("reading a shell line", () => {
  test.each([
    ["a  b\tc", [["a", "b", "c"]]],
    ["a'b c'd", [["ab cd"]]],
    ['"a \\"b\\" \\n"', [['a "b" \\n']]],
    ["a\\ b", [["a b"]]],
    ["a; b && c | d", [["a"], ["b"], ["c"], ["d"]]],
    ["''", [[""]]],
    ["'unclosed", [["unclosed"]]],
    ["", []],
  ])("%j", (line, commands) => {
    expect(simpleCommands(line)).toEqual(commands);
  });

  test("takes linear time", () => {
    for (const character of ["a", "'", '"', "\\", " ", ";", "A=", "$"]) {
      const started = cpuTime();
      ourCommand(character.repeat(300_000), NONE);
      expect(cpuTime() - started).toBeLessThan(2000);
    }
  });
});
