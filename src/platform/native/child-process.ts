// Of `node:child_process` what asks tmux for a pane.
import "./host.ts";

/** As Node's, but that the answer comes before this returns. The environment is this process's own. */
export function execFile(
  file: string,
  args: readonly string[],
  options: { readonly timeout: number },
  answer: (error: Error | null, stdout: string) => void,
): void {
  const stdout = host.run([file, ...args], options.timeout);
  answer(stdout === null ? new Error(`${file} failed`) : null, stdout ?? "");
}
