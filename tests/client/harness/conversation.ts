import { type Ran, startProgram } from "../../helpers/run-program.ts";
import { clientWords } from "./client-version.ts";
import { fieldOf } from "./model-request.ts";
import type { Stage } from "./stage.ts";

/** A client that stays: one process, prompt after prompt. */
export interface Conversation {
  /** Sends a prompt or a slash command; what the client printed until it was done with it. */
  readonly say: (prompt: string) => Promise<readonly unknown[]>;
  readonly end: () => Promise<Ran>;
}

/** Starts a client without a terminal that takes its prompts from standard input. */
export function converse(stage: Stage, args: readonly string[] = []): Conversation {
  const [file, ...words] = clientWords(stage.version);
  const { child, ended } = startProgram(file, [...words, "-p", ...STREAMS, ...stage.args, ...args], {
    cwd: stage.project.root,
    env: stage.env,
  });
  let printed: unknown[] = [];
  let rest = "";
  let settle: (() => void) | null = null;
  child.stdout?.on("data", (text: string) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    printed.push(...lines.map((line): unknown => JSON.parse(line)));
    if (printed.some((event) => fieldOf(event, "type") === "result")) settle?.();
  });
  const say = async (prompt: string): Promise<readonly unknown[]> => {
    printed = [];
    const done = new Promise<void>((resolve) => {
      settle = resolve;
    });
    child.stdin?.write(`${JSON.stringify({ type: "user", message: { role: "user", content: prompt } })}\n`);
    const early = ended.then((ran) => {
      throw new Error(`the client ended before it answered ${prompt}: ${ran.stderr}`);
    });
    await Promise.race([done, early]);
    return printed;
  };
  const end = async (): Promise<Ran> => {
    child.stdin?.end();
    return await ended;
  };
  return { say, end };
}

const STREAMS = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
