import { valueOr } from "../base/result.ts";
import { changesBetween, type MachineChange, type SeenMachine } from "../lifecycle/machine-change.ts";
import { machineName, type RoleName, roleOfMachine } from "../lifecycle/role.ts";
import { isFolder } from "../platform/stat-of.ts";
import { folderLooks, type Touched } from "../platform/watch-folders.ts";
import { type HistoryTail, historyTail } from "./history-tail.ts";
import type { MachineError, MachineLook, StoreTurn, WatchMachinesOptions } from "./machine-access.ts";
import { historyRevision, listHistories, listMachines, readMachine } from "./machine-store.ts";
import { HISTORY_SUFFIX, historyPath, MACHINE_SUFFIX, machinePath, type ProjectPaths } from "./paths.ts";
import { type FileMark, markOf } from "./scan-cache.ts";

interface Watched {
  seen: SeenMachine | null;
  tail: HistoryTail | null;
  /** Of the env file when it was read. */
  mark: FileMark | null;
}

/**
 * Looks at the machines: once at the start, without changes, and then whenever a role went from a state to another. What
 * happened in between is read from each role's history, from the revision last seen.
 */
export async function* watchMachines(
  paths: ProjectPaths,
  { roles, signal, retryMs = 0 }: WatchMachinesOptions,
): AsyncGenerator<MachineLook> {
  if (paths.shared !== undefined) {
    yield* paths.shared.watch({ roles, signal, retryMs });
    return;
  }
  const watched = new Map<RoleName, Watched>();
  const problems = new Map<RoleName, MachineError>();
  let first = true;
  let wasThere = true;
  for await (const touched of folderLooks([paths.machines], { signal })) {
    const changes: MachineChange[] = [];
    for (const role of rolesToSee(paths, roles, touched, watched)) {
      const known: Watched = watched.get(role) ?? { seen: null, tail: null, mark: null };
      watched.set(role, known);
      changes.push(...look(paths, role, known, { problems, first }));
    }
    const isThere = isFolder(paths.root);
    const turn: StoreTurn | null =
      isThere === wasThere ? null : { kind: isThere ? "folder" : "no-folder", path: paths.root };
    if (first || changes.length > 0 || turn !== null)
      yield { changes, machines: machinesOf(watched), problems, turn, lost: null };
    first = false;
    wasThere = isThere;
  }
}

function look(
  paths: ProjectPaths,
  role: RoleName,
  known: Watched,
  { problems, first }: { readonly problems: Map<RoleName, MachineError>; readonly first: boolean },
): readonly MachineChange[] {
  // Before the read: a file that changes after it has another mark at the next look.
  const mark = markOf(machinePath(paths, role));
  if (!first && mark === known.mark) return [];
  // State first, history second: a writer does it the other way round, so no line of a state that is seen is missing.
  let machine = readMachine(paths, role);
  const end = machine.ok && machine.value === null ? historyRevision(paths, role) : 0;
  // A machine that was made between the two has lines by now: they are no earlier one's.
  if (machine.ok && machine.value === null) machine = readMachine(paths, role);
  // What could not be read is looked at again though it does not change: too many files may have been open.
  known.mark = machine.ok ? mark : null;
  const from = (after: number): HistoryTail => historyTail(historyPath(paths, machineName(role)), after);
  if (!machine.ok) {
    problems.set(role, machine.error);
    if (first) known.tail = from(historyRevision(paths, role));
    return [];
  }
  problems.delete(role);
  const before = known.seen;
  if (machine.value === null) {
    known.seen = null;
    // There may be no history any more either, and the next one counts from 1 again.
    known.tail = from(end);
    return first ? [] : changesBetween(role, before, null, []);
  }
  const { state, revision } = machine.value.record;
  known.seen = { state, revision };
  // What a role did before the first look is past.
  known.tail ??= from(first ? revision : 0);
  return first ? [] : changesBetween(role, before, known.seen, known.tail.read(revision));
}

function machinesOf(watched: ReadonlyMap<RoleName, Watched>): ReadonlyMap<RoleName, SeenMachine> {
  const machines = new Map<RoleName, SeenMachine>();
  for (const [role, { seen }] of watched) if (seen !== null) machines.set(role, seen);
  return machines;
}

/** The roles that a look is for: those whose files were touched, or all of them, those that are gone among them. */
function rolesToSee(
  paths: ProjectPaths,
  roles: readonly RoleName[] | null,
  touched: Touched,
  watched: ReadonlyMap<RoleName, Watched>,
): Iterable<RoleName> {
  if (touched !== null) {
    const found = new Set<RoleName>();
    for (const name of touched) {
      const role = roleOfFile(name);
      if (role !== null && (roles === null || roles.includes(role))) found.add(role);
    }
    return found;
  }
  if (roles !== null) return roles;
  // A folder that cannot be listed now has lost none of its machines.
  return new Set([...watched.keys(), ...valueOr(listMachines(paths), []), ...listHistories(paths)]);
}

function roleOfFile(name: string): RoleName | null {
  for (const suffix of [MACHINE_SUFFIX, HISTORY_SUFFIX]) {
    if (name.endsWith(suffix)) return roleOfMachine(name.slice(0, -suffix.length));
  }
  return null;
}
