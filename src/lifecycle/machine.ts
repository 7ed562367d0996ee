import { assign, setup } from "xstate";
import type { LifecycleContext, LifecycleEvent } from "./states.ts";

/**
 * Where a role stands between working and having lost its memory.
 *
 * The loop is active, saving, saved, compacting, recovering, active. The other edges are what real use needs: a save is
 * tried again, work goes on without a compaction, and the client compacts whether or not the agent has saved.
 * `COMPACTED` is taken from every state, since the compaction did happen; so is `RECOVERED`, the way out of everything.
 */
export const lifecycleMachine = setup({
  types: {
    context: {} as LifecycleContext,
    events: {} as LifecycleEvent,
    input: {} as Partial<LifecycleContext>,
  },
  actions: {
    markSaved: assign({ unsaved: false }),
    markUnsaved: assign({ unsaved: true }),
    countCompaction: assign({ compactions: ({ context }) => context.compactions + 1 }),
  },
}).createMachine({
  id: "lifecycle",
  initial: "active",
  context: ({ input }) => ({ compactions: 0, unsaved: false, ...input }),
  on: {
    COMPACTED: { target: ".recovering", actions: ["countCompaction"] },
    RECOVERED: { target: ".active" },
  },
  states: {
    active: {
      on: {
        SAVE: "saving",
        COMPACT: { target: "compacting", actions: ["markUnsaved", "countCompaction"] },
        COMPACTED: { target: "recovering", actions: ["markUnsaved", "countCompaction"] },
      },
    },
    saving: {
      on: {
        SAVE: "saving",
        CONTEXT_VALID: { target: "saved", actions: ["markSaved"] },
        CONTEXT_INVALID: "saving",
        RESUME: "active",
        COMPACT: { target: "compacting", actions: ["markUnsaved", "countCompaction"] },
        COMPACTED: { target: "recovering", actions: ["markUnsaved", "countCompaction"] },
      },
    },
    saved: {
      on: {
        SAVE: "saving",
        RESUME: "active",
        COMPACT: { target: "compacting", actions: ["countCompaction"] },
      },
    },
    compacting: {
      on: {
        // Counted when it began.
        COMPACTED: "recovering",
      },
    },
    recovering: {
      on: {
        SAVE: "saving",
      },
    },
  },
});
