import { parseArgs } from "node:util";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { COMMANDS, type CommandSpec, GLOBAL_OPTIONS } from "../../src/cli/command-table.ts";
import { QUICK as gate } from "../../src/cli/entries/gate.ts";
import { QUICK as lifecycleStatus } from "../../src/cli/entries/lifecycle-status.ts";
import { QUICK as lifecycleStep } from "../../src/cli/entries/lifecycle-step.ts";
import { QUICK as preCompact } from "../../src/cli/entries/pre-compact.ts";
import { QUICK as sessionStart } from "../../src/cli/entries/session-start.ts";
import { readPlain } from "../../src/cli/plain-options.ts";

const KNOWN = [{ long: "json" }, { long: "root", short: "C", value: "folder" }, { long: "no-color" }, { long: "q" }];

function readFully(words: readonly string[]) {
  const option = (type: "boolean" | "string", more = {}) => ({ type, ...more });
  const options = {
    json: option("boolean"),
    root: option("string", { short: "C" }),
    "no-color": option("boolean"),
    q: option("boolean"),
  };
  const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  return { values: { ...values }, positionals };
}

describe("readPlain", () => {
  it("says what Node's own parser says, or nothing", () => {
    const word = fc.oneof(
      fc.constantFrom(
        "--json",
        "--root",
        "-C",
        "--no-color",
        "--q",
        "-q",
        "--",
        "-",
        "--json=1",
        "--root=a",
        "-Cx",
        "",
      ),
      fc.string({ maxLength: 4 }),
    );
    let read = 0;
    const property = fc.property(fc.array(word, { maxLength: 6 }), (words) => {
      const plain = readPlain(words, KNOWN);
      if (plain === null) return;
      read += 1;
      expect(plain).toEqual(readFully(words));
    });
    fc.assert(property, { numRuns: 3000 });
    expect(read).toBeGreaterThan(300);
  });

  it.each([["--unknown"], ["--root"], ["--root", "-x"], ["--root="], ["--json=1"], ["--", "a"], ["-"], ["-jC"]])(
    "leaves %j %j to others",
    (...words) => expect(readPlain(words, KNOWN)).toBeNull(),
  );
});

const QUICK = [gate, preCompact, sessionStart, lifecycleStatus, lifecycleStep].flat();

test.each(QUICK)("what $command reads quickly is in the table, and means the same there", (quick) => {
  const row: CommandSpec | undefined = COMMANDS.find(({ name }) => name === quick.command);
  expect(row?.arguments).toHaveLength(quick.most);
  expect(row?.arguments.some(({ required, variadic }) => required || variadic)).toBe(false);
  for (const option of quick.options) {
    const known = [...(row?.options ?? []), ...GLOBAL_OPTIONS].find(({ long }) => long === option.long);
    expect(known).toEqual(expect.objectContaining({ long: option.long }));
    expect([known?.short, known?.value, known?.choices]).toEqual([option.short, option.value, undefined]);
  }
});
