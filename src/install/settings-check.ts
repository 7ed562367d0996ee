import { invariant } from "../base/invariant.ts";
import { canonical } from "./json-edit.ts";
import { type JsonElement, memberOf } from "./json-tree.ts";
import type { WantedHook } from "./our-hooks.ts";
import { type RegisteredHook, registeredHooks } from "./registered-hooks.ts";
import { groupsOf, type SettingsDocument } from "./settings-document.ts";

/** An edit that would touch anything else never reaches the disk. */
export function checkEdit(
  before: SettingsDocument,
  after: SettingsDocument,
  foreign: ReadonlySet<string>,
  drop: (hook: RegisteredHook) => boolean,
  added: readonly WantedHook[],
): void {
  const dropped = new Set(registeredHooks(before, foreign).filter(drop).map(keyOf));
  const now = registeredHooks(after, foreign);
  const isAdded = (hook: RegisteredHook): boolean => added.some((wanted) => isSame(hook, wanted));
  const made = new Set(now.filter(isAdded).map(keyOf));
  invariant(
    otherSettings(before, dropped) === otherSettings(after, made),
    "an edit changes no setting that is not ours",
  );
  invariant(
    added.every((wanted) => now.some((hook) => isSame(hook, wanted))),
    "every hook that was asked for is registered",
  );
}

function isSame(hook: RegisteredHook, wanted: WantedHook): boolean {
  return hook.event === wanted.event && hook.matcher === wanted.matcher && hook.command === wanted.command;
}

function keyOf({ event, groupIndex, entryIndex }: RegisteredHook): string {
  return `${event} ${groupIndex} ${entryIndex}`;
}

/** All values but those hooks, and but the containers that hold nothing else. */
function otherSettings({ json, hooks }: SettingsDocument, ours: ReadonlySet<string>): string {
  const events = (hooks?.elements ?? []).flatMap((event) => {
    const left = groupsOf(event).elements.flatMap((group, groupIndex) => {
      const entries = memberOf(group.value, "hooks")?.value;
      if (entries?.kind !== "array") return canonical(group.value);
      const others = entries.elements.filter((_, index) => !ours.has(`${event.key} ${groupIndex} ${index}`));
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
