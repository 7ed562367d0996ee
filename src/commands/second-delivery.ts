import { existsSync } from "node:fs";
import { fileSize } from "../platform/file-size.ts";
import { deliveredBy } from "../stores/delivery-store.ts";
import { settingsFiles } from "../stores/setup-file.ts";
import type { CommandContext } from "./command-context.ts";
import { ownerPlace } from "./owner-place.ts";

/** After these the client writes nothing before its hooks have answered; a session may be taken up, or be compacted, twice in a moment. */
const STANDS_STILL: ReadonlySet<string> = new Set(["resume", "compact"]);

/** A hook command that is about to answer a session. */
export interface Answering {
  readonly sessionId: string | null;
  readonly transcriptPath: string | null;
  /** The command, with its part where it has one: `session-start.1`. */
  readonly what: string;
  /** Why the client asks: a source or a trigger. */
  readonly occasion: string;
}

/**
 * Where a plugin and the project's settings both run this program, each answer comes once: whether this one is the second,
 * the same `again` by whoever runs a hook twice and means it, or the first.
 */
export async function deliveryOf(context: CommandContext, answering: Answering): Promise<"first" | "again" | "second"> {
  const { sessionId, transcriptPath, what, occasion } = answering;
  if (sessionId === null) return "first";
  const length = (transcriptPath === null ? null : fileSize(transcriptPath)) ?? "-";
  const [hook = what, ...part] = what.split(".");
  // What one client was told, another that takes the same session up does not know: 2.0.76 names the parent for a fork, too.
  const client = occasion === "resume" ? ownerPlace(context).process : null;
  const event = client === null ? occasion : `${occasion} ${client}`;
  const mark = { sessionId, event, growing: !STANDS_STILL.has(occasion), by: context.installation };
  // The documents of two may be split in different places: who answers one part answers all.
  const whole = { ...mark, what: `${hook}.by.${length}`, by: `${mark.by} ${part.at(-1)}` };
  const answers = hook === what ? null : deliveredBy(context.paths, whole, context.now());
  const other = answers !== null && answers !== whole.by;
  if (other && !answers.startsWith(`${mark.by} `)) return "second";
  const by = deliveredBy(context.paths, { ...mark, what: `${what}.${length}` }, context.now());
  if (by !== null && by !== mark.by) return "second";
  if (by === null && !other) return "first";
  // Both may run the very same program: then the settings alone tell, and where there are none it was no plugin.
  const twice =
    settingsFiles(context.paths, context.env).some(({ path }) => existsSync(path)) &&
    (await import("../stores/registered-twice.ts")).isRegisteredTwice(context.paths, context.env, hook);
  return twice ? "second" : by === null ? "first" : "again";
}
