import { spawnSync } from "node:child_process";

/** `"$@"` with loopback up and no other device. */
const LOOPBACK_ONLY = 'ip link set lo up && exec "$@"';

/** As root, or as a root of one's own where the kernel lets a user be that. */
const WAYS = [["--net"], ["--map-root-user", "--net"]];

/** The words before a command that take every network but loopback from it, or a sentence that says why that cannot be. */
export function findNamespace() {
  if (process.platform !== "linux")
    return { words: null, problem: `network namespaces are Linux's; this is ${process.platform}` };
  let problem = "";
  for (const flags of WAYS) {
    const words = ["unshare", ...flags, "sh", "-c", LOOPBACK_ONLY, "sh"];
    const [file, ...rest] = words;
    const ran = spawnSync(file, [...rest, process.execPath, "-e", LISTEN], { encoding: "utf8", timeout: 20_000 });
    if (ran.status === 0) return { words, problem: null };
    problem ||= ran.error?.message ?? ran.stderr.trim().split("\n")[0];
  }
  return { words: null, problem: `no network namespace can be made: ${problem}` };
}

/** Nothing but loopback, and loopback works. */
const LISTEN = `
  const others = Object.keys(os.networkInterfaces()).filter((name) => name !== "lo");
  if (others.length > 0) process.exit(1);
  const server = net.createServer().listen(0, "127.0.0.1", () => {
    net.connect(server.address().port, "127.0.0.1", () => process.exit(0));
  });`;
