import { describe, expect, test } from "vitest";
import { addSession, expectedDetections, makeAcme, sessionText, VERSIONS } from "../helpers/acme-project.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

interface Score {
  readonly project: string;
  readonly score: number;
  readonly writes: number;
  readonly reads: number;
  readonly last_line: number;
}

interface Evidence {
  readonly line: number;
  readonly kind: string;
  readonly project: string;
  readonly text: string;
  readonly counted: boolean;
  readonly why: string;
}

interface Detected {
  readonly ok: boolean;
  readonly root: string;
  readonly project: string | null;
  readonly confidence: string | null;
  readonly switched: boolean;
  readonly switched_by: { readonly name: string; readonly line: number } | null;
  readonly bulk: boolean;
  readonly runner_up: string | null;
  readonly scores: readonly Score[];
  readonly evidence: readonly Evidence[];
  readonly rows: { readonly broken: number; readonly oversize: number; readonly partial: number };
}

function detected(workspace: Workspace, transcript: string): Detected {
  const ran = workspace.context(["detect", "--transcript", transcript, "--json"]);
  expect(ran, transcript).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ran.stdout);
}

/** Lines, from 1, of the main line's calls that name a path below a project's folder. */
function projectLines(text: string): readonly number[] {
  const isCall = (line: string) => line.includes('"type":"tool_use"') && !line.includes('"isSidechain":true');
  const path = /"(?:file_path|command)":"[^"]*02-projects\/[0-9]/;
  return text.split("\n").flatMap((line, index) => (isCall(line) && path.test(line) ? [index + 1] : []));
}

describe.each(VERSIONS)("sessions recorded with %s", (version) => {
  test("give the project, the confidence and who took over, with the lines that say so", () => {
    const workspace = makeAcme();
    const rows = expectedDetections(version);
    expect(rows.size).toBe(version === "2.1.332" ? 15 : 14);
    for (const [name, row] of rows) {
      const found = detected(workspace, addSession(workspace, name, version));
      const { project, confidence, switched } = row;
      expect({ name, ...found }).toMatchObject({ name, ok: true, root: workspace.root, project, confidence, switched });
      expect(found.rows, name).toEqual({ broken: 0, oversize: 0, partial: 0 });
      expect(found.switched_by !== null, name).toBe(switched);

      // Each candidate has its score, the first is the one in hand, the second the runner-up.
      expect(found.scores.map((score) => score.project).slice(0, 2), name).toEqual(
        [found.project, found.runner_up].filter((id) => id !== null),
      );
      for (const score of found.scores) expect(score.score, name).toBeGreaterThan(0);

      // Every call on a project's file is weighed, at the line where it stands.
      const text = sessionText(version, name, workspace.root);
      const lines = text.split("\n");
      expect(
        found.evidence.map(({ line }) => line),
        name,
      ).toEqual(expect.arrayContaining([...projectLines(text)]));
      for (const item of found.evidence) {
        const line = lines[item.line - 1] ?? "";
        const tool = item.text.split(" ")[0] ?? "";
        if (item.kind === "read" || item.kind === "write" || item.kind === "skill")
          expect(line, name).toContain(`"name":"${tool}"`);
        if (item.kind === "slash-command") expect(line, name).toContain("<command-name>");
        if (item.kind === "summary") expect(line, name).toContain('"isCompactSummary":true');
        expect(item.why, name).not.toBe("");
      }
      if (found.switched_by !== null) {
        expect(lines[found.switched_by.line - 1], name).toContain(found.switched_by.name);
      }
    }
  });
});

