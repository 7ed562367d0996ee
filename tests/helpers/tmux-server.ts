import { onTestFinished } from "vitest";
import { runProgram } from "./run-program.ts";
import type { Workspace } from "./workspace.ts";

export const HAS_TMUX: boolean = runProgram("sh", ["-c", "command -v tmux"], { cwd: "/" }).code === 0;

export interface TmuxServer {
  /** What a process in the server's one pane has in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** `session:window.pane`. */
  readonly address: string;
  readonly setRole: (role: string) => void;
  readonly unsetRole: () => void;
  readonly setTitle: (title: string) => void;
}

/** A tmux server of the test's own, with one pane; ended with the test. */
export function startTmux(workspace: Workspace): TmuxServer {
  const socket = workspace.path("tmux.socket");
  const tmux = (...words: readonly string[]): string => {
    const ran = runProgram("tmux", ["-S", socket, "-f", "/dev/null", ...words], { cwd: workspace.root });
    if (ran.code !== 0) throw new Error(`tmux ${words.join(" ")}: ${ran.stderr}`);
    return ran.stdout.trim();
  };
  onTestFinished(() => {
    runProgram("tmux", ["-S", socket, "kill-server"], { cwd: "/" });
  });
  tmux("new-session", "-d", "-s", "my session", "sleep 600");
  const [pane = "", pid = "", address = ""] = tmux(
    "display-message",
    "-p",
    "-t",
    "my session",
    "#{pane_id}|#{pid}|#{session_name}:#{window_index}.#{pane_index}",
  ).split("|");
  return {
    env: { TMUX: `${socket},${pid},0`, TMUX_PANE: pane },
    address,
    setRole: (role) => tmux("set-option", "-p", "-t", pane, "@role", role),
    unsetRole: () => tmux("set-option", "-p", "-u", "-t", pane, "@role"),
    setTitle: (title) => tmux("select-pane", "-t", pane, "-T", title),
  };
}
