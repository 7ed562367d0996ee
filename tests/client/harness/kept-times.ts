import { onTestFinished } from "vitest";
import type { ClientHome } from "./client-home.ts";
import type { Version } from "./client-version.ts";
import { type HookTime, hookTimes } from "./hook-times.ts";

declare module "vitest" {
  interface TaskMeta {
    clientVersion?: Version;
    hookTimes?: HookTime[];
  }
}

/** Hands what the transcripts say of our hooks to the page of results, before the home folder is gone. */
export function keepTimes(version: Version, home: ClientHome): void {
  onTestFinished(({ task }) => {
    task.meta.clientVersion = version;
    task.meta.hookTimes = [...(task.meta.hookTimes ?? []), ...home.transcripts().flatMap(hookTimes)];
  });
}
