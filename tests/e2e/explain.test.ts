import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../src/base/token-estimate.ts";
import { addSession, makeAcme } from "../helpers/acme-project.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { documentIn, SESSION, type StartOptions, startParts } from "../helpers/session-start.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";
import { readDocument } from "../session-start/read-document.ts";

const ENV = { CLAUDE_CODE_SESSION_ID: SESSION };
const WHOLE = "session/.cache/session-start.xml";

interface Figures {
  readonly characters: number;
  readonly tokens: number;
  readonly budget: number;
}

interface Explained {
  readonly mode: string;
  readonly action: string;
  readonly case: number | null;
  readonly why: string;
  readonly source: string;
  readonly project: string | null;
  readonly confidence: string | null;
  readonly evidence: readonly { readonly line: number; readonly text: string; readonly counted: boolean }[];
  readonly whole: Figures;
  readonly delivered: Figures & {
    readonly cap: number;
    readonly hook_entries: number;
    readonly parts: readonly { readonly part: number; readonly characters: number; readonly tokens: number }[];
  };
  readonly sections: readonly {
    readonly id: string;
    readonly characters: number;
    readonly kept: string;
    readonly why: string;
    readonly parts: readonly number[];
  }[];
  readonly warning: string | null;
}

function explain(workspace: Workspace, words: readonly string[] = [], env: Readonly<Record<string, string>> = ENV) {
  const ran = workspace.context(["explain", "--json", ...words], { env });
  expect(ran.code).toBe(0);
  const value: Explained & { readonly ok: boolean; readonly schema_version: number } = JSON.parse(ran.stdout);
  expect(value).toMatchObject({ ok: true, schema_version: 1 });
  return { value, stderr: ran.stderr };
}

/** Every file below a folder with its bytes and times. */
function tree(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const { mtimeMs, ctimeMs, mode } = statSync(path);
    if (entry.isDirectory()) Object.assign(found, tree(path), { [path]: `${mtimeMs} ${mode}` });
    else found[path] = `${mtimeMs} ${ctimeMs} ${readFileSync(path, "latin1")}`;
  }
  return found;
}

function fill(workspace: Workspace): void {
  workspace.write("00-system/core/orchestrator.md", "Route the user.\n".repeat(5000));
  for (let index = 0; index < 120; index++) {
    const front = `name: skill-${index}\ndescription: Load it when the user says ${index}, and only then, please.`;
    workspace.write(`00-system/skills/tools/skill-${index}/SKILL.md`, `---\n${front}\n---\n`);
  }
}

