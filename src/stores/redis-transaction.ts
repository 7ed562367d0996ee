import { err, ok, type Result } from "../base/result.ts";
import { machineName, type RoleName } from "../lifecycle/role.ts";
import { formatMachine, type StoredMachine } from "../lifecycle/snapshot.ts";
import { monotonicMs } from "../platform/clock.ts";
import type { MachineError, MachineUpdate, MachineWork } from "./machine-access.ts";
import type { RedisImage } from "./redis-image.ts";
import { WRITE_MACHINE } from "./redis-script.ts";
import { corruptName } from "./set-aside.ts";
import type { SharedTransactionOptions } from "./shared-machines.ts";

/** Wakes who waits; what happened is read from the histories, so nothing is lost with what is cut off. */
const FEED_LENGTH = 1000;
/** A note that has not been told after so long tells nothing any more. */
const ONCE_SECONDS = 90 * 24 * 60 * 60;
/** The most that a process waits before it tries again what another one was faster with. */
const PAUSE_MS = 20;

/** One step of a role's machine: what `work` decides is written, and decided again where another process was faster. */
export async function transactInRedis<T>(
  image: RedisImage,
  role: RoleName,
  asked: SharedTransactionOptions,
  work: MachineWork<T>,
): Promise<Result<T, MachineError>> {
  const { keys, shown } = image;
  const began = monotonicMs();
  let kept: string | null = null;
  for (let attempt = 1; ; attempt++) {
    const fetched = await image.fetchOne(role);
    if (!fetched.ok) return fetched;
    const current = image.read(role);
    let outcome: Result<Written, MachineError>;
    if (!current.ok) {
      if (!asked.setAside(current.error)) return current;
      const name = corruptName(machineName(role), asked.now);
      outcome = await write(image, role, asked, { text: "", update: null, setAside: name });
      if (!outcome.ok) return outcome;
      if (outcome.value === "done") kept = `${shown} ${keys.setAside} ${name}`;
    } else {
      const { update, result } = work(goneOn(current.value, image.lastRevision(role) ?? 0), kept);
      if (update === null) return ok(result);
      outcome = await write(image, role, asked, { text: formatMachine(update.stored), update, setAside: "" });
      if (!outcome.ok) return outcome;
      if (outcome.value !== "changed") return ok(result);
    }
    const waitedMs = Math.round(monotonicMs() - began);
    if (waitedMs > asked.waitMs) {
      const message = `was changed by others at each of ${attempt} attempts, for ${waitedMs} ms`;
      return err({ problem: "locked", path: image.place(role), message });
    }
    // Who was slower once would be so again, in step with the others.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(attempt, PAUSE_MS)));
  }
}

/** What is to stand in place of a machine: its text, or nothing, where the old text is set aside under a name. */
interface Change {
  readonly text: string;
  readonly update: MachineUpdate | null;
  readonly setAside: string;
}

type Written = "done" | "changed" | "before";

/** Writes one machine if it still is what was fetched: `changed` where it is not, `before` where the step was done already. */
async function write(
  image: RedisImage,
  role: RoleName,
  { once }: SharedTransactionOptions,
  change: Change,
): Promise<Result<Written, MachineError>> {
  const { keys, shown } = image;
  const machine = machineName(role);
  const lines = (change.update?.history ?? []).flatMap((entry) => [String(entry.revision), JSON.stringify(entry)]);
  const reply = await image.send([
    "EVAL",
    WRITE_MACHINE,
    "5",
    keys.machines,
    keys.history(machine),
    keys.feed,
    keys.setAside,
    keys.once(once ?? "none"),
    machine,
    image.textOf(role),
    change.text,
    once === undefined || change.setAside !== "" ? "0" : String(ONCE_SECONDS),
    change.setAside,
    String(FEED_LENGTH),
    ...lines,
  ]);
  const unknown = `; whether the step of ${role} was done is not known`;
  if (!reply.ok) {
    const error = image.unreachable(reply.error);
    // An answer says that nothing was written.
    return err(reply.error.kind === "lost" ? { ...error, message: error.message + unknown } : error);
  }
  if (reply.value === 0) return ok("changed");
  if (reply.value === 2) return ok("before");
  if (reply.value !== 1) {
    return err({ problem: "unreachable", path: shown, message: `gives another answer than its script${unknown}` });
  }
  image.setText(role, change.text);
  return ok("done");
}

/** A machine that was put back to an earlier day goes on where its history ends. */
function goneOn(stored: StoredMachine | null, end: number): StoredMachine | null {
  if (stored === null || stored.record.revision >= end) return stored;
  return { ...stored, record: { ...stored.record, revision: end } };
}
