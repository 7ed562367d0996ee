import { type DroppedBy, droppedBy } from "./dropped-file.ts";
import { STANDARD_HOOKS } from "./hook-scripts.ts";
import { memberOf } from "./json-tree.ts";
import { isUsualEvent } from "./our-hooks.ts";
import { isCustom, registeredHooks } from "./registered-hooks.ts";
import type { SettingsDocument } from "./settings-document.ts";

export interface SettingsFacts {
  /** The events at which the file registers hooks of ours, but for the gate. */
  readonly events: readonly string[];
  /** Whether one of them, the gate included, is as this program registers it, and names no path of one machine. */
  readonly portable: boolean;
  /** Whether the gate is registered as this program does it, at one of its events at least, or as a person did; null: not at all. */
  readonly gate: "usual" | "custom" | null;
  /** Plugins that the file switches on or off, by their whole name. */
  readonly plugins: ReadonlyMap<string, boolean>;
  readonly hooksDisabled: boolean;
  readonly dropped: DroppedBy | null;
}

/** What else has to be known of a settings file before hooks are registered. */
export function settingsFacts(document: SettingsDocument, foreign: ReadonlySet<string>): SettingsFacts {
  const { json } = document;
  const hooks = registeredHooks(document, foreign);
  const gates = hooks.filter(({ hook }) => hook === "gate");
  const plugins = memberOf(json.root, "enabledPlugins")?.value;
  const disabled = memberOf(json.root, "disableAllHooks")?.value;
  return {
    events: [...new Set(hooks.filter(({ hook }) => STANDARD_HOOKS.includes(hook)).map(({ event }) => event))],
    portable: hooks.some((hook) => !hook.machinePath && isUsualEvent(hook.event, hook.hook) && !isCustom(hook)),
    gate: gates.some((gate) => isUsualEvent(gate.event, gate.hook) && !isCustom(gate))
      ? "usual"
      : gates.length > 0
        ? "custom"
        : null,
    plugins: new Map(
      plugins?.kind !== "object"
        ? []
        : plugins.elements.map(({ key, value }) => [key ?? "", !(value.kind === "scalar" && value.value === false)]),
    ),
    hooksDisabled: disabled?.kind === "scalar" && disabled.value === true,
    dropped: droppedBy(document),
  };
}
