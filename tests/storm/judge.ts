import { readFileSync } from "node:fs";
import type { Action, Answer, Ended } from "./action.ts";
import { eventsOf } from "./action.ts";
import type { ProjectFiles } from "./files.ts";
import { isLine, type Line, replay, sha256 } from "./model.ts";
import type { Store } from "./store.ts";

/** An action that was run. */
export interface Run extends Ended {
  readonly action: Action;
  readonly engine: string;
  /** What was done to it, as a person who repeats it reads it. */
  readonly fault: string;
}

export interface Evidence {
  readonly runs: readonly Run[];
  /** What was run when all else was over. */
  readonly last: readonly Run[];
  readonly store: Store;
  readonly files: ProjectFiles;
  readonly roles: readonly string[];
  /** What one who looked on the whole time was told. */
  readonly watched: { readonly stdout: string; readonly stderr: string };
}

/** Holds what the runs said against what the store says, and both against the model. */
export async function judge(evidence: Evidence): Promise<{ readonly wrong: string[]; readonly transitions: number }> {
  const wrong: string[] = [];
  let transitions = 0;
  const histories = new Map<string, readonly Line[]>();
  for (const role of evidence.roles) {
    const kept = await evidence.store.role(role);
    histories.set(role, kept.lines);
    transitions += kept.lines.length;
    wrong.push(...judgeStore(role, kept, evidence).map((text) => `${role}: ${text}`));
  }
  const all = [...evidence.runs, ...evidence.last];
  for (const run of all) {
    const lines = (histories.get(run.action.role) ?? []).filter(({ session_id }) => session_id === run.action.session);
    for (const text of [...judgeRun(run, lines), ...judgeTold(run, histories)]) {
      wrong.push(`${describe(run)}: ${text}`);
    }
  }
  for (const run of evidence.last) {
    if (run.code !== 0)
      wrong.push(`${describe(run)}: the last command of all does not succeed: ${run.stderr}${run.stdout}`);
  }
  for (const [role, lines] of histories) wrong.push(...judgeOrder(all, lines).map((text) => `${role}: ${text}`));
  wrong.push(...judgeWaits(evidence.runs, histories), ...judgeWatched(evidence, histories));
  const left = evidence.store.left().filter((name) => !/\.lock\.[0-9]+-[^/]+\.tmp$/.test(name));
  if (left.length > 0) wrong.push(`left behind: ${left.join(" ")}`);
  return { wrong, transitions };
}

function describe({ action, engine, fault, code, signal }: Run): string {
  return `run ${action.id} (${engine}: ${action.words.join(" ")}; ${fault}; ended by ${signal ?? code})`;
}

function judgeStore(role: string, kept: Awaited<ReturnType<Store["role"]>>, { files }: Evidence): string[] {
  const { snapshot, lines, broken } = kept;
  if (snapshot === null) return lines.length > 0 || broken > 0 ? ["has a history and no state"] : ["has no machine"];
  if (typeof snapshot === "string") return [snapshot];
  const { end, wrong } = replay(lines);
  if (broken > 0) wrong.push(`${broken} lines of its history are broken`);
  const { sha256: hash, ...facts } = snapshot;
  if (JSON.stringify(end) !== JSON.stringify(facts)) {
    wrong.push(`its history leads to ${JSON.stringify(end)}, its state says ${JSON.stringify(facts)}`);
  }
  if (hash !== sha256(readFileSync(files.contextPath(role), "utf8"))) {
    wrong.push("the hash of the last save is not that of the file");
  }
  return wrong;
}

function judgeRun(run: Run, lines: readonly Line[]): string[] {
  const { action, code, signal, stdout, stderr } = run;
  const wrong: string[] = [];
  const events = eventsOf(lines);
  const whole = lines.every(({ revision }, index) => index === 0 || revision === (lines[index - 1]?.revision ?? 0) + 1);
  if (!whole) wrong.push(`its transitions are not one after the other: ${JSON.stringify(lines)}`);
  const noted = lines.some(({ by }) => by.endsWith(" (noted)"));
  if (lines.length > 0 && !noted && !action.shapes.includes(events) && action.kind.includes(".") === false) {
    wrong.push(`has made ${events}`);
  }
  if (/fault of|\bat .*:\d+:\d+\)?$/m.test(stderr)) wrong.push(`reports a fault: ${stderr}`);
  if (signal !== null) return wrong;
  const interrupted = action.kind === "wait" && (code === 130 || code === 143);
  if (!interrupted && ![0, 1, 3, 4].includes(code ?? -1)) wrong.push(`ends with ${code}: ${stderr}`);
  if (action.hook) {
    if (code !== 0) wrong.push(`is a hook and ends with ${code}`);
    const empty = stdout === "" || action.words.includes("--guidance");
    if (!empty && parse(stdout) === null) wrong.push(`is a hook and prints ${stdout.slice(0, 200)}`);
  }
  const json = parse(stdout);
  if (action.words.includes("--json")) {
    if (json === null || json.schema_version === undefined) wrong.push(`prints no document: ${stdout.slice(0, 200)}`);
    else if ((json.ok === true) !== (code === 0)) wrong.push(`says ok ${json.ok} and ends with ${code}`);
  }
  const answer: Answer = { code, json, errorCode: errorOf(json), stderr };
  if (action.kind === "compacted" && /\bis noted\b/.test(stderr) && events !== "COMPACTED")
    wrong.push(`was noted, and made [${events}]`);
  // A server that is lost in the middle of a step cannot be asked whether it did it.
  if (`${stdout}${stderr}`.includes("is not known")) return wrong;
  const verdict = action.judge(answer, lines);
  if (verdict !== null) wrong.push(`${verdict}; it made [${events}] and says ${stdout.slice(0, 600)}${stderr}`);
  return wrong;
}

