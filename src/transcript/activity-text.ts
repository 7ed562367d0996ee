import { stringAt } from "../base/json-value.ts";
import type { Activity } from "./activity.ts";
import { redact } from "./redact.ts";

const SHOWN = 120;
// Redacted before it is cut: a secret that the cut splits would no longer be known for one.
const LOOKED_AT = 4_096;

/** An activity in one short line for people, secrets taken out. */
export function activityText(activity: Activity, redactPatterns: readonly RegExp[] = []): string {
  const line = redact(sayingOf(activity).slice(0, LOOKED_AT), redactPatterns).replace(/\s+/g, " ").trim();
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

function sayingOf(activity: Activity): string {
  switch (activity.kind) {
    case "tool-call": {
      const keys = [
        "file_path",
        "notebook_path",
        "command",
        "skill",
        "pattern",
        "path",
        "args",
        "description",
        "prompt",
      ];
      const said = keys.flatMap((key) => stringAt(activity.input, key) ?? []);
      return [activity.name, ...said].join(" ");
    }
    case "slash-command":
      return `/${activity.name} ${activity.args}`;
    case "prompt":
    case "assistant-text":
    case "compact-summary":
      return activity.text;
    case "compact-boundary":
      return `compaction (${activity.trigger ?? "unknown trigger"})`;
    case "interruption":
      return "interrupted by the person";
    case "task-notification":
      return `sub-agent ${activity.status ?? "reported"}`;
    default:
      return activity satisfies never;
  }
}