test("a person reads the verdict, a score for each candidate, and what counted or did not, and why", () => {
  const workspace = makeAcme();
  const shown = (name: string) => {
    const ran = workspace.context(["detect", "--transcript", addSession(workspace, name)]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    return ran.stdout;
  };
  const two = shown("two-projects");
  expect(two).toMatch(/^27-xml-context \(confidence high\)\n/);
  expect(two).toContain(`\nRoot: ${workspace.root}\n`);
  expect(two).toContain("\nRunner-up: 24-demo\n");
  expect(two).toMatch(/\nPROJECT +SCORE +WRITES +READS .*\n27-xml-context +[0-9.]+ +1 +2 .*\n24-demo +[0-9.]+ +0 +4 /);
  expect(two).toMatch(/\nCounted:\nline 22 +24-demo +read +Read .*04-steps\.md +\(Read\)\n/);
  expect(two).toMatch(/\nline 48 +27-xml-context +write +Edit .*04-steps\.md +\(Edit\)\n/);

  expect(shown("skill-after-project")).toContain("\nAnother skill took over: weekly-report, line 63\n");
  const failed = shown("failed-results");
  expect(failed).toMatch(/^24-demo \(confidence medium\)\n/);
  const [, others = ""] = failed.split("\nNot counted:\n");
  expect(others).toMatch(/^line 22 +99-missing +read .*\(a call that failed is no work\)\n/);
  expect(others).toMatch(/\nline 35 +27-xml-context +write .*\(a call that failed is no work\)\n/);

  const talk = new SessionLog(workspace.root).prompt("What about 24-demo?").says("24-demo is fine.");
  const chat = workspace.context(["detect", "--transcript", workspace.write("client/talk.jsonl", talk.text())]).stdout;
  expect(chat).toBe(
    `No project in hand.\nRoot: ${workspace.root}\n\nNot counted:\n` +
      "line 1  24-demo  prompt  What about 24-demo?  (a project named in talk is no work)\n",
  );
});

test("one edit outweighs twelve looks elsewhere; a project named in a result, a tree or a reminder counts nothing", () => {
  const workspace = makeAcme();
  const log = new SessionLog(workspace.root).edit("02-projects/24-demo/a.md");
  for (let count = 0; count < 6; count++) {
    log.read(`02-projects/27-xml-context/${count}.md`).bash(`grep -n x 02-projects/27-xml-context/${count}.md`);
  }
  log.bash("ls -R", { says: "02-projects/27-xml-context:\n02-projects/27-xml-context/01-planning" });
  log.prompt("<system-reminder>02-projects/27-xml-context</system-reminder>").prompt("what about 27-xml-context?");
  const found = detected(workspace, workspace.write("s.jsonl", log.text()));
  expect(found).toMatchObject({ project: "24-demo", runner_up: "27-xml-context", bulk: false });
  expect(found.scores).toMatchObject([
    { project: "24-demo", writes: 1, reads: 0 },
    { project: "27-xml-context", writes: 0, reads: 12 },
  ]);
  for (const score of found.scores) {
    expect(Object.keys(score).filter((key) => /[A-Z]/.test(key))).toEqual([]);
    const lines = found.evidence.filter(({ project, counted }) => counted && project === score.project);
    expect(score.last_line).toBe(lines.at(-1)?.line);
  }
});

test("three projects worked on alike are bulk work, and no project", () => {
  const workspace = makeAcme();
  const ids = ["31-a", "32-b", "33-c"];
  const log = new SessionLog(workspace.root);
  for (const id of ids) {
    workspace.write(`02-projects/${id}/01-planning/04-steps.md`, "- [ ] x\n");
    log.edit(`02-projects/${id}/01-planning/04-steps.md`);
  }
  const path = workspace.write("s.jsonl", log.text());
  expect(detected(workspace, path)).toMatchObject({ project: null, bulk: true, confidence: null });
  expect(workspace.context(["detect", "--transcript", path]).stdout).toMatch(/^No project: several .*\n/);
});

test("bad rows are counted and told, and the lines of the good ones stay right", () => {
  const workspace = makeAcme();
  const log = new SessionLog(workspace.root)
    .raw("{broken")
    .raw("")
    .raw('"no record"')
    .add({ type: "user", message: { role: "user", content: null } })
    .add({ type: "user", message: "text" })
    .add({ type: "assistant", message: { content: [null, "x", { type: "tool_use", id: 5 }] } })
    .edit("02-projects/24-demo/a.md");
  const path = workspace.write("s.jsonl", `${log.text()}{"type":"assistant","message":{"content":[{"type":"tool_u`);
  const ran = workspace.context(["detect", "--transcript", path]);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toBe("Passed over: 2 broken rows.\n");
  expect(ran.stdout).toMatch(/\nline 7 +24-demo +write /);
});

test("a transcript that cannot be read is named, with what is there instead", () => {
  const workspace = makeAcme();
  for (const [name, code] of [
    ["missing.jsonl", "transcript-missing"],
    ["02-projects", "transcript-not-a-file"],
    ["/dev/null", "transcript-not-a-file"],
  ] as const) {
    const ran = workspace.context(["detect", "--transcript", name, "--json"]);
    expect(ran).toMatchObject({ code: 1, stderr: "" });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ok: false,
      error: { code, message: expect.stringContaining(name) },
    });
  }
});

test("without a transcript named it is the running session's; where there is none, how to name one is said", () => {
  const workspace = makeAcme();
  const client = makeWorkspace();
  const id = "b9ff7b48-ef86-4ef0-86d3-7835c69ec06b";
  const path = client.write(`projects/-x/${id}.jsonl`, sessionText(VERSIONS[0], "manual-compact", workspace.root));
  const run = (session: string) =>
    workspace.context("detect", { env: { CLAUDE_CONFIG_DIR: client.root, CLAUDE_CODE_SESSION_ID: session } });
  expect(run(id)).toEqual(workspace.context(["detect", "--transcript", path]));
  expect(run(id).stdout).toContain("24-demo");
  const [unknown, none] = [run("another"), run("")];
  expect(unknown).toMatchObject({ code: 1, stdout: "" });
  expect(unknown.stderr).toContain("no transcript of session another");
  expect(none).toMatchObject({ code: 2, stdout: "" });
  expect(none.stderr).toContain("--transcript <file>");
});

test("a session of another place is said to be one, not taken for a session without work", () => {
  const workspace = makeAcme();
  const elsewhere = makeWorkspace();
  const path = addSession(workspace, "execution");
  const ran = elsewhere.context(["detect", "--transcript", path]);
  expect(ran.code).toBe(0);
  expect(ran.stdout).toMatch(/^No project in hand\.\n/);
  expect(ran.stderr).toContain(workspace.root);
  expect(ran.stderr).toContain("--root");
});