/** What was told once, of a transition that happened, is so for ever. */
function judgeTold(run: Run, histories: ReadonlyMap<string, readonly Line[]>): string[] {
  const json = run.signal === null ? parse(run.stdout) : null;
  if (json === null || run.code !== 0) return [];
  const wrong: string[] = [];
  const compare = (role: string, entries: readonly unknown[]): void => {
    const lines = histories.get(role) ?? [];
    for (const [index, entry] of entries.filter(isLine).entries()) {
      const line = lines[index];
      if (line?.revision !== entry.revision || line.event !== entry.event || line.session_id !== entry.session_id) {
        wrong.push(`was told of ${JSON.stringify(entry)}; there is ${JSON.stringify(line)}`);
      }
    }
  };
  if (run.action.kind === "history" && Array.isArray(json.entries)) compare(run.action.role, json.entries);
  if (run.action.kind === "export" && Array.isArray(json.machines)) {
    for (const { role, revision, history } of json.machines) {
      compare(role, history);
      if (history.length !== revision) wrong.push(`exports ${history.length} lines of ${role} at revision ${revision}`);
    }
  }
  if (run.action.kind === "status" && Array.isArray(json.roles)) {
    for (const { role, state, revision, problem } of json.roles) {
      if (problem !== null) wrong.push(`was told of ${role}: ${JSON.stringify(problem)}`);
      const line = (histories.get(role) ?? [])[revision - 1];
      if (state !== null && state !== (revision === 0 ? "active" : line?.to)) {
        wrong.push(`was told that ${role} is ${state} at revision ${revision}; there is ${JSON.stringify(line)}`);
      }
    }
  }
  return wrong;
}

/** A run that began when another one had ended comes after it. */
function judgeOrder(runs: readonly Run[], lines: readonly Line[]): string[] {
  const bySession = new Map(runs.map((run) => [run.action.session, run]));
  const wrong: string[] = [];
  let latest: Run | null = null;
  for (const line of lines) {
    const run = bySession.get(line.session_id ?? "");
    // What was noted is told when there is somebody to tell it to.
    if (line.by.endsWith(" (noted)")) continue;
    if (run === undefined) {
      wrong.push(`revision ${line.revision} was made by nobody: ${JSON.stringify(line)}`);
      continue;
    }
    if (latest !== null && run.ended < latest.began) {
      wrong.push(
        `revision ${line.revision} of ${describe(run)} comes after one of ${describe(latest)}, which began later`,
      );
    }
    if (latest === null || run.began > latest.began) latest = run;
  }
  return wrong;
}

/** Milliseconds that a busy machine takes to start a program, and to look again. */
const SLOW = { start: 1500, look: 1000 };

function judgeWaits(runs: readonly Run[], histories: ReadonlyMap<string, readonly Line[]>): string[] {
  const bySession = new Map(runs.map((run) => [run.action.session, run]));
  return runs.flatMap((run) => {
    if (run.action.kind !== "wait" || run.signal !== null || run.fault.includes("SIGSTOP")) return [];
    const [, role = "", , wanted] = run.action.words;
    const lines = histories.get(role) ?? [];
    if (run.code === 3) {
      const missed = lines.find(({ to, by, session_id }) => {
        // What was noted is told at some other time.
        if (by.endsWith(" (noted)")) return false;
        const cause = bySession.get(session_id ?? "");
        if (cause === undefined || to !== wanted) return false;
        return cause.began > run.began + SLOW.start && cause.ended < run.ended - SLOW.look;
      });
      return missed === undefined ? [] : [`${describe(run)}: waited in vain for ${JSON.stringify(missed)}`];
    }
    const json = parse(run.stdout);
    const [seen] = Array.isArray(json?.roles) ? json.roles : [];
    if (run.code !== 0 || seen === undefined) return [];
    const line = lines[seen.reached_revision - 1];
    const state = seen.reached_revision === 0 ? "active" : line?.to;
    return state === wanted && seen.reached_state === wanted ? [] : [`${describe(run)}: was told ${run.stdout}`];
  });
}

function judgeWatched({ watched }: Evidence, histories: ReadonlyMap<string, readonly Line[]>): string[] {
  const seen = new Map<string, string[]>();
  for (const row of watched.stdout.split("\n").slice(0, -1)) {
    const change = parse(row);
    if (change === null) return [`who looked on was told ${row}`];
    // A machine that is made has no transition.
    if (change.event === null) continue;
    const role = String(change.role);
    seen.set(role, [...(seen.get(role) ?? []), `${change.revision} ${change.event} ${change.to}`]);
  }
  const wrong: string[] = [];
  for (const [role, lines] of histories) {
    const happened = lines.map(({ revision, event, to }) => `${revision} ${event} ${to}`);
    const told = seen.get(role) ?? [];
    const at = happened.findIndex((text, index) => text !== told[index]);
    if (happened.length !== told.length || at !== -1) {
      wrong.push(
        `${role}: who looked on was told ${told.length} of ${happened.length}, first other one ${at}: ${happened[at]} and ${told[at]}`,
      );
    }
  }
  return wrong;
}

function errorOf(json: Readonly<Record<string, unknown>> | null): string {
  const error = json?.error;
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
