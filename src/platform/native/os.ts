// Of `node:os` what the bundles of the native program call.
import "./host.ts";

/** The system's list of users would have to be read: Node does. */
export function userInfo(): never {
  return host.handOver();
}

export function hostname(): string {
  return host.hostname();
}

export function uptime(): number {
  return host.uptime();
}
