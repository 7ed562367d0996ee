import * as fc from "fast-check";
import { type MachineName, machineName, parseRole, type RoleName } from "../../src/lifecycle/role.ts";
import { formatMachine, type MachineRecord, newMachine, type StoredMachine } from "../../src/lifecycle/snapshot.ts";
import { LIFECYCLE_EVENTS, LIFECYCLE_STATES } from "../../src/lifecycle/states.ts";
import { need } from "../helpers/need.ts";

export function role(name = "oosh-expert"): RoleName {
  return need(parseRole(name));
}

export const MACHINE: MachineName = machineName(role());
export const CREATED = "2026-02-03T12:15:07.120Z";

export function stored(changes: Partial<MachineRecord> = {}): StoredMachine {
  const fresh = newMachine(role(), CREATED);
  return { ...fresh, record: { ...fresh.record, ...changes } };
}

/** Every field set, so that a lost one shows. */
export const FULL: Partial<MachineRecord> = {
  state: "saved",
  previous: "saving",
  event: "CONTEXT_VALID",
  since: "2026-02-03T12:15:07.120Z",
  revision: 17,
  compactions: 14,
  unsaved: true,
  contextSha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  savedAt: "2026-02-03T12:15:07.120Z",
  recoveredAt: "2026-02-03T11:00:00.000Z",
  sessionId: "b9ff7b48-ef86-4ef0-86d3-7835c69ec06b",
  ownedSince: "2026-02-03T10:00:00.000Z",
  ownerProcess: "4242/98765/6f1c/a host's name",
  ownerPane: "%4@1234",
  ownerBefore: "0e1f7b48-ef86-4ef0-86d3-7835c69ec06b",
  branch: "feature/it's $(touch x)",
  commit: "0123456789abcdef0123456789abcdef01234567",
};

export const fullText = (): string => formatMachine(stored(FULL));

const time = fc
  .date({ min: new Date("2000-01-01T00:00:00Z"), max: new Date("2100-01-01T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const text = fc.string({ unit: "binary", minLength: 1 }).map((value) => value.replaceAll("\0", "x"));
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

export const anyRecord: fc.Arbitrary<MachineRecord> = fc.record({
  role: fc.constant(role()),
  state: fc.constantFrom(...LIFECYCLE_STATES),
  previous: orNull(fc.constantFrom(...LIFECYCLE_STATES)),
  event: orNull(fc.constantFrom(...LIFECYCLE_EVENTS)),
  since: time,
  revision: fc.nat(),
  compactions: fc.nat(),
  unsaved: fc.boolean(),
  contextSha256: orNull(fc.stringMatching(/^[0-9a-f]{64}$/)),
  savedAt: orNull(time),
  recoveredAt: orNull(time),
  sessionId: orNull(text),
  ownedSince: orNull(time),
  ownerProcess: orNull(text),
  ownerPane: orNull(text),
  ownerBefore: orNull(text),
  branch: orNull(text),
  commit: orNull(text),
});
