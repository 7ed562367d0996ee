import { compileMachine } from "./compile-machine.ts";
import { LIFECYCLE_EVENTS, LIFECYCLE_STATES, type LifecycleState } from "./states.ts";

/** The machine as a Mermaid state diagram, which GitHub draws. Edges with the same ends share an arrow. */
export function mermaidDiagram(current: LifecycleState | null = null): string {
  const table = compileMachine();
  const lines = ["stateDiagram-v2", "    [*] --> active"];
  for (const from of LIFECYCLE_STATES) {
    const labels = new Map<LifecycleState, string[]>();
    for (const event of LIFECYCLE_EVENTS) {
      const edge = table[from][event];
      if (edge !== undefined) labels.set(edge.to, [...(labels.get(edge.to) ?? []), event]);
    }
    for (const to of LIFECYCLE_STATES) {
      const events = labels.get(to);
      if (events !== undefined) lines.push(`    ${from} --> ${to}: ${events.join(", ")}`);
    }
  }
  if (current !== null) lines.push("    classDef current stroke-width:4px", `    class ${current} current`);
  return `${lines.join("\n")}\n`;
}
