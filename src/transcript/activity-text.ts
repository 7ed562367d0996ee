import { stringAt } from "../base/json-value.ts";
import type { Activity } from "./activity.ts";
import { redact } from "./redact.ts";

const SHOWN = 120;
// Redacted before it is cut: a secret that the cut splits would no longer be known for one.
const LOOKED_AT = 4_096;

/** An activity that is evidence in one short line for people, secrets taken out. */
export function activityText(activity: Activity, redactPatterns: readonly RegExp[] = []): string {
  const line = redact(sayingOf(activity).slice(0, LOOKED_AT), redactPatterns).replace(/\s+/g, " ").trim();
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

function sayingOf(activity: Activity): string {
  if (activity.kind === "slash-command") return `/${activity.name} ${activity.args}`;
  // What has no text of its own is no evidence of anything.
  if (activity.kind !== "tool-call") return "text" in activity ? activity.text : activity.kind;
  const said = KEYS.flatMap((key) => stringAt(activity.input, key) ?? []);
  return [activity.name, ...said].join(" ");
}

const KEYS = [
  "file_path",
  "notebook_path",
  "command",
  "skill",
  "pattern",
  "path",
  "args",
  "description",
  "prompt",
] as const;
