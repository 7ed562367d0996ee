import { err, type Result } from "../base/result.ts";
import type { HistoryEntry } from "../lifecycle/advance.ts";
import type { RoleName } from "../lifecycle/role.ts";
import type { StoredMachine } from "../lifecycle/snapshot.ts";
import type {
  MachineError,
  MachineLook,
  MachineWork,
  StoreTurn,
  TransactionOptions,
  WatchMachinesOptions,
} from "./machine-access.ts";

export interface SharedTransactionOptions extends TransactionOptions {
  /** Names the step: one of a name that was done before is not done again. */
  readonly once?: string | undefined;
}

/**
 * Machines that are kept in a server which several hosts share. Reads give what was last fetched; `machine-store.ts`
 * asks here where the project's paths have such a store.
 */
export interface SharedMachines {
  /** False: there is nothing to be had, and every answer says why. */
  readonly connected: boolean;
  /** The server's address as anybody may see it; the variable's name where it holds none. */
  readonly shown: string;
  /** Why it cannot be used; null where it can. */
  readonly trouble: StoreTrouble | null;
  /** What becomes of a step that does not reach the server: a hook's is noted for later. */
  readonly offline: "fail" | "note";
  /** The place of a role's machine, for a message. */
  readonly place: (role: RoleName) => string;
  /** The command that takes a role's machine away, for a message: this program has none. */
  readonly removal: (role: RoleName) => string;
  readonly read: (role: RoleName) => Result<StoredMachine | null, MachineError>;
  readonly list: () => Result<readonly RoleName[], { path: string; message: string }>;
  /** Of roles whose histories were fetched. */
  readonly history: (
    role: RoleName,
    reached: number | null,
  ) => Result<{ entries: readonly HistoryEntry[]; broken: number }, MachineError>;
  readonly historyRevision: (role: RoleName) => number;
  /** Fetches the machines again, over another connection where the first one is lost: one attempt. */
  readonly refresh: () => Promise<Result<void, MachineError>>;
  /** Fetches histories, of every role that has a machine where none is named. */
  readonly fetchHistories: (roles: readonly RoleName[] | null) => Promise<Result<void, MachineError>>;
  readonly transact: <T>(
    role: RoleName,
    options: SharedTransactionOptions,
    work: MachineWork<T>,
  ) => Promise<Result<T, MachineError>>;
  readonly watch: (options: WatchMachinesOptions) => AsyncGenerator<MachineLook>;
  /** Fetches again whenever something may have changed: roles that did, or null for any. */
  readonly looks: (options: LooksOptions) => AsyncGenerator<SharedLook>;
  /** Asks the server for what it may forget; null where it says nothing of it. */
  readonly durability: () => Promise<Durability | null>;
  readonly close: () => void;
}

export interface Durability {
  /** By what rule it deletes what has no end of its own when its memory is full; null where it deletes nothing. */
  readonly evicts: string | null;
  /** Whether anything is there after a restart; null where that is not told. */
  readonly survives: boolean | null;
}

export interface StoreTrouble {
  /** What is wrong: the variable, the project's name, a missing package, a certificate, what the server allows, or the way to it. */
  readonly kind: "address" | "unnamed" | "library" | "certificate" | "refused" | "unreachable";
  /** A sentence. */
  readonly message: string;
  /** One way out. */
  readonly hint: string;
}

export interface LooksOptions {
  readonly signal: AbortSignal;
  /** Everything is looked at again after so many milliseconds. */
  readonly rescanMs?: number;
  /** The least time between two looks, in milliseconds. */
  readonly gapMs?: number;
  /** For how long a store that is lost is tried again, in milliseconds; not at all where it is left out. */
  readonly retryMs?: number;
}

export interface SharedLook {
  readonly touched: ReadonlySet<RoleName> | null;
  /** Whether the store was lost, or is there again, since the look before. While it is gone there is nothing to look at. */
  readonly turn: StoreTurn | null;
  /** Why there will be no further look; null as long as there is one. */
  readonly lost: MachineError | null;
}

/** Stands for a store that is not there for this command: it is never taken for one without machines. */
export function awayMachines(
  error: MachineError,
  offline: SharedMachines["offline"],
  trouble: StoreTrouble | null = null,
): SharedMachines {
  const away = err(error);
  return {
    connected: false,
    shown: error.path,
    trouble,
    offline,
    place: () => error.path,
    removal: () => "",
    read: () => away,
    list: () => away,
    history: () => away,
    historyRevision: () => 0,
    refresh: async () => away,
    fetchHistories: async () => away,
    transact: async () => away,
    async *watch() {
      yield { changes: [], machines: new Map(), problems: new Map(), turn: null, lost: error };
    },
    async *looks() {
      yield { touched: null, turn: null, lost: error };
    },
    durability: async () => null,
    close: () => undefined,
  };
}
