import { describe, expect, test } from "vitest";
import { addSession, makeAcme, preCompactPayload, stepsWith } from "../helpers/acme-project.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { EVIL, RAW } from "../helpers/unsafe-text.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const STEPS = "02-projects/24-demo/01-planning/04-steps.md";

function guidance(workspace: Workspace, transcript: string | null, env: Readonly<Record<string, string>> = {}): string {
  // One that comes by itself while a sub-agent is waited for is the sub-agent's.
  const input = preCompactPayload(workspace, transcript, { trigger: "manual" });
  const ran = workspace.context("pre-compact --guidance", { input, env });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout.length).toBeLessThanOrEqual(2000);
  expect(Buffer.from(ran.stdout).toString()).toBe(ran.stdout);
  return ran.stdout;
}

/** What stands behind a lead, on its line. */
function said(text: string, lead: string): string | null {
  return (
    text
      .split("\n")
      .find((line) => line.startsWith(`- ${lead}: `))
      ?.slice(lead.length + 4) ?? null
  );
}

test("of a session that is longer than what a hook reads no request is told to be the first", () => {
  const workspace = makeAcme();
  const log = new SessionLog(workspace.root).prompt("Build the parser.");
  for (let call = 0; call < 300; call += 1) {
    if (call === 200) log.prompt("Tabs too, please.");
    log.edit("02-projects/24-demo/02-working/parser.md");
  }
  log.prompt("Now the docs.");
  const transcript = workspace.write("client/s.jsonl", log.text());
  const text = guidance(workspace, transcript);
  expect(said(text, "The person's last request")).toBe("Now the docs.");
  expect(said(text, "The person's first request")).toBeNull();
  const payload = { ...JSON.parse(preCompactPayload(workspace, transcript)), hook_event_name: "SessionStart" };
  const start = workspace.context("session-start --print", {
    input: JSON.stringify({ ...payload, source: "compact" }),
  });
  expect(start.stdout).toContain("# Work trail, of the newest records\n");
  expect(start.stdout).toContain("- Tabs too, please. (14:");
  expect(start.stdout).not.toContain("first request");
});

test("pictures that a person sent or the agent looked at leave room for what was asked and done", () => {
  const workspace = makeAcme();
  const picture = "/9j/4AAQSkZJ".repeat(40_000);
  const source = { type: "base64", data: picture.repeat(3), media_type: "image/png" };
  const text = { type: "text", text: "Make the page like this." };
  const log = new SessionLog(workspace.root)
    .write("02-projects/24-demo/02-working/parser.md")
    .add({ type: "user", message: { role: "user", content: [text, { type: "image", source }] } });
  for (let shot = 0; shot < 6; shot += 1) {
    // The client writes each of them twice.
    log.read(`shots/${shot}.png`, { open: true }).add({
      type: "user",
      message: {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: `toolu_${shot + 2}`,
            content: [{ type: "image", source: { ...source, data: picture } }],
          },
        ],
      },
      toolUseResult: { type: "image", file: { base64: picture, type: "image/png" } },
    });
  }
  const told = guidance(workspace, workspace.write("client/s.jsonl", log.text()));
  expect(said(told, "The person's last request")).toBe("Make the page like this.");
  expect(said(told, "Files changed")).toBe("02-projects/24-demo/02-working/parser.md");
  expect(said(told, "Project")).toBe("24-demo, phase execution");
});

test("the summariser is told the project, its phase, the task word for word, the files, and how to come back", () => {
  const workspace = makeAcme();
  // The words of the steps file, whatever the agent's own list calls it; the first open box, not the first one.
  const task = 'Parse `*.jsonl`  rows: "bad" ones are <counted>, 5 % — 漢字, naïve & 🚀; see §2.1 (#7)';
  workspace.write(
    STEPS,
    stepsWith(3).replace("Parse the transcript", () => task),
  );
  const log = new SessionLog(workspace.root)
    .prompt("Make the parser fast.")
    .call("TodoWrite", {
      todos: [
        { content: "Some other words", status: "in_progress" },
        { content: "Measure it", status: "pending" },
        { content: "Long done", status: "completed" },
      ],
    })
    .write("02-projects/24-demo/02-working/parser.md")
    .edit(`${workspace.root}/src/naïve parser.ts`)
    .edit("src/refused.ts", { failed: true, says: "no such text" })
    .bash("npm test", { failed: true, says: "Exit code 1\nError: 3 rows differ" })
    .call("Agent", { description: "Look up notes", prompt: "…" }, { open: true });
  const text = guidance(workspace, workspace.write("client/s.jsonl", log.text()));
  expect(said(text, "Project")).toBe("24-demo, phase execution");
  expect(said(text, "Current task, word for word")).toBe(task);
  expect(said(text, "Files changed")?.split("; ").sort()).toEqual([
    "02-projects/24-demo/02-working/parser.md",
    "src/naïve parser.ts",
  ]);
  expect(said(text, "Open tasks")).toContain("Measure it");
  expect(text).not.toContain("Long done");
  expect(said(text, "Unanswered errors")).toMatch(/^npm test: .*Error: 3 rows differ/);
  expect(said(text, "Still running, not to be started again")).toBe("Look up notes");
  expect(said(text, "The person's last request")).toBe("Make the parser fast.");
  expect(text).toMatch(/To recover after the compaction: \.\/context resume\.show 24-demo\n$/);
  expect(text.startsWith("{") || text.startsWith("[")).toBe(false);
});

