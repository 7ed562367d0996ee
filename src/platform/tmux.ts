export interface TmuxPane {
  /** `session:window.pane`. */
  readonly address: string;
  /** The pane's user option `@role`, where it has one. */
  readonly role: string | null;
  /** The pane's title; null where nobody gave it one: it is the machine's name then. */
  readonly title: string | null;
}

/** The tmux pane that this process runs in, or null where tmux does not answer within half a second. */
export async function ownPane(env: Readonly<Record<string, string | undefined>>): Promise<TmuxPane | null> {
  const pane = env.TMUX_PANE;
  if (pane === undefined || !/^%\d+$/.test(pane)) return null;
  // Loaded only here: it costs a quarter of an empty Node's start.
  const { execFile } = await import("node:child_process");
  const format = "#{session_name}:#{window_index}.#{pane_index}|#{@role}|#{host}|#{pane_title}";
  return new Promise((resolve) => {
    execFile(
      "tmux",
      ["display-message", "-p", "-t", pane, format],
      { timeout: 500, env: { ...env } },
      (error, stdout) => {
        const [address, role, host, ...title] = stdout.replace(/\r?\n$/, "").split("|");
        const named = title.join("|");
        resolve(
          error !== null || !address
            ? null
            : { address, role: role || null, title: named === "" || named === host ? null : named },
        );
      },
    );
  });
}
