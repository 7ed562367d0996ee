// An agent that is killed: run as `node killed-agent.cjs <folder> <calls>`. Each call leaves a line in `effects`.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ToolMessage } from "@langchain/core/messages";
import { createAgent } from "../../src/langchain.ts";
import { calls, ScriptedModel, toolOf } from "./scripted-model.ts";

const [folder = "", wanted = "0"] = process.argv.slice(2);

const step = toolOf("step", async ({ n }) => {
  await setTimeout(4 + (Number(n) % 7));
  appendFileSync(join(folder, "effects"), `s${n}\n`);
  await setTimeout(4 + (Number(n) % 5));
  return `result of s${n}`;
});

/** Two calls a turn, numbered by the answers that the thread holds, until there are enough. */
const model = new ScriptedModel((request) => {
  const answered = request.filter((message) => ToolMessage.isInstance(message)).length;
  if (answered >= Number(wanted)) return "Done.";
  const ask = (n: number) => ({ [`s${n}`]: ["step", { n }] as const });
  return calls({ ...ask(answered), ...ask(answered + 1) }, `Now ${answered}.`);
});

async function main(): Promise<void> {
  process.stdout.write("up\n");
  const agent = createAgent({ model, threadsFolder: join(folder, "threads"), tools: [step], maxIterations: 1000 });
  const resumed = await agent.run({ threadId: "t" });
  const end = resumed.events.length > 0 ? resumed : await agent.run({ threadId: "t", input: "go" });
  process.stdout.write(`${end.status}${end.status === "failed" ? `: ${end.error}` : ""}\n`);
}

void main();
