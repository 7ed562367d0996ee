import { isObject, isTextList, parseJson } from "../../base/json-value.ts";
import { machineName, type RoleName } from "../../lifecycle/role.ts";
import { type MachineRecord, parseMachine } from "../../lifecycle/snapshot.ts";
import type { StepDone } from "./step-plan.ts";

/** A step that the native program took before it handed the command over; Node, which begins anew, tells it and takes none. */
export type KeptStep = Omit<StepDone<unknown>, "value">;

/** The step in such a text, which `keptText` of `step.ts` wrote; null where it is another command's, or another role's. */
export function parseKept(text: string, role: RoleName, by: string): KeptStep | null {
  const value = parseJson(text);
  if (!isObject(value)) return null;
  const fields: Partial<Record<keyof KeptStep | "by", unknown>> = value;
  const { created, way, notes, foreignOwner } = fields;
  const [before, start, after] = [fields.before, fields.start, fields.after].map((each) => recordIn(each, role));
  if (fields.by !== by || !before || !start || !after || !isTextList(way) || !isTextList(notes)) return null;
  if (typeof created !== "boolean" || (foreignOwner !== null && typeof foreignOwner !== "string")) return null;
  return { created, before, start, after, way, notes, foreignOwner };
}

function recordIn(text: unknown, role: RoleName): MachineRecord | null {
  if (typeof text !== "string") return null;
  const parsed = parseMachine(text, machineName(role));
  return parsed.ok ? parsed.value.record : null;
}
