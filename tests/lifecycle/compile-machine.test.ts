import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEvent } from "../../src/lifecycle/apply-event.ts";
import { applyTable } from "../../src/lifecycle/apply-table.ts";
import { compileMachine } from "../../src/lifecycle/compile-machine.ts";
import { LIFECYCLE_EVENTS, LIFECYCLE_STATES } from "../../src/lifecycle/states.ts";

test("the table that the bundles hold answers as the machine does, in every state, to every event", () => {
  const table = compileMachine();
  const context = fc.record({ compactions: fc.nat(), unsaved: fc.boolean() });
  fc.assert(
    fc.property(
      fc.constantFrom(...LIFECYCLE_STATES),
      fc.constantFrom(...LIFECYCLE_EVENTS),
      context,
      (state, event, context) => {
        expect(applyTable(table, { state, context }, event)).toEqual(applyEvent({ state, context }, event));
      },
    ),
    { numRuns: 2000 },
  );
});
