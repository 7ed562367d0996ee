import { type Corpora, corpora } from "./corpus.ts";
import { mutate } from "./mutate.ts";
import { random } from "./random.ts";
import { shortSession } from "./short-session.ts";
import { fuzzPayload, fuzzSettings, fuzzThread, fuzzTranscript, fuzzWords } from "./target-client-files.ts";
import { fuzzNotes, notes } from "./target-notes.ts";
import { fuzzPrograms, SCREENS } from "./target-programs.ts";
import {
  fuzzConfig,
  fuzzManifest,
  fuzzOverview,
  fuzzSkill,
  fuzzState,
  fuzzSteps,
  fuzzUserConfig,
} from "./target-project-files.ts";
import { fuzzContextFile, fuzzEnv } from "./target-role-files.ts";
import { forkedSession, fuzzSessionFiles } from "./target-session-files.ts";
import { fuzzTranscriptFile } from "./target-transcript-file.ts";

/** One kind of text that others write and we read. */
export interface Target {
  readonly seeds: readonly string[];
  /** Throws where what we make of the text is not as it should be. */
  readonly check: (text: string) => void;
}

export function targetsOf(root: string): Readonly<Record<string, Target>> {
  const { files, settings, threads }: Corpora = corpora(root);
  return {
    "context-file": { seeds: files(/\.context\.md$/), check: fuzzContextFile },
    env: { seeds: files(/\.env$|hivemind\.roles$/), check: fuzzEnv },
    manifest: { seeds: files(/resume-context.*\.md$|_resume\.md$/), check: fuzzManifest },
    skill: { seeds: files(/SKILL.*\.md$/), check: fuzzSkill },
    overview: { seeds: files(/01-overview\.md$|04-steps/), check: fuzzOverview },
    steps: { seeds: files(/04-steps/), check: fuzzSteps },
    "user-config": { seeds: files(/user-config\.yaml$/), check: fuzzUserConfig },
    config: { seeds: [CONFIG, ...files(/user-config\.yaml$/)], check: fuzzConfig },
    state: { seeds: [GATE, ...files(/precompact_state.*\.json$/)], check: fuzzState },
    transcript: { seeds: [shortSession(), ...files(/\.jsonl$/)], check: fuzzTranscript },
    "transcript-file": { seeds: [shortSession(), ...files(/\.jsonl$/)], check: fuzzTranscriptFile },
    "session-files": {
      seeds: [forkedSession(), shortSession(), ...files(/subagent.*\.jsonl$/)],
      check: fuzzSessionFiles,
    },
    payload: { seeds: files(/payloads.*\.json$/), check: fuzzPayload },
    settings: { seeds: [...settings, ...files(/\.claude\/settings\.json$/)], check: fuzzSettings },
    notes: { seeds: [...notes(), ...files(/payloads.*ToolUse.*\.json$/)], check: fuzzNotes },
    programs: { seeds: [...SCREENS, ...files(/hivemind\.roles$/)], check: fuzzPrograms },
    thread: { seeds: threads, check: fuzzThread },
    words: { seeds: [SHELL, ...files(/\.jsonl$|\.md$/)], check: fuzzWords },
  };
}

/** The same text for the same target, seed and place. */
export function inputOf(target: Target, name: string, seed: number, index: number): string {
  const chance = random(`${name} ${seed} ${index}`);
  const pick = () => target.seeds[chance.below(target.seeds.length)] ?? "";
  return mutate(chance, pick(), pick());
}

const CONFIG = `tone: plain
budget:
  tokens: 8000
redact:
  - "ACME-[0-9]{8}"
session_start:
  files: [a.md, "b c.md"]
`;
const GATE = JSON.stringify({
  schema_version: 1,
  session_id: "5e551041",
  role: "oosh-expert",
  project_id: "24-demo",
  transcript_path: "/t.jsonl",
  transcript_bytes: 12,
  compacted_at: "2026-01-03T14:00:00Z",
  required: [{ path: "/a.md", for: ["role"], given: "whole", read: { lines: [[1, 20]], total: 40 } }],
  denials: 1,
  opened: null,
});
const SHELL = [
  "cd \"a b\" && git commit -m 'x; y' | tee out.txt 2>&1; (echo $(cat <<'E'",
  "text",
  "E",
  ")) > 02-projects/24-demo/a.md; export FOO_TOKEN=abcdefgh12345678; curl -u a:b https://u:p@h/x",
].join("\n");
