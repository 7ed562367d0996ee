import { describe, expect, test } from "vitest";
import { contextText } from "../helpers/context-text.ts";
import { VERSIONS } from "./harness/client-version.ts";
import { elements, partsIn } from "./harness/documents.ts";
import { makeProject, ROLE } from "./harness/project.ts";
import { ask, setStage } from "./harness/stage.ts";

const MANY = 60;

describe.each(VERSIONS)("a fresh session of %s", (version) => {
  test("is given every part of the document, each once, whole and valid", async () => {
    const project = makeProject();
    const rules = Array.from({ length: 60 }, (_, at) => `- Rule ${at}: ask <before> you & I delete "it".`).join("\n");
    project.write("00-system/core/orchestrator.md", `# Orchestrator\n\n${rules}\n`);
    for (let at = 0; at < MANY; at++) {
      project.write(`03-skills/skill-${at}/SKILL.md`, `---\nname: skill-${at}\ndescription: Does ${at}.\n---\n`);
    }
    project.role(ROLE);
    const stage = await setStage({ version, project, env: { HIVEMIND_ROLE: ROLE } });

    const answer = await ask(stage, "hello");

    expect(answer).toMatchObject({ failed: false, result: "Done.", stderr: "" });
    const [request] = stage.model.turns();
    expect(request?.asked).toContain("hello");
    const parts = partsIn(request);
    const of = parts[0]?.of ?? 0;
    expect(of).toBeGreaterThan(1);
    expect(parts.map(({ part }) => part).toSorted()).toEqual(Array.from({ length: of }, (_, at) => at + 1));
    expect(new Set(parts.map(({ id, mode }) => `${id} ${mode}`)).size).toBe(1);
    expect(parts[0]?.mode).toBe("startup");
    // Where the client finds an output too long, it gives the model a file's name in its place.
    expect(request?.text).not.toContain("<persisted-output>");
    for (const { xml } of parts) expect(xml.length).toBeLessThanOrEqual(10_000);

    expect(elements(parts, "orchestrator-file").map(({ text }) => text.includes("Rule 59"))).toEqual([true]);
    expect(elements(parts, "context-file").map(({ text }) => text.trim())).toEqual([contextText().trim()]);
    const projects = elements(parts, "active-projects").flatMap(({ children }) => children);
    expect(projects.map(({ attributes }) => attributes.id)).toEqual(["24-demo", "27-xml-context"]);
    const skills = elements(parts, "user-skills").flatMap(({ children }) => children);
    expect(skills).toHaveLength(MANY + 1);
  });
});
