import { parseDuration } from "../../base/duration.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { durationText } from "../../report/format.ts";
import type { StoreTurn } from "../../stores/machine-access.ts";
import { type Report, usage } from "../report.ts";

/** Long enough for a server's update or a laptop that changes its network; what is gone for longer, somebody should hear of. */
const DEFAULT_RETRY = "10m";

/** `--reconnect <time>`: for how long a store that is lost is tried again, in milliseconds. */
export function readReconnect(text: string | undefined): Result<number, Report> {
  const time = parseDuration(text ?? DEFAULT_RETRY);
  return time.ok ? ok(time.value) : err(usage(`--reconnect: ${time.error}, found ${JSON.stringify(text)}.`));
}

/** The line that says, once each, that the store, or the project's folder, is gone or back. */
export function turnText(turn: StoreTurn): string {
  switch (turn.kind) {
    case "gone":
      return `${turn.error.path} ${turn.error.message}; trying again for ${durationText(turn.retryMs)}.`;
    case "back":
      return `${turn.path} is back after ${durationText(turn.afterMs)}; what happened meanwhile is not left out.`;
    case "no-folder":
      return `The folder ${turn.path} is gone; watching for another one in its place.`;
    case "folder":
      return `The folder ${turn.path} is there again.`;
    default:
      return turn satisfies never;
  }
}
