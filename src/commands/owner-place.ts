import { nearestAncestor, parseProcess, processText } from "../platform/process-identity.ts";
import type { CommandContext } from "./command-context.ts";

/** Where a session runs, as far as the system tells. */
export interface OwnerPlace {
  /** The client's process, as `processText` writes it. */
  readonly process: string | null;
  /** The tmux pane and its server: `%4@1234`. */
  readonly pane: string | null;
}

/** The client's program, by the name under which its process runs. */
const CLIENT = "claude";

/** Where this command's session runs: the client that started it, and the pane that both run in. */
export function ownerPlace(context: CommandContext): OwnerPlace {
  const client = nearestAncestor((name) => name === CLIENT);
  return { process: client === null ? null : processText(client), pane: ownPaneName(context.env) };
}

/** A pane's number is its own for as long as its server runs, so the two together name no other pane. Starts no tmux. */
export function ownPaneName({ TMUX, TMUX_PANE }: CommandContext["env"]): string | null {
  const server = /,(\d{1,10}),\d+$/.exec(TMUX ?? "")?.[1];
  return server !== undefined && /^%\d{1,10}$/.test(TMUX_PANE ?? "") ? `${TMUX_PANE}@${server}` : null;
}

/** Whether both are known and the same process. */
export function isSameProcess(a: string | null, b: string | null): boolean {
  return a !== null && a === b && parseProcess(a)?.started != null;
}
