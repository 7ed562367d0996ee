import { compileMachine } from "./compile-machine.ts";
import { LIFECYCLE_EVENTS, LIFECYCLE_STATES, type LifecycleEventType, type LifecycleState } from "./states.ts";

export interface MachineGraph {
  readonly nodes: readonly { readonly id: LifecycleState; readonly initial: boolean }[];
  /** One for each pair of states, with every event that leads from the one to the other. */
  readonly edges: readonly {
    readonly from: LifecycleState;
    readonly to: LifecycleState;
    readonly events: readonly LifecycleEventType[];
  }[];
}

/** The machine's states and edges, each in the order of the table of states. */
export function machineGraph(): MachineGraph {
  const table = compileMachine();
  const edges = LIFECYCLE_STATES.flatMap((from) =>
    LIFECYCLE_STATES.flatMap((to) => {
      const events = LIFECYCLE_EVENTS.filter((event) => table[from][event]?.to === to);
      return events.length === 0 ? [] : [{ from, to, events }];
    }),
  );
  return { nodes: LIFECYCLE_STATES.map((id) => ({ id, initial: id === INITIAL })), edges };
}

/** A machine begins here; a test holds it to the machine's own word. */
const INITIAL: LifecycleState = "active";

/** The machine as a Mermaid state diagram, which GitHub draws. Edges with the same ends share an arrow. */
export function mermaidDiagram(current: LifecycleState | null = null): string {
  const lines = ["stateDiagram-v2", `    [*] --> ${INITIAL}`];
  for (const { from, to, events } of machineGraph().edges) lines.push(`    ${from} --> ${to}: ${events.join(", ")}`);
  if (current !== null) lines.push("    classDef current stroke-width:4px", `    class ${current} current`);
  return `${lines.join("\n")}\n`;
}
