import { invariant } from "../base/invariant.ts";
import { canonical } from "./json-edit.ts";
import { type JsonElement, memberOf, stringOf } from "./json-tree.ts";
import type { WantedHook } from "./our-hooks.ts";
import { type RegisteredHook, registeredHooks, type SettingsDocument } from "./settings-document.ts";

/** An edit that would touch anything else never reaches the disk. */
export function checkEdit(
  before: SettingsDocument,
  after: SettingsDocument,
  foreign: ReadonlySet<string>,
  drop: (hook: RegisteredHook) => boolean,
  added: readonly WantedHook[],
): void {
  const commands = new Set(added.map(({ command }) => command));
  const dropped = new Set(registeredHooks(before, foreign).filter(drop).map(keyOf));
  invariant(
    otherSettings(before, (key) => dropped.has(key)) === otherSettings(after, (_, command) => commands.has(command)),
    "an edit changes no setting that is not ours",
  );
  const now = registeredHooks(after, foreign);
  invariant(
    added.every(
      (hook) => now.filter(({ event, command }) => event === hook.event && command === hook.command).length > 0,
    ),
    "every hook that was asked for is registered",
  );
}

function keyOf({ event, groupIndex, entryIndex }: RegisteredHook): string {
  return `${event} ${groupIndex} ${entryIndex}`;
}

/** All values but those hooks, and but the containers that hold nothing else. */
function otherSettings({ json, hooks }: SettingsDocument, isOurs: (key: string, command: string) => boolean): string {
  const events = (hooks?.elements ?? []).flatMap((event) => {
    const groups = event.value.kind === "array" ? event.value.elements : [];
    const left = groups.flatMap((group, groupIndex) => {
      const entries = memberOf(group.value, "hooks")?.value;
      if (entries?.kind !== "array") return canonical(group.value);
      const others = entries.elements.filter(
        (entry, index) => !isOurs(`${event.key} ${groupIndex} ${index}`, commandOf(entry)),
      );
      return others.length === 0
        ? []
        : `${others.map(({ value }) => canonical(value)).join()} of ${otherMembers(group)}`;
    });
    return left.length === 0 ? [] : `${event.key}: ${left.join("\n")}`;
  });
  const { root } = json;
  const rest = root?.kind === "object" ? root.elements.filter(({ key }) => key !== "hooks") : [];
  return [...rest.map(({ key, value }) => `${key}: ${canonical(value)}`), ...events].join("\n");
}

function otherMembers({ value }: JsonElement): string {
  const members = value.kind === "object" ? value.elements.filter(({ key }) => key !== "hooks") : [];
  return members.map((member) => `${member.key}: ${canonical(member.value)}`).join();
}

function commandOf({ value }: JsonElement): string {
  return stringOf(memberOf(value, "command")?.value) ?? "";
}
