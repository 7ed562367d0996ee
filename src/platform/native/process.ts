// Of `process` what the bundles of the native program use.
import { failure } from "./fs-failure.ts";
import "./host.ts";
import { resolve } from "./path.ts";

const hrtime = Object.assign((): readonly [number, number] => host.clock(), {
  bigint: (): bigint => {
    const [seconds, nanoseconds] = host.clock();
    return BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
  },
});

export const nativeProcess = {
  // Node makes the script's path absolute, and follows no link.
  argv: [host.executable, resolve(host.script), ...host.argv],
  execPath: host.executable,
  env: host.env,
  pid: host.pid,
  ppid: host.ppid,
  geteuid: (): number => host.euid,
  hrtime,
  // Only differences of it are used.
  uptime: (): number => {
    const [seconds, nanoseconds] = host.clock();
    return seconds + nanoseconds / 1e9;
  },
  cwd: (): string => {
    const folder = host.cwd();
    if (typeof folder === "number") throw failure(folder, "getcwd");
    return folder;
  },
  kill: (pid: number, signal: number): boolean => {
    const result = host.kill(pid, signal);
    if (result < 0) throw failure(result, "kill");
    return true;
  },
  get exitCode(): number | undefined {
    return globalThis.exitCode;
  },
  set exitCode(code: number | undefined) {
    globalThis.exitCode = code;
  },
};
