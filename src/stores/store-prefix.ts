import { join } from "node:path";
import { isObject, parseJson, stringAt } from "../base/json-value.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import { writeWhole } from "../platform/atomic-write.ts";
import { gitEnv } from "../platform/git-env.ts";
import { readText } from "../platform/read-text.ts";
import type { ProjectPaths } from "./paths.ts";

/** Braces would change which node of a cluster holds the keys, blanks the reading of a message. */
const PREFIX = /^[A-Za-z0-9._:/@+-]{1,200}$/;
const PREFIX_RULE = "letters, digits and . _ : / @ + - , at most 200 of them";
const REMEMBERED_MAX_BYTES = 4096;
/** As many digits of a commit's id as nobody's other project shares. */
const ID_DIGITS = 16;
/** The first commit of a long history takes git seconds to find; it is looked for once. */
const GIT_MS = { command: 20_000, hook: 1000 };

export interface PrefixOptions {
  readonly paths: ProjectPaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: Config;
  readonly hook: boolean;
}

/**
 * What the project's keys begin with in a store that others use too: `CONTEXT_STORE_PREFIX`, else `store.prefix` of
 * context.yaml, else the id of the repository's first commit, which every clone has, and the project's folder within it.
 * The error is a sentence.
 */
export async function storePrefix({ paths, env, config, hook }: PrefixOptions): Promise<Result<string, string>> {
  if (env.CONTEXT_STORE_PREFIX) return checked(env.CONTEXT_STORE_PREFIX, "CONTEXT_STORE_PREFIX");
  if (config.store.prefix !== "") return checked(config.store.prefix, "context.yaml: store.prefix");
  const file = join(paths.cache, "store-prefix.json");
  const known = remembered(file);
  if (known !== null) return ok(known);
  const found = await fromRepository(paths.root, env, hook ? GIT_MS.hook : GIT_MS.command);
  if (found.ok) {
    const text = `${JSON.stringify({ version: 1, prefix: found.value })}\n`;
    writeWhole(file, text, { mode: 0o600, root: paths.root, folderMode: 0o700, durable: false });
  }
  return found;
}

function checked(prefix: string, source: string): Result<string, string> {
  return PREFIX.test(prefix) ? ok(prefix) : err(`${source} is not made of ${PREFIX_RULE}.`);
}

function remembered(path: string): string | null {
  const file = readText(path, REMEMBERED_MAX_BYTES);
  if (!file.ok) return null;
  const value = parseJson(file.value.text);
  const prefix = isObject(value) && value.version === 1 ? stringAt(value, "prefix") : null;
  return prefix !== null && PREFIX.test(prefix) ? prefix : null;
}

async function fromRepository(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  limitMs: number,
): Promise<Result<string, string>> {
  // Node's way to run programs costs a start two milliseconds, and what git said once is remembered.
  const { runBounded } = await import("../platform/run-bounded.ts");
  const git = async (...words: readonly string[]) => {
    const ran = await runBounded("git", words, { cwd: root, env: gitEnv(env), input: "", limitMs });
    return ran.exitCode === 0 ? ran.stdout.split("\n") : null;
  };
  const place = await git("rev-parse", "--is-shallow-repository", "--show-prefix");
  if (place === null) return err("This project is in no git repository that could name it in a store.");
  const [shallow, folder = ""] = place;
  if (shallow !== "false")
    return err("This clone is shallow: the first commit, which names the project, is not in it.");
  const firsts = (await git("rev-list", "--max-parents=0", "HEAD"))?.filter((line) => line !== "");
  const first = firsts?.at(-1);
  if (first === undefined) return err("The repository's first commit, which names the project, cannot be found.");
  return checked(
    `${first.slice(0, ID_DIGITS)}${folder === "" ? "" : `/${folder.replace(/\/$/, "")}`}`,
    "The project's folder",
  );
}
