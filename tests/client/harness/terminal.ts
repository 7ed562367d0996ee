import { join } from "node:path";
import { onTestFinished } from "vitest";
import { runProgram } from "../../helpers/run-program.ts";
import { clientWords } from "./client-version.ts";
import type { Stage } from "./stage.ts";

/** The client as a person has it: on a terminal, in a tmux server of its own that ends with the test. */
export interface Terminal {
  /**
   * Types a line, sends it off, and waits until `isSo` of what stands on the terminal; that is in the error where it never is.
   * It types once nothing moves any more.
   */
  readonly say: (line: string, isSo: (screen: string) => boolean) => Promise<void>;
  /** Presses a key, in a menu, until `isSo` of what stands on the terminal. */
  readonly press: (key: string, isSo: (screen: string) => boolean) => Promise<void>;
}

const PATIENCE_MS = 30_000;
/** A client that is still starting, or draws, drops keys: what had no effect by then is done again. */
const AGAIN_MS = 3_000;
/** The sign that a turn runs moves several times a second. */
const STILL_MS = 1_000;

export function openTerminal(stage: Stage, args: readonly string[] = []): Terminal {
  const socket = join(stage.home.root, "tmux");
  const tmux = (...words: readonly string[]): string =>
    runProgram("tmux", ["-S", socket, "-f", "/dev/null", ...words], { cwd: stage.project.root, env: stage.env }).stdout;
  const keys = (...words: readonly string[]) => tmux("send-keys", "-t", "client", ...words);
  onTestFinished(async () => {
    const pid = Number(tmux("display-message", "-p", "-t", "client", "#{pane_pid}"));
    tmux("kill-server");
    // It writes to its home folder to the last.
    await became(() => !isAlive(pid), PATIENCE_MS);
  });
  const client = [...clientWords(stage.version), ...stage.args, ...args];
  tmux("new-session", "-d", "-s", "client", "-x", "160", "-y", "50", ...client);
  const screen = () => tmux("capture-pane", "-p", "-t", "client");
  // The footer of its input box; before that the terminal itself echoes what is typed.
  const isReady = () => screen().includes("accept edits on");
  const isTyped = (line: string) =>
    screen()
      .split("\n")
      .findLast((row) => /^[❯>]/.test(row))
      ?.includes(line) === true;
  return {
    press: async (key, isSoOf) => {
      const end = Date.now() + PATIENCE_MS;
      while (!isSoOf(screen()) && Date.now() < end) {
        keys(key);
        await became(() => isSoOf(screen()), AGAIN_MS);
      }
      if (!isSoOf(screen())) throw new Error(`nothing came of ${key}\n${screen()}`);
    },
    say: async (line, isSoOf) => {
      const isSo = () => isSoOf(screen());
      const end = Date.now() + PATIENCE_MS;
      await became(isReady, PATIENCE_MS);
      let before = "";
      await became(
        () => {
          const now = screen();
          const isStill = now === before && !now.includes("to interrupt");
          before = now;
          return isStill;
        },
        PATIENCE_MS,
        STILL_MS,
      );
      while (!isSo() && Date.now() < end) {
        if (!isTyped(line)) {
          keys("C-u");
          keys("-l", "--", line);
        }
        if (!(await became(() => isTyped(line), AGAIN_MS))) continue;
        keys("Enter");
        const left = () => isSo() || !isTyped(line);
        if (await became(left, AGAIN_MS)) break;
      }
      if (!(await became(isSo, PATIENCE_MS))) throw new Error(`nothing came of ${line}\n${screen()}`);
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function became(isSo: () => boolean, ms: number, everyMs = 150): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    if (isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return false;
}
