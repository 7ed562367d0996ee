import {
  type FrontMatterValue,
  scanFrontMatter as scanByTypeScript,
  splitFrontMatter as splitByTypeScript,
  yamlHazard as yamlHazardByTypeScript,
} from "../../base/frontmatter.ts";
import "./host.ts";

export type { FrontMatter, FrontMatterScalar, FrontMatterValue } from "../../base/frontmatter.ts";
export { FRONT_MATTER_MAX } from "../../base/frontmatter.ts";

/** In place of those in `src/base/frontmatter.ts`: see `quick-texts.c`. */
export const splitFrontMatter: typeof splitByTypeScript = (text) => {
  const found = host.quick?.frontMatter(text) ?? null;
  if (found === null) return splitByTypeScript(text);
  const [start, end, bodyStart] = found;
  return { kind: "found", raw: text.slice(start, end), span: { start, end }, body: text.slice(bodyStart), bodyStart };
};

export const yamlHazard: typeof yamlHazardByTypeScript = (raw) =>
  host.quick?.isSafeYaml(raw) === true ? null : yamlHazardByTypeScript(raw);

export const scanFrontMatter: typeof scanByTypeScript = (raw) => {
  const pairs = host.quick?.frontLines(raw) ?? null;
  if (pairs === null) return scanByTypeScript(raw);
  const values = new Map<string, FrontMatterValue>();
  for (let at = 0; at < pairs.length; at += 2) values.set(String(pairs[at]), pairs[at + 1] ?? null);
  return values;
};
