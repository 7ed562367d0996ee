import { isMap, isScalar, parseDocument } from "yaml";
import { type FrontMatterValue, yamlHazard } from "../base/frontmatter.ts";
import type { ReadYaml } from "./overview.ts";

/**
 * The plain values of front matter that the scan cannot take, or why it is no YAML map. Lists, maps and aliases are
 * passed over: nothing is expanded. Imported only where such front matter is met: it loads `yaml`.
 */
export const readYaml = ((raw) => {
  const hazard = yamlHazard(raw);
  if (hazard !== null) return { at: 0, message: hazard };
  const document = parseDocument(raw, { prettyErrors: false, uniqueKeys: false, logLevel: "error" });
  const [error] = document.errors;
  if (error !== undefined) {
    const second = error.code === "MULTIPLE_DOCS" ? "it holds a second YAML document" : null;
    return { at: error.pos[0], message: second ?? error.message.trim() };
  }
  if (!isMap(document.contents)) return { at: 0, message: "it holds no keys with values" };
  const values = new Map<string, FrontMatterValue>();
  for (const { key, value } of document.contents.items) {
    if (!isScalar(key) || !isScalar(value) || typeof key.value !== "string" || values.has(key.value)) continue;
    const scalar = value.value;
    const plain = typeof scalar === "string" || typeof scalar === "number" || typeof scalar === "boolean";
    if (plain || scalar === null) values.set(key.value, scalar);
  }
  return values;
}) satisfies ReadYaml;
