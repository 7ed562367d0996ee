import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { applyEdits } from "../../src/base/text-edit.ts";
import { readManifestFast } from "../../src/resume/manifest-fast.ts";
import { parseManifest } from "../../src/resume/parse-manifest.ts";
import { updateManifest } from "../../src/resume/update.ts";
import { DAMAGES } from "./damages.ts";

const FILE = new URL("fixtures/damages.json", import.meta.url);
const VALUES = {
  current_section: 3,
  current_task: 16,
  progress: "15/40 tasks complete",
  current_phase: "testing",
  next_action: "execute-project",
  last_updated: "2026-02-01T08:00:00Z",
} as const;

/** The lines that differ, `-` before and `+` behind. */
function difference(before: string, after: string): readonly string[] {
  const [was, is] = [before.split("\n"), after.split("\n")];
  return [
    ...was.filter((line) => !is.includes(line)).map((line) => `- ${short(line)}`),
    ...is.filter((line) => !was.includes(line)).map((line) => `+ ${short(line)}`),
  ];
}

function short(text: string): string {
  return text.length > 300 ? `${text.slice(0, 290)}… ${text.length}` : text;
}

interface Page {
  readonly findings: readonly string[];
  readonly manifest: unknown;
  /** Whether the reader without a YAML parser takes it. */
  readonly fast: boolean;
  readonly fixed?: readonly string[];
  readonly updated: unknown;
}

function pageOf(text: string): Page {
  const { manifest, diagnostics } = parseManifest(text);
  const fixed = applyEdits(
    text,
    diagnostics.flatMap(({ fix }) => fix ?? []),
  );
  const update = updateManifest(text, VALUES);
  // It leaves a comment behind a value to YAML.
  const fast = readManifestFast(text.replace("  # the boxes", ""));
  if (fast !== null) expect(manifest).toMatchObject(fast);
  return {
    findings: diagnostics.map(
      ({ start, end, severity, code, message, hint = "" }) =>
        `${start.line}:${start.column}-${end.line}:${end.column} ${severity} ${code}: ${short(message)} ${hint}`,
    ),
    manifest: manifest === null ? null : JSON.parse(JSON.stringify(manifest)),
    fast: fast !== null,
    ...(fixed === text ? {} : { fixed: difference(text, fixed) }),
    updated: update.ok
      ? { changed: update.value.changed.join(" "), lines: difference(text, update.value.text) }
      : JSON.parse(JSON.stringify(update.error)),
  };
}

// Every word that a person is told about a damaged manifest, and every byte of its fix and its update. After a change made on purpose:
// UPDATE_PAGES=1 npx vitest run --config tests/vitest.config.ts tests/resume/pages.test.ts, then read the difference.
if (process.env.UPDATE_PAGES) {
  const pages = Object.entries(DAMAGES).map(([name, text]) => [name, pageOf(text)]);
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(pages), null, 1)}\n`);
}
const pages: Readonly<Record<string, Page>> = JSON.parse(readFileSync(FILE, "utf8"));

test.each(Object.entries(DAMAGES))("%s", (name, text) => {
  expect(pageOf(text)).toEqual(pages[name]);
});

test("there is a page for each damage, and no other", () => {
  expect(Object.keys(pages)).toEqual(Object.keys(DAMAGES));
});
