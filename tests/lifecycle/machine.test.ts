import { expect, test } from "vitest";
import { createActor } from "xstate";
import { adjacencyMapToArray, getAdjacencyMap, getShortestPaths, getSimplePaths } from "xstate/graph";
import { applyEvent } from "../../src/lifecycle/apply-event.ts";
import { lifecycleMachine } from "../../src/lifecycle/machine.ts";
import { refusalText } from "../../src/lifecycle/refusal.ts";
import { LIFECYCLE_EVENTS, LIFECYCLE_STATES, type LifecycleState } from "../../src/lifecycle/states.ts";
import { need } from "../helpers/need.ts";

/** The contract's own words: a line for each sentence about edges, `*` for "from every state". */
const CONTRACT = `
active --SAVE--> saving
saving --CONTEXT_VALID--> saved
saved --COMPACT--> compacting
compacting --COMPACTED--> recovering
recovering --RECOVERED--> active
saving --CONTEXT_INVALID--> saving
saving --SAVE--> saving
saved --SAVE--> saving
recovering --SAVE--> saving
saving --RESUME--> active
saved --RESUME--> active
active --COMPACT--> compacting
saving --COMPACT--> compacting
* --RECOVERED--> active
* --COMPACTED--> recovering
`;

const EDGES = new Map<string, string>();
for (const [, from, event, to] of CONTRACT.matchAll(/^(\S+) --(\w+)--> (\w+)$/gm)) {
  for (const state of from === "*" ? LIFECYCLE_STATES : [from]) EDGES.set(`${state} ${event}`, to ?? "");
}

const PAIRS = LIFECYCLE_STATES.flatMap((state) => LIFECYCLE_EVENTS.map((event) => ({ state, event })));

test("the contract speaks of every state and every event", () => {
  for (const state of LIFECYCLE_STATES) expect([...EDGES.values()]).toContain(state);
  for (const event of LIFECYCLE_EVENTS) expect([...EDGES.keys()].some((key) => key.endsWith(` ${event}`))).toBe(true);
  expect(EDGES.size).toBe(21);
});

test.each(PAIRS)("in $state the event $event does what the contract says", ({ state, event }) => {
  const point = { state, context: { compactions: 3, unsaved: false } };
  const result = applyEvent(point, event);
  const wanted = EDGES.get(`${state} ${event}`);
  if (wanted === undefined) {
    const allowed = LIFECYCLE_EVENTS.filter((other) => EDGES.has(`${state} ${other}`));
    expect(result).toEqual({ ok: false, error: { state, event, allowed } });
    expect(allowed.length).toBeGreaterThan(0);
  } else {
    expect(result.ok ? result.value.state : result.error).toBe(wanted);
  }
});

test("a refusal names the state, the event and what is allowed", () => {
  const refused = applyEvent({ state: "compacting", context: { compactions: 0, unsaved: false } }, "SAVE");
  expect(refused.ok ? "" : refusalText(refused.error)).toBe(
    'The machine is in "compacting" and does not take SAVE there; it takes COMPACTED, RECOVERED.',
  );
});

/** The graph's own first step has an event of its own. */
const isOurs = (type: string): boolean => LIFECYCLE_EVENTS.some((event) => event === type);

/** Without the count, which has no end. */
const OPTIONS = {
  events: LIFECYCLE_EVENTS.map((type) => ({ type })),
  serializeState: (snapshot: { value: unknown; context: { unsaved: boolean } }) =>
    `${String(snapshot.value)} ${snapshot.context.unsaved}`,
};

test("every state is reached, and the shortest way to each is the loop's", () => {
  const paths = getShortestPaths(lifecycleMachine, OPTIONS);
  const ways = new Map<string, string[]>();
  for (const path of paths) {
    const state = String(path.state.value);
    const events = path.steps.map((step) => step.event.type).filter(isOurs);
    const known = ways.get(state);
    if (known === undefined || events.length < known.length) ways.set(state, events);
  }
  expect(Object.fromEntries(ways)).toEqual({
    active: [],
    saving: ["SAVE"],
    saved: ["SAVE", "CONTEXT_VALID"],
    compacting: ["COMPACT"],
    recovering: ["COMPACTED"],
  });
});

test("on every simple path each step is an edge of the contract, and all edges are walked", () => {
  const walked = new Set<string>();
  for (const path of getSimplePaths(lifecycleMachine, OPTIONS)) {
    let before: string = "active";
    for (const step of path.steps) {
      if (!isOurs(step.event.type)) continue;
      const edge = `${before} ${step.event.type}`;
      expect(EDGES.get(edge)).toBe(String(step.state.value));
      before = String(step.state.value);
    }
  }
  for (const { state, event, nextState } of adjacencyMapToArray(getAdjacencyMap(lifecycleMachine, OPTIONS))) {
    const edge = `${String(state.value)} ${event.type}`;
    if (EDGES.get(edge) === String(nextState.value)) walked.add(edge);
  }
  expect([...walked].sort()).toEqual([...EDGES.keys()].sort());
});

test("every state leads back to active in one step", () => {
  for (const state of LIFECYCLE_STATES) {
    const back = applyEvent({ state, context: { compactions: 0, unsaved: true } }, "RECOVERED");
    expect(back.ok && back.value.state).toBe("active");
  }
});

function after(start: LifecycleState, events: readonly (typeof LIFECYCLE_EVENTS)[number][]) {
  let point = { state: start, context: { compactions: 0, unsaved: false } };
  for (const event of events) {
    const next = need(applyEvent(point, event));
    point = next;
  }
  return point.context;
}

test.each([
  ["announced and done", ["COMPACT", "COMPACTED"], 1, true],
  ["announced and never done", ["COMPACT", "RECOVERED"], 1, true],
  ["done without a word before", ["COMPACTED"], 1, true],
  ["after a good save", ["SAVE", "CONTEXT_VALID", "COMPACT", "COMPACTED"], 1, false],
  ["after a good save, without a word before", ["SAVE", "CONTEXT_VALID", "COMPACTED"], 1, false],
  ["in the middle of a save", ["SAVE", "COMPACT"], 1, true],
  ["in the middle of a save, without a word before", ["SAVE", "COMPACTED"], 1, true],
  ["after a save that was not good", ["SAVE", "CONTEXT_INVALID", "COMPACT"], 1, true],
  ["after a good save that work went on from", ["SAVE", "CONTEXT_VALID", "RESUME", "COMPACT"], 1, true],
  ["twice", ["COMPACT", "COMPACTED", "RECOVERED", "SAVE", "CONTEXT_VALID", "COMPACT", "COMPACTED"], 2, false],
  ["twice without a recovery", ["COMPACT", "COMPACTED", "COMPACTED"], 2, true],
  ["made good by a later save", ["COMPACT", "COMPACTED", "SAVE", "CONTEXT_VALID"], 1, false],
] as const)("counts a compaction once and knows whether it was saved: %s", (_name, events, compactions, unsaved) => {
  expect(after("active", events)).toEqual({ compactions, unsaved });
});

test("an actor of the machine begins active, with nothing counted, or with what it is given", () => {
  const begun = (input: { compactions?: number; unsaved?: boolean }) =>
    createActor(lifecycleMachine, { input }).getSnapshot();
  expect(lifecycleMachine.id).toBe("lifecycle");
  expect(begun({})).toMatchObject({ value: "active", context: { compactions: 0, unsaved: false } });
  expect(begun({ compactions: 3, unsaved: true })).toMatchObject({ context: { compactions: 3, unsaved: true } });
});
