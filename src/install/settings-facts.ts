import { type Position, positionAt } from "../base/source-text.ts";
import { memberOf } from "./json-tree.ts";
import { registeredHooks, type SettingsDocument } from "./settings-document.ts";

export interface SettingsFacts {
  /** The events at which the file registers hooks of ours. */
  readonly events: readonly string[];
  /** Plugins that the file switches on or off, by their whole name. */
  readonly plugins: ReadonlyMap<string, boolean>;
  readonly hooksDisabled: boolean;
  /** What plain JSON does not know: the client drops a file that holds it (measured on 2.1.332). */
  readonly extension: { readonly position: Position; readonly what: string } | null;
}

/** What else has to be known of a settings file before hooks are registered. */
export function settingsFacts(document: SettingsDocument, foreign: ReadonlySet<string>): SettingsFacts {
  const { json, source } = document;
  const plugins = memberOf(json.root, "enabledPlugins")?.value;
  const disabled = memberOf(json.root, "disableAllHooks")?.value;
  return {
    events: [...new Set(registeredHooks(document, foreign).map(({ event }) => event))],
    plugins: new Map(
      plugins?.kind !== "object"
        ? []
        : plugins.elements.map(({ key, value }) => [key ?? "", !(value.kind === "scalar" && value.value === false)]),
    ),
    hooksDisabled: disabled?.kind === "scalar" && disabled.value === true,
    extension:
      json.extension === null
        ? null
        : { position: positionAt(source, json.extension.offset), what: json.extension.what },
  };
}
