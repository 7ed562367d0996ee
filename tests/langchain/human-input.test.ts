import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { answerTo, createAgent, HumanInputRequest, humanInputTool } from "../../src/langchain.ts";
import { remove, temporaryFolder } from "../platform/scripts.ts";
import { calls, lines, type Reply, ScriptedModel, toolOf } from "./scripted-model.ts";

const QUIET = { threadsFolder: null, retryDelayMs: 0 } as const;

const schema = { type: "object", properties: { version: { type: "string" } }, required: ["version"] } as const;

describe("human input", () => {
  it("waits for an answer to the model's question, and goes on with it", async () => {
    const question = { question: "Which file?", choices: ["a.txt", "b.txt"] };
    const model = new ScriptedModel([calls({ c: ["ask_human", question] }, "I ask."), "It is b.txt."]);
    const agent = createAgent({ ...QUIET, model, tools: [humanInputTool()] });
    const waiting = await agent.run({ input: "go" });
    expect(waiting).toMatchObject({
      status: "waiting",
      question: "Which file?",
      request: { kind: "question", format: "multiple_choice", choices: ["a.txt", "b.txt"] },
    });
    expect(model.requests).toHaveLength(1);
    const { threadId } = waiting;
    expect(await agent.run({ threadId })).toMatchObject({ status: "waiting", question: "Which file?" });
    expect(model.requests).toHaveLength(1);
    expect(await agent.run({ threadId, response: "b.txt" })).toMatchObject({
      status: "completed",
      result: "It is b.txt.",
    });
    expect(lines(model.requests[1]).slice(1)).toEqual([
      `ai: I ask. [c ask_human ${JSON.stringify(question)}]`,
      "tool c: The question was put to a person. The answer follows as a message.",
      "ai: Which file?\nChoices:\n- a.txt\n- b.txt",
      "human: [Human Response]: b.txt",
    ]);
  });

  it("shows the answer in the mode xml too", async () => {
    const model = new ScriptedModel([calls({ c: ["ask_human", { question: "Go?" }] }), "Gone."]);
    const agent = createAgent({ ...QUIET, model, contextMode: "xml", tools: [humanInputTool()] });
    const { threadId } = await agent.run({ input: "go" });
    await agent.run({ threadId, response: "yes", decision: "approve" });
    expect(model.requests[1]?.[0]?.text).toContain('type="human_input_received" id="4" iteration="1">yes<');
  });

  it("tells a tool that is called again what a person answered, also in a process that begins days later", async () => {
    const folder = temporaryFolder();
    const deployed: string[] = [];
    const deploy = tool(
      async ({ version }: { version: string }, config) => {
        const question = `Deploy ${version}?`;
        const answer = answerTo(config.configurable?.events ?? [], question);
        if (answer === null) throw new HumanInputRequest(question, { kind: "approval" });
        if (answer.decision !== "approve") return `Not deployed: ${answer.response}`;
        deployed.push(`${version} in ${config.configurable?.thread_id}`);
        return "Deployed.";
      },
      { name: "deploy", description: "deploys", schema },
    );
    const agent = (...script: Reply[]) =>
      createAgent({ model: new ScriptedModel(script), threadsFolder: folder, tools: [deploy] });
    const ask = (id: string, version: string) => calls({ [id]: ["deploy", { version }] });
    const asked = await agent(ask("a", "v1")).run({ threadId: "t", input: "Deploy." });
    expect(asked).toMatchObject({ status: "waiting", question: "Deploy v1?", request: { kind: "approval" } });
    const other = await agent(ask("b", "v2")).run({ threadId: "t", response: "yes", decision: "approve" });
    expect(other).toMatchObject({ status: "waiting", question: "Deploy v2?" });
    const refused = await agent(ask("c", "v2"), ask("d", "v1"), "Done.").run({
      threadId: "t",
      response: "too soon",
      decision: "reject",
    });
    expect(refused.status).toBe("completed");
    expect(deployed).toEqual(["v1 in t"]);
    const results = refused.events.flatMap((event) => (event.type === "tool_result" ? [event.result] : []));
    expect(results.slice(2)).toEqual(["Not deployed: too soon", "Deployed."]);
    remove(folder);
  });

  it("lets any tool ask, finishes the calls beside it, and settles several questions one by one", async () => {
    const ask = toolOf("deploy", ({ to }) => {
      throw new HumanInputRequest(`Deploy to ${to}?`, { kind: "approval", urgency: "high", format: "yes_no" });
    });
    const model = new ScriptedModel([
      calls({ a: ["deploy", { to: "test" }], b: ["read"], c: ["deploy", { to: "live" }] }),
      "Understood.",
    ]);
    const agent = createAgent({ ...QUIET, model, tools: [ask, toolOf("read", () => "text")] });
    const first = await agent.run({ input: "go" });
    expect(first).toMatchObject({ status: "waiting", question: "Deploy to test?", request: { urgency: "high" } });
    const { threadId } = first;
    const second = await agent.run({ threadId, response: "yes", decision: "approve" });
    expect(second).toMatchObject({ status: "waiting", question: "Deploy to live?" });
    expect(model.requests).toHaveLength(1);
    const end = await agent.run({ threadId, response: "no", decision: "reject", input: "Tomorrow perhaps." });
    expect(end.status).toBe("completed");
    expect(lines(model.requests[1]).slice(3)).toEqual([
      "tool b: text",
      "tool c: The question was put to a person. The answer follows as a message.",
      "ai: Deploy to test?",
      "ai: Deploy to live?",
      "human: [Human Response (approve)]: yes",
      "human: [Human Response (reject)]: no",
      "human: Tomorrow perhaps.",
    ]);
  });

  it("refuses an answer nobody asked for, an input while a question is open, and nothing at all", async () => {
    const model = new ScriptedModel([calls({ c: ["ask_human", { question: "Go?" }] }), "Gone."]);
    const agent = createAgent({ ...QUIET, model, tools: [humanInputTool()] });
    expect(await agent.run({})).toMatchObject({ status: "failed", error: "The thread is empty; expected an input." });
    expect(await agent.run({ response: "yes" })).toMatchObject({
      status: "failed",
      error: "The thread has no open question to respond to.",
      events: [],
    });
    const { threadId, events } = await agent.run({ input: "go" });
    const refused = await agent.run({ threadId, input: "yes" });
    expect(refused).toMatchObject({ status: "failed" });
    expect(refused.status === "failed" && refused.error).toContain("The question: Go?");
    expect(refused.events).toEqual(events);
    expect(await agent.run({ threadId, decision: "approve" })).toMatchObject({
      error: "A decision needs a response beside it.",
    });
  });
});
