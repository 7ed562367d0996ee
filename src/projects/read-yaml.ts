import { isMap, isScalar, parseDocument } from "yaml";
import { type FrontMatterValue, yamlHazard } from "../base/frontmatter.ts";

/**
 * The plain values of front matter that the scan cannot take; null where it is no YAML map. Lists, maps and aliases are
 * passed over: nothing is expanded. Imported only where such front matter is met: it loads `yaml`.
 */
export function readYaml(raw: string): ReadonlyMap<string, FrontMatterValue> | null {
  if (yamlHazard(raw) !== null) return null;
  const document = parseDocument(raw, { prettyErrors: false, uniqueKeys: false, logLevel: "error" });
  if (document.errors.length > 0 || !isMap(document.contents)) return null;
  const values = new Map<string, FrontMatterValue>();
  for (const { key, value } of document.contents.items) {
    if (!isScalar(key) || !isScalar(value) || typeof key.value !== "string" || values.has(key.value)) continue;
    const scalar = value.value;
    const plain = typeof scalar === "string" || typeof scalar === "number" || typeof scalar === "boolean";
    if (plain || scalar === null) values.set(key.value, scalar);
  }
  return values;
}