describe("explain", () => {
  test("gives the figures of what session-start delivers, to the character", async () => {
    const workspace = makeAcme();
    workspace.role("oosh-expert");
    const transcript = addSession(workspace, "execution");
    const cases: readonly (readonly [string, readonly string[], StartOptions])[] = [
      ["small", [], {}],
      [
        "compact",
        ["--source", "compact", "--transcript", "client/2.1.332/execution.jsonl"],
        { source: "compact", transcript },
      ],
      ["resumed", ["--source", "resume", "--transcript", transcript], { source: "resume", transcript }],
      ["large", [], {}],
      ["unknown", ["--source", "later"], { source: "later" }],
    ];
    for (const [name, words, options] of cases) {
      if (name === "large") fill(workspace);
      const env = name === "resumed" ? { ...ENV, HIVEMIND_ROLE: "oosh-expert" } : ENV;
      const { value, stderr } = explain(workspace, words, env);
      expect(stderr, name).toBe("");
      const ran = await startParts(workspace, 4, { ...options, run: { env } });
      const xmls = ran
        .map(({ stdout }) => stdout)
        .filter((stdout) => stdout !== "")
        .map(documentIn);
      expect(value.delivered.parts, name).toEqual(
        xmls.map((xml, index) => ({ part: index + 1, characters: xml.length, tokens: estimateTokens(xml) })),
      );
      expect(value.delivered).toMatchObject({
        characters: xmls.reduce((sum, xml) => sum + xml.length, 0),
        cap: 10_000,
        hook_entries: 4,
        budget: value.mode === "compact" ? 10_000 : 20_000,
      });
      expect(value.whole.characters).toBe(workspace.read(WHOLE).length);
      expect(value.whole.tokens).toBe(estimateTokens(workspace.read(WHOLE)));
      const roots = xmls.map(readDocument);
      expect(value.mode).toBe(roots[0]?.attributes.mode);
      for (const { id, parts, kept } of value.sections) {
        const holding = roots.flatMap(({ children }, index) =>
          children.some((child) => child.name === id) ? index + 1 : [],
        );
        expect(parts, `${name} ${id}`).toEqual(holding);
        expect(kept === "left-out").toBe(parts.length === 0);
      }
      const short = value.sections.filter(({ kept }) => kept !== "whole").map(({ id }) => id);
      if (name === "large") {
        expect(short).toContain("orchestrator-file");
        expect(value.warning).toBe(
          `Not everything fits in 4 × 10000 characters and 20000 tokens: ${short.join(", ")}.`,
        );
      } else
        expect([name, value.warning, short]).toEqual([name, name === "unknown" ? expect.any(String) : null, short]);
    }
  });

  test("is a table for people, with the decision, its evidence and why a section is cut", () => {
    const workspace = makeAcme();
    const transcript = addSession(workspace, "execution");
    const lines = readFileSync(transcript, "utf8").split("\n");
    const { value } = explain(workspace, ["--source", "compact", "--transcript", transcript]);
    expect(value).toMatchObject({ case: 3, project: "24-demo", confidence: "high", source: "compact" });
    expect(value.evidence.length).toBeGreaterThan(3);
    for (const { line, text } of value.evidence) {
      expect(lines[line - 1]).toContain(text.split(" ")[0]);
    }
    const ran = workspace.context(["explain", "--source", "compact", "--transcript", transcript]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^Mode compact, action continue_working, case 3: 24-demo is in hand, in execution\.\n/);
    expect(ran.stdout).toContain(`Root: ${workspace.root}\n`);
    expect(ran.stdout).toMatch(/\nEvidence:\nline \d+ +24-demo /);
    expect(ran.stdout).toMatch(/\nsection +characters +tokens +kept +parts +why\n/);
    expect(ran.stdout).toMatch(/\ninstruction +\d+ +\d+ +whole +1 +fits\n/);

    workspace.write("context.yaml", "delivery: {cap: 3000, parts: 2}\n");
    const cut = workspace.context(["explain", "--source", "compact", "--transcript", transcript]).stdout;
    expect(cut).toMatch(/\nDelivered: \d+ characters in [12] of 2 parts of at most 3000, /);
    expect(cut).toMatch(/\n[a-z-]+ +\d+ +\d+ +(?:cut|left-out) .*the delivery's characters\n/);
    expect(cut).toMatch(/\nNot everything fits in 2 × 3000 characters and 10000 tokens: .+\.\n$/);
  });

  test("changes nothing: no state used up, no machine moved, no cache, no record", () => {
    const workspace = makeAcme();
    workspace.role("oosh-expert");
    workspace.context("lifecycle.save oosh-expert");
    workspace.write(
      "00-system/.cache/precompact_state.json",
      JSON.stringify({
        active_project_id: "24-demo",
        confidence: "high",
        detection_method: "transcript",
        timestamp: new Date().toISOString(),
        session_id: SESSION,
      }),
    );
    const before = tree(workspace.root);
    const env = { ...ENV, HIVEMIND_ROLE: "oosh-expert" };
    for (const source of ["startup", "compact", "resume"]) {
      const { value } = explain(workspace, ["--source", source], env);
      expect(value.project).toBe(source === "startup" ? null : "24-demo");
      expect(value.sections.map(({ id }) => id)).toContain("role-context");
    }
    workspace.context("session-start --print", {
      input: JSON.stringify({ session_id: SESSION, source: "compact" }),
      env,
    });
    expect(tree(workspace.root)).toEqual(before);
  });

  test("finds the running session's transcript among the client's own", () => {
    const workspace = makeAcme();
    const home = makeWorkspace();
    const log = new SessionLog(workspace.root)
      .edit("02-projects/27-xml-context/a.md")
      .edit("02-projects/27-xml-context/b.md");
    home.write(`projects/-Users-me-claude-code/${SESSION}.jsonl`, log.text());
    const env = { ...ENV, CLAUDE_CONFIG_DIR: home.root };
    expect(explain(workspace, ["--source", "compact"], env).value.project).toBe("27-xml-context");
    expect(explain(workspace, ["--source", "compact"], { CLAUDE_CONFIG_DIR: home.root }).value.project).toBeNull();
  });

  test("shows no secret of the transcript, wherever in it it stands", async () => {
    const workspace = makeAcme();
    const token = `ghp_${"a1B2".repeat(9)}`;
    const log = new SessionLog(workspace.root)
      .edit("02-projects/24-demo/a.md")
      .bash(`GH_TOKEN=${token} make -C 02-projects/24-demo`)
      .edit(`02-projects/24-demo/${token}.md`)
      .call("Skill", { skill: token });
    const skill = new SessionLog(workspace.root).call("Skill", { skill: token });
    for (const [name, text] of [
      ["work", log.text()],
      ["skill", skill.text()],
    ] as const) {
      const transcript = workspace.write(`client/${name}.jsonl`, text);
      for (const words of [[], ["--json"]]) {
        const ran = workspace.context(["explain", "--source", "compact", "--transcript", transcript, ...words]);
        expect(ran.code).toBe(0);
        expect(ran.stdout + ran.stderr).not.toContain(token);
        expect(ran.stdout).toContain("[REDACTED:");
      }
      // Nor does what a start leaves behind for whoever asks later.
      await startParts(workspace, 1, { source: "compact", transcript });
      const kept = Object.values(tree(workspace.path("session/.cache")));
      expect(kept.length).toBeGreaterThan(2);
      for (const text of kept) expect(text).not.toContain(token);
    }
  });

  test("says when what it was asked to look at has no part in the answer", () => {
    const workspace = makeAcme();
    const transcript = addSession(workspace, "execution");
    const said = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      explain(workspace, words, env).stderr;
    expect(said(["--transcript", transcript])).toMatch(/looks at no transcript/);
    expect(said(["--source", "compact", "--transcript", "gone.jsonl"])).toMatch(/gone\.jsonl does not exist\./);
    expect(said(["--source", "compact", "--transcript", "02-projects"])).toMatch(/Expected a file, found a directory/);
    expect(said([], { HIVEMIND_ROLE: "Bad Role" })).toMatch(/HIVEMIND_ROLE: /);
    workspace.write("context.yaml", 'redact: ["(a+)+$"]\n');
    expect(said([])).toMatch(/^context\.yaml: redact: \(a\+\)\+\$: .*expected a bound/);
    expect(workspace.context("explain --nothing")).toMatchObject({ code: 2, stdout: "" });
  });

  test("of a session that compacts in a loop tells of the one short document", async () => {
    const workspace = makeAcme();
    const log = new SessionLog(workspace.root).prompt("go").edit("02-projects/24-demo/a.md").compacted().compacted();
    const transcript = workspace.write("client/s.jsonl", log.edit("02-projects/24-demo/b.md").text());
    const { value } = explain(workspace, ["--source", "compact", "--transcript", transcript]);
    const ran = await startParts(workspace, 4, { source: "compact", transcript, run: { env: ENV } });
    const xml = documentIn(ran[0]?.stdout ?? "");
    expect(value.delivered.parts).toEqual([{ part: 1, characters: xml.length, tokens: estimateTokens(xml) }]);
    expect(value.warning).toMatch(/^3 compactions within \d+ minutes.*: only a short document is given\.$/);
    expect(value.sections.every(({ kept }) => kept === "left-out")).toBe(true);
    expect(value.whole.characters).toBe(workspace.read(WHOLE).length);
  });
});
