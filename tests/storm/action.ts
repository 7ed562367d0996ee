import type { Random } from "../fuzz/random.ts";
import type { Line } from "./model.ts";

/** How a run of the program ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds of one clock that only grows. */
  readonly began: number;
  readonly ended: number;
}

/** One run of the program, and what it may do to its role's history. */
export interface Action {
  readonly id: number;
  readonly kind: string;
  readonly words: readonly string[];
  readonly role: string;
  /** No other action has it: its transitions are known by it. */
  readonly session: string;
  readonly input: string;
  readonly hook: boolean;
  /** What is wrong with the transitions of a run that ended by itself; null where nothing is. */
  readonly judge: (answer: Answer, lines: readonly Line[]) => string | null;
  /** Sequences of events that the action makes, whole or not at all. */
  readonly shapes: readonly string[];
}

/** What a run said. */
export interface Answer {
  readonly code: number | null;
  readonly json: Readonly<Record<string, unknown>> | null;
  readonly errorCode: string;
  readonly stderr: string;
}

/** Errors with which a command leaves the state as it was. */
const UNTOUCHED = new Set([
  "locked",
  "event-refused",
  "owned-by-another",
  "state-inaccessible",
  "store-unreachable",
  "unwritable",
  "no-machine",
]);

/** The role that each kind of action is for does not matter to it; this many of each are made for one of the last. */
const WEIGHTS: Readonly<Record<string, number>> = {
  save: 6,
  recover: 4,
  check: 3,
  repair: 1,
  init: 1,
  "pre-compact": 4,
  compacted: 3,
  started: 1,
  text: 1,
  status: 2,
  history: 1,
  export: 1,
  validate: 2,
  update: 1,
  gate: 1,
  wait: 2,
};
const BAG = Object.entries(WEIGHTS).flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));

export const STATES = ["active", "saving", "saved", "compacting", "recovering"] as const;

export function makeAction(id: number, role: string, random: Random, root: string): Action {
  const kind = BAG[random.below(BAG.length)] ?? "save";
  const session = `5e551041-0000-4000-8000-${id.toString(16).padStart(12, "0")}`;
  const base = { id, kind, role, session, input: "", hook: false, shapes: [], judge: untouched };
  const over = random.below(4) === 0 ? [] : ["--take-over"];
  const payload = (more: object) => JSON.stringify({ session_id: session, cwd: root, ...more });
  switch (kind) {
    case "save":
      return {
        ...base,
        words: ["lifecycle.save", role, ...over, "--json"],
        shapes: ["SAVE CONTEXT_VALID", "SAVE CONTEXT_INVALID"],
        judge: judgeSave,
      };
    case "check":
      return {
        ...base,
        words: ["lifecycle.pre.compact", role, ...over, "--json"],
        shapes: ["", "SAVE CONTEXT_VALID", "CONTEXT_VALID", "SAVE CONTEXT_INVALID"],
        judge: judgeCheck,
      };
    case "recover":
      return { ...base, words: ["lifecycle.recover", role, "--json"], shapes: ["RECOVERED"], judge: judgeRecover };
    case "text":
      return { ...base, words: ["recover", role, "--json"], shapes: ["RECOVERED"], judge: judgeText };
    case "repair":
      return { ...base, words: ["lifecycle.repair", role, "--json"], shapes: ["", "RECOVERED"], judge: judgeRepair };
    case "init":
      return { ...base, words: ["lifecycle.init", role, "--json"] };
    case "status":
      return { ...base, words: ["lifecycle.status", ...(random.below(2) === 0 ? [role] : []), "--json"] };
    case "history":
      return { ...base, words: ["lifecycle.history", role, "--json"] };
    case "export":
      return { ...base, words: ["lifecycle.export"] };
    case "validate":
      return { ...base, words: ["validate", "--fix", role, "--json"] };
    case "update":
      return { ...base, words: ["resume.update", "24-demo", "--json"] };
    case "wait": {
      const state = random.pick(STATES);
      return { ...base, words: ["lifecycle.wait", role, "--for", state, "--timeout", "3500ms", "--json"] };
    }
    case "pre-compact":
      return {
        ...base,
        words: ["pre-compact", ...(random.below(2) === 0 ? ["--guidance"] : [])],
        hook: true,
        input: payload({ hook_event_name: "PreCompact", trigger: random.below(2) === 0 ? "auto" : "manual" }),
        shapes: [
          "COMPACT",
          "SAVE CONTEXT_VALID COMPACT",
          "CONTEXT_VALID COMPACT",
          "SAVE CONTEXT_INVALID COMPACT",
          "RECOVERED COMPACT",
          "RECOVERED SAVE CONTEXT_VALID COMPACT",
        ],
        judge: judgeHook,
      };
    case "compacted":
    case "started": {
      const source = kind === "compacted" ? "compact" : random.pick(["startup", "resume", "clear"]);
      return {
        ...base,
        words: ["session-start"],
        hook: true,
        input: payload({ hook_event_name: "SessionStart", source }),
        shapes: kind === "compacted" ? ["COMPACTED"] : [""],
        judge: kind === "compacted" ? judgeHook : untouched,
      };
    }
    default:
      return {
        ...base,
        words: ["gate"],
        hook: true,
        input: payload({ hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: { file_path: "a.md" } }),
      };
  }
}

