import { expect, test } from "vitest";
import { makeAcme } from "../helpers/acme-project.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { SESSION } from "../helpers/session-start.ts";

const ROLE = "oosh-expert";

test.each([
  ["pre-compact", "PreCompact", { trigger: "auto" }, "{}\n"],
  ["pre-compact --guidance", "PreCompact", { trigger: "auto" }, ""],
  ["session-start --part 1/4", "SessionStart", { source: "compact" }, ""],
])("%s has nothing to say of a sub-agent's compaction, and changes nothing", (words, event, more, nothing) => {
  const workspace = makeAcme();
  workspace.role(ROLE);
  expect(workspace.context(`lifecycle.save ${ROLE}`).code).toBe(0);
  const log = new SessionLog(workspace.root)
    .prompt("go on")
    .edit(workspace.path("02-projects/24-demo/02-working/a.md"));
  const transcript = workspace.write("client/s.jsonl", log.text());
  const run = (agent: object) =>
    workspace.context(words, {
      env: { CLAUDE_PROJECT_DIR: workspace.root, HIVEMIND_ROLE: ROLE },
      input: JSON.stringify({
        ...{ session_id: SESSION, transcript_path: transcript, cwd: workspace.root, ...agent },
        ...{ hook_event_name: event, ...more },
      }),
    });
  const before = workspace.state(ROLE);
  expect(run({ agent_id: "aed63fb72845f784c", agent_type: "general-purpose" })).toMatchObject({
    ...{ code: 0, stdout: nothing, stderr: "" },
  });
  expect(workspace.state(ROLE)).toEqual(before);
  expect(workspace.exists("session/.cache")).toBe(false);
  // A client that runs as a kind of agent says which.
  expect(run({ agent_type: "reviewer" })).toMatchObject({ code: 0 });
  expect(workspace.state(ROLE)).not.toEqual(before);
});
