import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileSize } from "../platform/file-size.ts";
import { clientFolder } from "../stores/client-folder.ts";
import { deliveredBy } from "../stores/delivery-store.ts";
import type { CommandContext } from "./command-context.ts";

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
  const size = transcriptPath === null ? null : fileSize(transcriptPath);
  const delivery = { sessionId, what, event: `${occasion} ${size ?? "-"}`, by: context.installation };
  const by = deliveredBy(context.paths, delivery, context.now());
  if (by !== "same") return by === null ? "first" : "second";
  // Both may run the very same program: then the settings alone tell, and where there are none it was no plugin.
  if (!hasSettings(context)) return "again";
  const { isRegisteredTwice } = await import("../stores/registered-twice.ts");
  const [hook = what] = what.split(".");
  return isRegisteredTwice(context.paths, context.env, hook) ? "second" : "again";
}

function hasSettings({ paths, env }: CommandContext): boolean {
  const project = join(paths.root, ".claude");
  const files = [
    join(clientFolder(env), "settings.json"),
    join(project, "settings.json"),
    join(project, "settings.local.json"),
  ];
  return files.some((file) => existsSync(file));
}
