import { LineCounter, parseDocument } from "yaml";
import { yamlHazard } from "../base/frontmatter.ts";
import { invariant } from "../base/invariant.ts";
import { OPEN_MERGE } from "../base/merge-marks.ts";
import { suggest } from "../base/suggest.ts";
import { Config } from "./config.ts";
import { DEFAULT_CONFIG } from "./default-config.ts";

export interface ParsedConfig {
  readonly value: Config;
  /** What is wrong in the file, one sentence each; a wrong value is replaced by its default. */
  readonly problems: readonly string[];
}

/** Reads `context.yaml`. What is good in it holds even where something else is wrong. */
export function parseConfig(text: string): ParsedConfig {
  const hazard = yamlHazard(text);
  if (hazard !== null) return { value: DEFAULT_CONFIG, problems: [`it is not read: ${hazard}`] };
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, logLevel: "error" });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const merge = OPEN_MERGE.exec(text);
    const { line, col } = counter.linePos(merge?.index ?? fault.pos[0]);
    if (merge !== null)
      return { value: DEFAULT_CONFIG, problems: [`line ${line}: it holds two versions, git left a merge open`] };
    return { value: DEFAULT_CONFIG, problems: [`line ${line}, column ${col}: ${fault.message}`] };
  }
  let raw: unknown;
  try {
    raw = document.toJS({ maxAliasCount: 20 });
  } catch (error) {
    return { value: DEFAULT_CONFIG, problems: [error instanceof Error ? error.message : String(error)] };
  }
  if (raw === null) return { value: DEFAULT_CONFIG, problems: [] };
  if (!isRecord(raw)) return { value: DEFAULT_CONFIG, problems: ["expected keys and values at the top"] };
  const problems = unknownKeys(raw, DEFAULT_CONFIG, "");
  const checked = Config.safeParse(raw);
  if (checked.success) return { value: checked.data, problems };
  for (const issue of checked.error.issues) {
    problems.push(`${issue.path.join(".")}: ${issue.message}; the default is used`);
    remove(raw, issue.path);
  }
  const again = Config.safeParse(raw);
  return { value: again.success ? again.data : DEFAULT_CONFIG, problems };
}

function unknownKeys(raw: Record<string, unknown>, known: object, prefix: string): string[] {
  const problems: string[] = [];
  const keys = new Map(Object.entries(known));
  for (const [key, value] of Object.entries(raw)) {
    const expected: unknown = keys.get(key);
    if (expected === undefined) {
      const near = suggest(key, keys.keys());
      problems.push(`${prefix}${key} is not a known key${near === null ? "" : `; did you mean "${near}"?`}`);
    } else if (isRecord(expected) && isRecord(value)) {
      problems.push(...unknownKeys(value, expected, `${prefix}${key}.`));
    }
  }
  return problems;
}

function remove(raw: Record<string, unknown>, path: readonly PropertyKey[]): void {
  const [key, ...rest] = path;
  invariant(typeof key === "string", "what is wrong in an object stands under a name");
  const value = raw[key];
  // A wrong element of a list takes the list with it: a list with holes means something else.
  if (rest.length > 0 && isRecord(value)) remove(value, rest);
  else delete raw[key];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
