import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectInTranscript } from "../../src/transcript/detect-in-transcript.ts";
import { detectProject } from "../../src/transcript/detect-project.ts";
import { activitiesOfText, fixture, KNOWN, OPTIONS, ROOT, Session } from "./helpers.ts";

const PLACES = { root: ROOT, projectsFolder: "02-projects" };
const STEPS = `${ROOT}/02-projects/24-demo/01-planning/04-steps.md`;

function workedOn(): Session {
  return new Session()
    .prompt("go on")
    .call("Read", { file_path: STEPS })
    .call("Edit", { file_path: STEPS, old_string: "a", new_string: "b" });
}

describe("the project in hand, from a transcript", () => {
  test("is what the activities say, by text, by rows and by bytes", () => {
    const text = fixture("2.1.332", "execution");
    const rows = text.split("\n");
    const encoder = new TextEncoder();
    const expected = { ...detectProject(activitiesOfText(text), OPTIONS), broken: 0, partial: 0 };
    expect(expected.project).not.toBeNull();
    for (const form of [text, rows, rows.values(), rows.map((row) => encoder.encode(row))])
      expect(detectInTranscript(form, { ...OPTIONS, knownProjects: KNOWN, home: "/home/dev" })).toEqual(expected);
  });

  test("needs no more than where the projects are", () => {
    const found = detectInTranscript(workedOn().text(), PLACES);
    expect(found).toMatchObject({ project: "24-demo", confidence: "high", broken: 0, partial: 0 });
    expect(found.evidence.map(({ kind }) => kind)).toEqual(["read", "write"]);
  });

  test("takes a folder for a project only where it is there, if that was looked up", () => {
    const text = workedOn().text();
    expect(detectInTranscript(text, { ...PLACES, knownProjects: new Set(["25-other"]) }).project).toBeNull();
    expect(detectInTranscript(text, { ...PLACES, knownProjects: null }).project).toBe("24-demo");
  });

  test("counts rows that are no records, and tells a last one that is half written from them", () => {
    const text = workedOn().text().trimEnd();
    expect(detectInTranscript(`not json\n[]\n\n${text}\n{"type":"us`, PLACES)).toMatchObject({
      project: "24-demo",
      broken: 2,
      partial: 1,
    });
    expect(detectInTranscript(["not json", "", new Uint8Array(), new Uint8Array([0xff])], PLACES)).toMatchObject({
      project: null,
      broken: 2,
      partial: 0,
    });
  });

  test("passes over rows of the client's own, whatever they repeat", () => {
    const call = `{"type":"tool_use","id":"a","name":"Write","input":{"file_path":"${STEPS}"}}`;
    const own = `{"type":"api-request-blob","message":{"role":"assistant","content":[${call}]}}`;
    expect(detectInTranscript([own, own], PLACES)).toMatchObject({ project: null, evidence: [] });
    const theirs = own.replace("api-request-blob", "assistant");
    expect(detectInTranscript([theirs], PLACES).project).toBe("24-demo");
  });

  test("hides secrets in the evidence, and further ones that a pattern names", () => {
    const session = new Session().call("Bash", {
      command: `deploy --key AKIAIOSFODNN7EXAMPLE --as hunter2 ${STEPS} > ${STEPS}`,
    });
    const shown = JSON.stringify(detectInTranscript(session.text(), { ...PLACES, redactPatterns: [/hunter2/g] }));
    expect(shown).toContain("[REDACTED:");
    expect(shown).not.toMatch(/AKIAIOSFODNN7EXAMPLE|hunter2/);
  });

  test("never throws, and says of a text what it says of its rows", () => {
    const row = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom(...workedOn().text().trimEnd().split("\n"), "{", "[]", "null", '{"type":"user"'),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
        const lines = rows.flatMap((text) => text.split("\n"));
        const byText = detectInTranscript(lines.map((line) => `${line}\n`).join(""), PLACES);
        expect(detectInTranscript(lines, PLACES)).toEqual(byText);
      }),
    );
  });
});
