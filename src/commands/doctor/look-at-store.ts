import { valueOr } from "../../base/result.ts";
import type { StoreFacts } from "../../doctor/facts.ts";
import { gitEnv } from "../../platform/git-env.ts";
import { run } from "../../platform/run.ts";
import { listMachines, recordOf } from "../../stores/machine-store.ts";
import { shownPath } from "../../stores/paths.ts";
import { listPending, pendingFile } from "../../stores/pending-store.ts";
import type { CommandContext } from "../command-context.ts";

/** Whether the store of the machines can be used, what waits for it, and whether others have the same name in it. */
export async function lookAtStore(context: CommandContext): Promise<StoreFacts> {
  const { paths } = context;
  const { shared } = paths;
  const durability = (await shared?.durability()) ?? null;
  return {
    named: shared !== undefined,
    shown: shared?.shown ?? "",
    trouble: shared?.trouble ?? null,
    waiting: listPending(paths).notes.map(({ id }) => shownPath(paths, pendingFile(paths, id))),
    foreign: shared?.connected ? await foreign(context) : [],
    evicts: durability?.evicts ?? null,
    forgets: durability?.survives === false,
  };
}

/**
 * The machines of a store that all were saved at commits which this repository does not have. One that it has is enough:
 * others may be of hosts whose work was not fetched. A shallow clone does not have most of its own.
 */
async function foreign({ paths, env }: CommandContext): Promise<StoreFacts["foreign"]> {
  const saved = valueOr(listMachines(paths), []).flatMap((role) => {
    const commit = recordOf(paths, role)?.commit;
    return commit ? [{ role, commit }] : [];
  });
  if (saved.length === 0) return [];
  const git = (words: readonly string[], input = "") => run("git", words, { cwd: paths.root, env: gitEnv(env), input });
  const shallow = await git(["rev-parse", "--is-shallow-repository"]);
  if (shallow.exitCode !== 0 || shallow.stdout.trim() !== "false") return [];
  const asked = await git(["cat-file", "--batch-check"], saved.map(({ commit }) => `${commit}\n`).join(""));
  if (asked.exitCode !== 0) return [];
  const isMissing = asked.stdout
    .trimEnd()
    .split("\n")
    .every((line) => line.endsWith(" missing"));
  return isMissing ? saved : [];
}
