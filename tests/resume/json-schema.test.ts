import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { precompactStateJsonSchema, resumeContextJsonSchema } from "../../src/resume/json-schema.ts";

test("the manifest's schema asks for the seven keys and describes each", () => {
  const schema = resumeContextJsonSchema();
  expect(schema).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    required: [
      "resume_schema_version",
      "project_id",
      "project_name",
      "current_phase",
      "next_action",
      "files_to_load",
      "last_updated",
    ],
    properties: {
      current_phase: {
        enum: ["research", "planning", "execution", "ready-for-implementation", "testing", "review"],
      },
      files_to_load: { type: "array", items: { type: "string" } },
      current_task: { type: "integer", minimum: 0 },
    },
  });
  expect(schema).not.toHaveProperty("additionalProperties");
});

test("the state's schema is flat and knows its words", () => {
  expect(precompactStateJsonSchema()).toMatchObject({
    required: ["active_project_id", "confidence", "detection_method", "timestamp"],
    properties: {
      confidence: { enum: ["high", "medium", "low"] },
      detection_method: { enum: ["transcript", "cache", "fallback"] },
      active_project_id: { anyOf: [{ type: "string", maxLength: 255 }, { type: "null" }] },
    },
  });
});

test.each([
  ["resume_context_v1.json", resumeContextJsonSchema],
  ["precompact_state_v1.json", precompactStateJsonSchema],
])("schemas/%s is what the source makes", (name, make) => {
  const shipped = readFileSync(new URL(`../../schemas/${name}`, import.meta.url), "utf8");
  expect(JSON.parse(shipped)).toEqual(make());
});
