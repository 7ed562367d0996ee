import type { Finding } from "../base/diagnostic.ts";
import { quote } from "../base/quote.ts";
import { suggest } from "../base/suggest.ts";
import type { Field } from "./field.ts";
import { CLIENT_KEYS, SPECIFIED_KEYS } from "./known-keys.ts";

/** A file with more strange keys than this is no skill; a finding for each would bury the ones that count. */
const MOST_KEY_FINDINGS = 10;

/** A warning for each key that no reader of skills knows, an error for each that stands twice. */
export function checkKeys(fields: readonly Field[]): readonly Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  let more = 0;
  for (const field of fields) {
    const finding = seen.has(field.key) ? duplicate(field) : SPECIFIED_KEYS.has(field.key) ? null : unknown(field);
    seen.add(field.key);
    if (finding === null) continue;
    if (findings.length < MOST_KEY_FINDINGS) findings.push(finding);
    else more += 1;
  }
  const last = findings.at(-1);
  if (more > 0 && last !== undefined) findings.push({ ...last, message: `${more} more keys are unknown or repeated` });
  return findings;
}

function duplicate({ key, keySpan }: Field): Finding {
  return {
    code: "duplicate-key",
    severity: "error",
    span: keySpan,
    message: `Expected each key once, found ${quote(key)} again`,
    hint: "Keep one of the lines; the first one holds until then.",
  };
}

function unknown({ key, keySpan }: Field): Finding | null {
  if (CLIENT_KEYS.has(key)) return null;
  const near = suggest(key, SPECIFIED_KEYS);
  return {
    code: "unknown-key",
    severity: "warning",
    span: keySpan,
    message: `Expected a key of Agent Skills, found ${quote(key)}`,
    hint: near === null ? 'Move it below "metadata", which holds keys of your own.' : `Did you mean "${near}"?`,
  };
}
