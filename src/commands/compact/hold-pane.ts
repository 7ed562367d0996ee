import { lifeOf, ownProcess, parseProcess, processText } from "../../platform/process-identity.ts";
import { freedBy, leavePane, takePane } from "../../platform/tmux-panes.ts";
import { failed, type Report } from "../report.ts";
import { paneName } from "./find-pane.ts";
import type { Round } from "./round.ts";

/** Who ended without a word leaves its name behind: another one may be first to put its own in that place. */
const MOST_TAKES = 3;

/**
 * Runs a round while no other one types into its pane: of two at once each takes the other's keys for the agent's, and the
 * agent compacts what it has just compacted.
 */
export async function holdPane(round: Round, run: () => Promise<Report>): Promise<Report> {
  const { context, role, typist } = round;
  const own = processText(ownProcess());
  let former = "";
  for (let takes = 0; takes < MOST_TAKES; takes++) {
    const holder = await takePane(typist.server, typist.pane, { own, former });
    if (holder === null || holder === own) break;
    const process = parseProcess(holder);
    const life = process === null ? "ended" : lifeOf(process);
    if (process !== null && life !== "ended") {
      const message = `Another lifecycle.compact has pane ${paneName(typist.pane)} in hand: process ${process.pid} on ${process.host}.`;
      const wait = `Wait for what it does: ${context.invokedAs} lifecycle.wait ${role} --for recovering.`;
      // Of a host that was given another name nobody can tell.
      const hint = life === "running" ? wait : `${wait} If it has ended, run ${freedBy(typist.server, typist.pane)}.`;
      return failed({ code: "locked", message, hint }, { outcome: "locked" });
    }
    former = holder;
  }
  try {
    return await run();
  } finally {
    await leavePane(typist.server, typist.pane, own);
  }
}
