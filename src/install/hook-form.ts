import type { Span } from "../base/source-text.ts";
import { type JsonNode, kindName, memberOf, stringOf } from "./json-tree.ts";

/**
 * What the client does not take in a hook or in a group of hooks. Measured: 2.1.332 leaves that one out without a word,
 * 2.0.76 drops the whole file.
 */
export interface FormFault extends Span {
  /** As in "found a number". */
  readonly found: string;
  readonly expected: string;
}

/** What is wrong with a group itself, whatever its hooks are; null where nothing is. */
export function groupFault(group: JsonNode): FormFault | null {
  if (group.kind !== "object") return wrong(group, kindName(group), "an object that holds hooks");
  const hooks = memberOf(group, "hooks");
  if (hooks === null) return wrong(group, 'a group without "hooks"', '"hooks" in it');
  if (hooks.value.kind !== "array") return wrong(hooks, `${kindName(hooks.value)} under "hooks"`, "an array of hooks");
  const matcher = memberOf(group, "matcher");
  if (matcher === null || stringOf(matcher.value) !== null) return null;
  return wrong(matcher, `${kindName(matcher.value)} under "matcher"`, "a string");
}

/** What is wrong with one hook of a group; null where nothing is. */
export function hookFault(hook: JsonNode): FormFault | null {
  if (hook.kind !== "object") return wrong(hook, kindName(hook), "an object");
  const type = memberOf(hook, "type");
  const command = memberOf(hook, "command");
  const timeout = memberOf(hook, "timeout");
  if (type === null) return wrong(hook, 'a hook without "type"', '"type": "command"');
  const name = stringOf(type.value);
  if (name === null) return wrong(type, `${kindName(type.value)} under "type"`, "a string");
  if (name !== "command" && command !== null)
    return wrong(type, `"type": ${JSON.stringify(name)}`, '"type": "command"');
  if (name === "command" && command === null) return wrong(hook, 'a hook without "command"', '"command" in it');
  if (command !== null && stringOf(command.value) === null)
    return wrong(command, `${kindName(command.value)} under "command"`, "a string");
  if (timeout === null) return null;
  const { value } = timeout;
  if (value.kind === "scalar" && typeof value.value === "number")
    return value.value > 0 ? null : wrong(timeout, `"timeout": ${value.value}`, "a number above 0");
  return wrong(timeout, `${kindName(value)} under "timeout"`, "a number above 0");
}

function wrong({ start, end }: Span, found: string, expected: string): FormFault {
  return { start, end, found, expected };
}