test("the phase follows the boxes, and where all are closed there is no task", () => {
  const workspace = makeAcme();
  const transcript = addSession(workspace, "execution");
  const facts = [stepsWith(0), stepsWith(2), stepsWith(6), ""].map((steps) => {
    workspace.write(STEPS, steps);
    const text = guidance(workspace, transcript);
    return [said(text, "Project"), said(text, "Current task, word for word")];
  });
  expect(facts).toEqual([
    ["24-demo, phase planning", "Write overview"],
    ["24-demo, phase execution", "Set up"],
    ["24-demo, phase complete", null],
    ["24-demo", null],
  ]);
});

test("the open boxes behind the task are told where the client keeps no to-do list, without secrets, and counted", () => {
  const workspace = makeAcme();
  const transcript = addSession(workspace, "execution");
  expect(said(guidance(workspace, transcript), "Open tasks")).toBe("Write the state file; Test");
  const rest = Array.from({ length: 300 }, (_, index) => `- [ ] Box ${index}\n`).join("");
  workspace.write(STEPS, `## Phase 2: Build\n- [x] Done\n- [ ] Now\n- [ ] Set API_TOKEN=hunter2hunter2\n${rest}`);
  const text = guidance(workspace, transcript);
  expect(said(text, "Open tasks")).toMatch(/^Set API_TOKEN=\[REDACTED:[a-z-]+\]; Box 0; Box 1; .* \(\d+ more\)$/);
  expect(text).not.toMatch(/hunter2|Done/);
});

test("only what was done since the last compaction is told of the work", () => {
  const workspace = makeAcme();
  const text = guidance(workspace, addSession(workspace, "two-compacts"));
  expect(said(text, "Project")).toBe("27-xml-context, phase execution");
  expect(said(text, "Files changed")?.split("; ").sort()).toEqual([
    "02-projects/27-xml-context/01-planning/02-discovery.md",
    "02-projects/27-xml-context/01-planning/03-plan.md",
  ]);
});

describe("where nothing is known, nothing is printed", () => {
  test.each(["no transcript", "an empty one", "one without a word of anybody"])("%s", (what) => {
    const workspace = makeAcme();
    const text = what === "an empty one" ? "" : new SessionLog(workspace.root).add({ type: "summary" }).text();
    expect(guidance(workspace, what === "no transcript" ? null : workspace.write("client/s.jsonl", text))).toBe("");
    expect(workspace.exists("00-system/.cache")).toBe(false);
  });

  test("and what is known without a project is told without one", () => {
    const workspace = makeWorkspace();
    const log = new SessionLog(workspace.root).prompt("Rename it.").edit("src/a.ts");
    const text = guidance(workspace, workspace.write("client/s.jsonl", log.text()));
    expect(said(text, "Project")).toBeNull();
    expect(said(text, "Files changed")).toBe("src/a.ts");
    expect(text).not.toContain("resume.show");
    expect(workspace.list("session")).toEqual(["agents"]);
  });
});

test("however much there is to say, it stays within 2 000 characters, and the task is in it whole", () => {
  const workspace = makeAcme();
  workspace.role("oosh-expert");
  const task = `${"Rewrite the 🚀 parser so that 漢字 pass; ".repeat(14)}end.`;
  workspace.write(STEPS, `# Steps\n\n## Phase 2: Build\n- [ ] ${task}\n`);
  const log = new SessionLog(workspace.root).prompt("👨‍👩‍👧‍👦 ".repeat(3000)).edit("02-projects/24-demo/a.md");
  for (let count = 0; count < 60; count++) {
    log.edit(`src/${"deep/".repeat(count % 20)}file-${count}-🚀.ts`);
    log.bash(`make ${count}-${"🚀".repeat(300)}`, { failed: true, says: `Error ${count} ${"漢".repeat(500)}` });
    log.call("Agent", { description: `agent ${count} ${"🚀".repeat(100)}` }, { open: true });
  }
  const todos = Array.from({ length: 80 }, (_, index) => ({
    content: `todo ${index} ${"🇩🇪".repeat(90)}`,
    status: "pending",
  }));
  const transcript = workspace.write("client/s.jsonl", log.call("TodoWrite", { todos }).text());
  for (const role of ["", "oosh-expert"]) {
    const text = guidance(workspace, transcript, { HIVEMIND_ROLE: role });
    expect(said(text, "Project")).toBe("24-demo, phase execution");
    expect(said(text, "Current task, word for word")).toBe(task);
    expect(said(text, "Files changed")).toMatch(/ \(\d+ more\)$/);
    expect(text).toContain(role === "" ? "./context resume.show 24-demo\n" : "./context recover oosh-expert\n");
    // A line is whole or not there.
    expect(text.endsWith("\n")).toBe(true);
  }
});

test("escape sequences and reordering marks of a steps file or a session reach nobody's terminal", () => {
  const workspace = makeAcme();
  workspace.write(STEPS, `# Steps\n\n## Phase 2: Build\n- [ ] Parse ${EVIL} rows\n`);
  const log = new SessionLog(workspace.root)
    .prompt(`do ${EVIL}`)
    .edit(`02-projects/24-demo/${EVIL}.md`)
    .edit(`src/${EVIL}.ts`)
    .bash(`run ${EVIL}`, { failed: true, says: `Error ${EVIL}` })
    .call("Agent", { description: `look ${EVIL}` }, { open: true });
  const text = guidance(workspace, workspace.write("client/s.jsonl", log.text()));
  expect(said(text, "Current task, word for word")).toContain("\\u{202e}evil");
  expect(text).not.toMatch(RAW);
});

test("the same files give the same bytes, in any zone, language and minute", () => {
  const workspace = makeAcme();
  const transcript = addSession(workspace, "manual-compact");
  const first = guidance(workspace, transcript);
  for (const env of [
    { TZ: "Pacific/Kiritimati", LANG: "C", LC_ALL: "C" },
    { TZ: "America/St_Johns", LC_ALL: "tr_TR" },
  ]) {
    expect(guidance(workspace, transcript, env)).toBe(first);
  }
});