/** The events, without the freeing of a stuck role that comes before them. */
export function eventsOf(lines: readonly Line[]): string {
  const [first] = lines;
  const own = first?.event === "RECOVERED" && first.by.includes("(stuck in ") ? lines.slice(1) : lines;
  return own.map(({ event }) => event).join(" ");
}

function untouched(_answer: Answer, lines: readonly Line[]): string | null {
  return lines.length === 0 ? null : "changed a state";
}

function judgeSave({ code, json, errorCode }: Answer, lines: readonly Line[]): string | null {
  const events = eventsOf(lines);
  if (code === 0) return events === "SAVE CONTEXT_VALID" ? told(json, lines) : "is done, and was not saved";
  if (errorCode.startsWith("context-"))
    return events === "SAVE CONTEXT_INVALID" ? told(json, lines) : "found a bad file, and is not in saving";
  return failedUntouched(errorCode, lines);
}

function judgeCheck({ code, json, errorCode }: Answer, lines: readonly Line[]): string | null {
  const events = eventsOf(lines);
  if (code === 0) {
    return ["", "SAVE CONTEXT_VALID", "CONTEXT_VALID"].includes(events) && json?.state === "saved"
      ? null
      : "says that it is saved";
  }
  if (errorCode.startsWith("context-"))
    return ["", "SAVE CONTEXT_INVALID"].includes(events) ? null : "found a bad file";
  return failedUntouched(errorCode, lines);
}

function judgeRecover({ code, json, errorCode }: Answer, lines: readonly Line[]): string | null {
  if (code === 0) return eventsOf(lines) === "RECOVERED" ? told(json, lines) : "is done, and did not recover";
  return failedUntouched(errorCode, lines);
}

function judgeText({ code, json, errorCode }: Answer, lines: readonly Line[]): string | null {
  if (code !== 0) return errorCode.startsWith("context-") ? untouchedBy(lines) : failedUntouched(errorCode, lines);
  const wanted = json?.state === null ? "" : "RECOVERED";
  return eventsOf(lines) === wanted ? null : "is done, and did not recover";
}

function judgeRepair({ code, json, errorCode }: Answer, lines: readonly Line[]): string | null {
  if (code !== 0) return failedUntouched(errorCode, lines);
  return lines.length > 0 === (json?.repaired === true) ? null : "says something else of the repair than was done";
}

/** A hook says on stderr that it could not change the state, or that it will do so later, and nowhere else. */
function judgeHook({ stderr }: Answer, lines: readonly Line[]): string | null {
  // An event that the machine does not take by then is left out; a compaction's end is taken from every state.
  if (/\bis noted\b/.test(stderr)) return null;
  const refused = /The state of \S+ was not changed/.test(stderr);
  if (refused) return untouchedBy(lines);
  return lines.length > 0 ? null : "says nothing, and changed nothing";
}

function told(json: Answer["json"], lines: readonly Line[]): string | null {
  const last = lines.at(-1);
  const same = json?.revision === last?.revision && json?.state === last?.to;
  return same ? null : `says revision ${json?.revision}, state ${json?.state}; did ${last?.revision}, ${last?.to}`;
}

function failedUntouched(errorCode: string, lines: readonly Line[]): string | null {
  if (!UNTOUCHED.has(errorCode)) return `fails with ${JSON.stringify(errorCode)}`;
  return untouchedBy(lines);
}

function untouchedBy(lines: readonly Line[]): string | null {
  return lines.length === 0 ? null : "says that nothing was changed, and changed the state";
}
