import { chmodSync, mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { advance } from "../../src/lifecycle/advance.ts";
import { parseRole, type RoleName } from "../../src/lifecycle/role.ts";
import type { LifecycleEventType, LifecycleState } from "../../src/lifecycle/states.ts";
import type { TransactionOptions } from "../../src/stores/machine-access.ts";
import { createMachine, transact } from "../../src/stores/machine-store.ts";
import { type ProjectPaths, projectPaths } from "../../src/stores/paths.ts";
import { need } from "../helpers/need.ts";
import { advanced } from "./advanced.ts";

export function role(name = "oosh-expert"): RoleName {
  return need(parseRole(name));
}

/** A project of its own, with its folders. */
export function project(): ProjectPaths {
  const paths = projectPaths(realpathSync(mkdtempSync(join(tmpdir(), "context-test-"))), {});
  // Every user may enter: some tests act as another.
  chmodSync(paths.root, 0o755);
  mkdirSync(paths.machines, { recursive: true });
  mkdirSync(paths.agents, { recursive: true });
  return paths;
}

export const NOW = new Date("2026-02-03T12:15:07.121Z");
export const STRICT: TransactionOptions = { waitMs: 1000, now: NOW, setAside: () => false };

/** The event that leads on from each state, round and round. */
export const ONWARD = {
  active: "SAVE",
  saving: "CONTEXT_VALID",
  saved: "COMPACT",
  compacting: "COMPACTED",
  recovering: "RECOVERED",
} satisfies Record<LifecycleState, LifecycleEventType>;

/** One step onward; a machine that is not there is made. Gives the revision reached. */
export function stepOnward(paths: ProjectPaths, name: RoleName, options: TransactionOptions = STRICT) {
  return transact(paths, name, options, (found, setAside) => {
    const stored = found ?? createMachine(paths, name, options.now);
    const moved = advance(stored.record, [ONWARD[stored.record.state]], {
      at: options.now,
      by: "test",
      sessionId: null,
    });
    if (!moved.ok) throw new Error("refused");
    return { update: advanced(stored, moved.value), result: { revision: moved.value.record.revision, setAside } };
  });
}
