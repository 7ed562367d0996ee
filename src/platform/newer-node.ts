import { spawn, spawnSync } from "node:child_process";
import { beforeStop } from "./stop-signals.ts";

/**
 * Runs this very process anew by a newer Node that is in one of `places`, folders as words of a shell, of which the last goes
 * first; its exit code. Null where none there is of version `least` at the least, where `CONTEXT_NODE` names one, and on Windows.
 */
export function runByNewerNode(places: string, least: number): Promise<number | null> {
  const { env, platform } = process;
  const node = env.CONTEXT_NODE || platform === "win32" ? "" : findNode(places, least);
  return new Promise((resolve) => {
    if (node === "") return resolve(null);
    // It is named to all that is started from there, and one of a wrong answer is not looked for again.
    const child = spawn(node, process.argv.slice(1), { stdio: "inherit", env: { ...env, CONTEXT_NODE: node } });
    // Whoever ends this process means the work, which is done there.
    const release = beforeStop(() => child.kill());
    child.on("error", () => resolve(null));
    child.on("exit", (code, signal) => {
      release();
      if (signal === null) resolve(code);
      else process.kill(process.pid, signal);
    });
  });
}

function findNode(places: string, least: number): string {
  const isNew = `"$folder/node" -e 'process.exit(Number(parseInt(process.versions.node) < ${least}))'`;
  const find = `for folder in ${places}; do [ -x "$folder/node" ] && ${isNew} && found=$folder/node; done; echo "\${found-}"`;
  return spawnSync("/bin/sh", ["-c", find], { encoding: "utf8", timeout: 5000 }).stdout?.trim() ?? "";
}
