import { describe, expect, it } from "vitest";
import { summariserGuidance } from "../../src/trail/guidance.ts";
import { renderTrail } from "../../src/trail/render.ts";
import { Session } from "./session.ts";

const KEY = `sk-ant-api03-${"aB3dE5fG7h".repeat(4)}`;
const TOKEN = `ghp_${"a1B2c3D4e5".repeat(4)}`;

/** A session with a secret in every place that a trail shows. */
function leaky(secret: string): Session {
  return new Session()
    .prompt(`use ${secret} for https://example.com/?token=${secret} and #1`)
    .says(`Shall I use ${secret}?`)
    .prompt(`yes ${secret}`)
    .call("TodoWrite", { todos: [{ content: `rotate ${secret}`, status: "in_progress" }] })
    .edit(`config/${secret}.json`)
    .read(`logs/${secret}`)
    .bash(`curl -H "x-api-key: ${secret}" example.com > out-${secret}.txt`)
    .bash(`deploy ${secret}`, { failed: true, says: `Exit code 1\nerror: key ${secret} refused` })
    .bash(`npm test -- ${secret}`, { says: ` Tests  1 failed ${secret} (1)` })
    .bash("git commit -m x", { says: `[${secret} abc1234] add ${secret}` })
    .call(
      "AskUserQuestion",
      { questions: [{ question: `Is ${secret} right?` }] },
      { note: { answers: { [`Is ${secret} right?`]: secret } } },
    )
    .call("Agent", { description: `check ${secret}` }, { open: true })
    .call(`mcp__${secret}__x`, {}, { failed: true, says: secret })
    .bash(`sleep ${secret}`, {
      failed: true,
      says: `The user doesn't want to proceed with this tool use. the user said:\nnot ${secret}`,
    });
}

describe("secrets", () => {
  it.each([KEY, TOKEN])("are in nothing that is made from a trail: %s", (secret) => {
    const trail = leaky(secret).trail();
    const facts = {
      projectId: secret,
      phase: secret,
      currentTask: `use ${secret}`,
      openTasks: [],
      recoverCommand: `recover ${secret}`,
    };
    const texts = [
      JSON.stringify(trail),
      ...(["md", "xml", "json"] as const).map((format) => renderTrail(trail, { format, budget: 5_000 }).text),
      summariserGuidance(trail, facts),
    ];
    for (const text of texts) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(secret.slice(0, 24));
      expect(text).toContain("[REDACTED:");
    }
  });

  it("are not half shown where a text is cut", () => {
    for (let padding = 1_950; padding < 2_010; padding += 1) {
      const trail = new Session().prompt(`${"x".repeat(padding)} ${KEY}`).trail();
      expect(JSON.stringify(trail)).not.toContain("sk-ant");
    }
  });

  it("are not half shown where a long text is no longer looked at", () => {
    for (const padding of [65_500, 65_520, 65_530, 65_536]) {
      const secretUrl = "https://user:correct-horse-battery@host/";
      const trail = new Session()
        .bash("make", { failed: true, says: `error ${"x".repeat(padding - 6)} ${secretUrl}` })
        .trail();
      expect(JSON.stringify(trail)).not.toContain("correct-horse");
    }
  });

  it("of a person's own kind are taken out too", () => {
    const trail = new Session().prompt("the code is XK-12345").trail({ redactPatterns: [/XK-[0-9]{5}/g] });
    expect(trail.requests).toMatchObject([{ text: "the code is [REDACTED:custom]" }]);
  });
});
