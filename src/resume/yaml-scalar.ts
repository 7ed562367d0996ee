import { parseDocument } from "yaml";
import { jsonEscape } from "../base/json-value.ts";
import type { ScalarStyle } from "./front-matter-entry.ts";

/** Longer values are quoted without a look. */
const PLAIN_MAX = 200;

/** A string as a YAML scalar on one line, in the wanted style where it can hold the string, else in double quotes. */
export function writeScalar(text: string, style: ScalarStyle): string {
  if (style === "plain" && isPlain(text)) return text;
  if (style === "single" && !/[\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF]/.test(text))
    return `'${text.replaceAll("'", "''")}'`;
  return quoted(text);
}

/** JSON's escapes are YAML's; what JSON leaves bare and YAML forbids is escaped too. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u007F-\u009F\u2028\u2029\uFEFF]/g, jsonEscape);
}

/** True where YAML reads the bare characters back as this string, also inside a flow map. */
function isPlain(text: string): boolean {
  if (
    text.length > PLAIN_MAX ||
    !/^[A-Za-z0-9][^\u0000-\u001F\u007F-\u00A0\u2028\u2029\uFEFF,[\]{}?&*!|>%]*$/.test(text)
  )
    return false;
  const document = parseDocument(`k: ${text}\n`, { prettyErrors: false, logLevel: "silent" });
  return document.errors.length === 0 && document.get("k") === text;
}
