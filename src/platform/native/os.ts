// Of `node:os` what the bundles of the native program call.
import "./host.ts";

/** Without `HOME` the system's list of users would have to be read: Node does. */
export function homedir(): string {
  return host.env.HOME ?? host.handOver();
}

export function hostname(): string {
  return host.hostname();
}

export function uptime(): number {
  return host.uptime();
}
