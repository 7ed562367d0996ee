import { NODE_PLACES } from "../install/find-node.ts";
import { runByNewerNode } from "../platform/newer-node.ts";
import { readStdin } from "../platform/stdin.ts";
import type { World } from "../platform/world.ts";
import { EXIT_FAULT } from "./exit-code.ts";
import { splitCommand } from "./invocation.ts";
import { asksForJson } from "./json-form.ts";

/** A client waits for its hooks, and has sent the payload as it starts them. */
const PAYLOAD = { idleMs: 200, enough: () => false, maxBytes: 1024 * 1024 };

/**
 * In place of a command that this Node is too old for: the same one by a newer Node that an installer put elsewhere, as a client
 * that a desktop started finds the system's own alone. Where there is none, that is said. The exit code.
 */
export async function answerOldNode({ argv, stdout, stderr, ...world }: World, least: number): Promise<number> {
  const code = await runByNewerNode(NODE_PLACES, least);
  if (code !== null) return code;
  const message = `Node.js ${least} or later is needed, and ${world.interpreter} is ${world.system}`;
  const hint = "CONTEXT_NODE may name another one: /path/to/node";
  const error = { code: "node_too_old", message, hint };
  if (asksForJson(argv)) stdout.write(`${JSON.stringify({ schema_version: 1, ok: false, error })}\n`);
  else stderr.write(`context: ${message}. ${hint}\n`);
  if (splitCommand(argv)?.spec.hookAnswer === undefined) return EXIT_FAULT;
  // A pipe that is closed unread is shown to the person as an error.
  await readStdin(PAYLOAD);
  return 0;
}
