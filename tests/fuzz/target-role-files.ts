import { formatEnv, parseEnv, setEnvValues } from "../../src/base/env-text.ts";
import { fixContextFile } from "../../src/context-file/fix.ts";
import { validateContextFile } from "../../src/context-file/validate.ts";
import { parsePlainRecord } from "../../src/lifecycle/plain-record.ts";
import { machineName, parseRole } from "../../src/lifecycle/role.ts";
import { formatMachine, parseMachine } from "../../src/lifecycle/snapshot.ts";
import { must, mustBeEqual } from "./oracles.ts";

const role = parseRole("oosh-expert");
if (!role.ok) throw new Error("a role's name is refused");
const MACHINE = machineName(role.value);

/** Findings stand in the text; fixing twice is fixing once, and leaves nothing that has a fix. */
export function fuzzContextFile(text: string): void {
  const lines = text.split(/\r\n|\r|\n/).length;
  for (const { start, end } of validateContextFile(text).diagnostics) {
    must(start.line >= 1 && end.line <= lines, `a finding stands on line ${end.line} of ${lines}`);
    must(
      end.line > start.line || (end.line === start.line && end.column >= start.column),
      "a finding ends before it begins",
    );
  }
  const once = fixContextFile(text);
  must(
    once.diagnostics.every(({ fix }) => fix === undefined),
    "a finding is left that has a fix",
  );
  mustBeEqual(fixContextFile(once.text).text, once.text, "fixed twice");
}

/** What is read is written back byte for byte; what is set is read again; a machine comes back as it was, and both readers of it agree. */
export function fuzzEnv(text: string): void {
  const read = parseEnv(text, (key) => key.startsWith("STATE_"));
  if (read.ok) {
    mustBeEqual(formatEnv(read.value), text, "written back");
    const value = text.slice(0, 40).replaceAll("\0", "");
    const set = formatEnv(setEnvValues(read.value, new Map([["STATE_FUZZ", value]])));
    const again = parseEnv(set, (key) => key.startsWith("STATE_"));
    const found = again.ok ? again.value.find((item) => item.kind === "pair" && item.key === "STATE_FUZZ") : null;
    mustBeEqual(found?.kind === "pair" ? found.value : null, value, "set and read again");
  }
  const machine = parseMachine(text, MACHINE);
  const plain = parsePlainRecord(text, MACHINE);
  if (plain !== null)
    mustBeEqual(plain, machine.ok ? machine.value.record : machine.error, "both readers of a machine");
  if (!machine.ok) return;
  const written = formatMachine(machine.value);
  const back = parseMachine(written, MACHINE);
  mustBeEqual(back.ok ? back.value.record : back.error, machine.value.record, "a machine written and read again");
  mustBeEqual(back.ok ? formatMachine(back.value) : "", written, "a machine written twice");
}
