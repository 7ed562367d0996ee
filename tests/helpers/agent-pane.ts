import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { runProgram } from "./run-program.ts";
import type { Workspace } from "./workspace.ts";

const STAND_IN = fileURLToPath(new URL("stand-in-agent.mjs", import.meta.url));

export type Manner = "obeys" | "deaf" | "saves-only" | "asks" | "late";

export interface AgentPane {
  /** Of a process that runs outside of the pane and reaches its server. */
  readonly env: Readonly<Record<string, string>>;
  readonly socket: string;
  /** `%0`. */
  readonly id: string;
  /** `session:window.pane`. */
  readonly address: string;
  readonly tmux: (...words: readonly string[]) => string;
  readonly screen: () => string;
  /** The lines that the agent took in, in order. */
  readonly lines: () => readonly string[];
  /** Whether anything was typed into an agent that is late, read or not. */
  readonly heard: () => boolean;
  readonly until: (isSo: () => boolean) => Promise<void>;
}

/** Some twenty times what the slowest step takes on a machine of its own. */
const PATIENCE_MS = 90_000;

/** A tmux server of the test's own with a stand-in for an agent in its one pane, started by a shell where one is named. */
export async function startAgent(
  workspace: Workspace,
  role: string,
  manner: Manner,
  {
    shell = false,
    typed = "",
    program = process.execPath,
    env = {},
  }: {
    readonly shell?: boolean;
    readonly typed?: string /** A Node by another name, which it keeps. */;
    readonly program?: string;
    /** Of the agent, beside what it always has. */
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<AgentPane> {
  const socket = workspace.path("tmux.socket");
  const log = workspace.path("agent.log");
  const tmux = (...words: readonly string[]): string => {
    const ran = runProgram("tmux", ["-u", "-S", socket, "-f", "/dev/null", ...words], { cwd: workspace.root });
    if (ran.code !== 0) throw new Error(`tmux ${words.join(" ")}: ${ran.stderr}`);
    return ran.stdout.replace(/\n$/, "");
  };
  onTestFinished(() => {
    runProgram("tmux", ["-S", socket, "kill-server"], { cwd: "/" });
  });
  const named = program === process.execPath ? "" : "1";
  const own = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  const settings = [...own, `STAND_IN_TYPED=${typed}`, `STAND_IN_NAMED=${named}`];
  const agent = ["env", ...settings, program, STAND_IN, manner, role, log];
  const size = ["-x", "100", "-y", "30", "-s", "my work"];
  if (shell) {
    tmux("new-session", "-d", ...size, "env", "PS1=ready> ", "sh", "-i");
    tmux("send-keys", "-l", "--", `${agent.map((word) => `'${word}'`).join(" ")}`);
    tmux("send-keys", "Enter");
  } else tmux("new-session", "-d", ...size, ...agent);
  const format = "#{pane_id}|#{pid}|#{session_name}:#{window_index}.#{pane_index}";
  const [id = "", pid = "", address = ""] = tmux("display-message", "-p", format).split("|");
  const until = async (isSo: () => boolean): Promise<void> => {
    for (const end = Date.now() + PATIENCE_MS; !isSo(); ) {
      if (Date.now() > end) throw new Error(`it never came:\n${tmux("capture-pane", "-p")}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const screen = () => tmux("capture-pane", "-p", "-t", id);
  await until(() => existsSync(log) && screen().includes("stand-in"));
  return {
    env: { TMUX: `${socket},${pid},0` },
    socket,
    id,
    address,
    tmux,
    screen,
    lines: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line): string => JSON.parse(line)),
    heard: () => existsSync(`${log}.heard`),
    until,
  };
}

/** As if the agent had saved by itself: its session and its process become the role's owner. */
export async function saveFrom(pane: AgentPane, workspace: Workspace, role: string): Promise<void> {
  pane.tmux("send-keys", "-t", pane.id, "-l", "--", "save");
  // What comes in one piece with Enter counts as pasted.
  await pane.until(() => /❯\s*save/.test(pane.screen()));
  pane.tmux("send-keys", "-t", pane.id, "Enter");
  await pane.until(() => workspace.state(role).CURRENT === "saved");
  // Its command has saved and may not have ended yet.
  await pane.until(() => !pane.screen().includes("Working"));
}
