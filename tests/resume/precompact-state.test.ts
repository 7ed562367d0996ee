import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isProjectId } from "../../src/base/project-id.ts";
import {
  formatPrecompactState,
  type PrecompactState,
  parsePrecompactState,
  precompactStateOf,
} from "../../src/resume/precompact-state.ts";
import { PrecompactStateSchema } from "../../src/resume/precompact-state-schema.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { fixture } from "./fixture.ts";

describe("gives real states their verdict", () => {
  test.each(["valid", "valid-none", "valid-with-metadata"])("%s is read whole", (name) => {
    const text = fixture(`precompact_state.${name}.json`);
    expect(parsePrecompactState(text)).toEqual({ ok: true, value: JSON.parse(text) });
    expect(parsePrecompactState(`\uFEFF${text}`).ok).toBe(true);
  });

  test.each([
    ["invalid-nested", "nested", "project_detection"],
    ["invalid-enum", "wrong-value", '`confidence` is "very_high"; expected one of high, medium, low'],
  ])("%s is refused as %s", (name, code, told) => {
    const result = parsePrecompactState(fixture(`precompact_state.${name}.json`));
    expect(result.ok ? null : result.error.code).toBe(code);
    expect(result.ok ? "" : result.error.message).toContain(told);
  });
});

const GOOD = {
  active_project_id: "24-demo",
  confidence: "high",
  detection_method: "cache",
  timestamp: "2026-01-03T14:00:00Z",
};
test.each([
  [GOOD, null],
  [[], "The state is []; expected an object."],
  [7, "The state is 7; expected an object."],
  [
    { ...GOOD, active_project_id: undefined },
    "`active_project_id` is missing; expected null or a number, a hyphen and a name of letters, digits, hyphens and underscores, as in 24-demo.",
  ],
  [
    { ...GOOD, active_project_id: undefined, project_detection: { id: 7 } },
    "It has `project_detection: {…}`; expected `active_project_id` at the top, as newer tools write it.",
  ],
  [{ ...GOOD, project_detection: { id: 7 } }, null],
  [{ ...GOOD, confidence: undefined }, "`confidence` is missing; expected one of high, medium, low."],
  [{ ...GOOD, detection_method: "x" }, '`detection_method` is "x"; expected one of transcript, cache, fallback.'],
  [{ ...GOOD, timestamp: 7 }, "`timestamp` is 7; expected a real ISO 8601 time."],
  [{ ...GOOD, timestamp: "2026-02-30" }, '`timestamp` is "2026-02-30"; expected a real ISO 8601 time.'],
  [{ ...GOOD, session_id: null }, "`session_id` is null; expected a text."],
  [{ ...GOOD, metadata: [1] }, "`metadata` is [1]; expected an object."],
  [{ ...GOOD, metadata: "x".repeat(90) }, `\`metadata\` is "${"x".repeat(79)}; expected an object.`],
])("of %.99j says %j", (value, message) => {
  const result = parsePrecompactState(JSON.stringify(value));
  expect(result.ok ? null : result.error.message).toBe(message);
});

test("takes 65536 characters and no more", () => {
  const of = (length: number) => parsePrecompactState(JSON.stringify(GOOD).padEnd(length));
  expect(of(65_536).ok).toBe(true);
  expect(of(65_537)).toEqual({
    ok: false,
    error: { code: "too-large", message: "It has 65537 characters; expected under 1 kB." },
  });
});

test.each(["x", '{"active_project_id"', "nu/secret", "null null", "[\v]"])(
  "says of %j that it is no JSON, in words that no engine has to itself",
  (text) => {
    expect(parsePrecompactState(text)).toEqual({ ok: false, error: { code: "not-json", message: "It is not JSON." } });
  },
);

test.each([
  ["", "not-json"],
  ["{", "not-json"],
  ["null", "wrong-value"],
  ["[]", "wrong-value"],
  ["{}", "wrong-value"],
  ['{"project_detection":{}}', "nested"],
  [`{"a":"${"x".repeat(1_000_000)}"}`, "too-large"],
  ["[".repeat(60_000), "not-json"],
  ['{"active_project_id":"../x","confidence":"high"}', "wrong-value"],
])("refuses %.40j as %s", (text, code) => {
  const start = cpuTime();
  const result = parsePrecompactState(text);
  expect(result.ok ? null : result.error.code).toBe(code);
  expect(cpuTime() - start).toBeLessThan(2_000);
});

const any = fc.jsonValue({ maxDepth: 2 });

/** Mostly one of the words, now and then anything. */
function mostly<T>(...words: readonly T[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: any });
}

const state = fc.record(
  {
    active_project_id: mostly("24-demo", "7-A_b", "24-demo-app", "demo", "", null),
    confidence: mostly("high", "medium", "low", "High"),
    detection_method: mostly("transcript", "cache", "fallback", "guess"),
    timestamp: mostly("2026-01-03T14:00:00.000Z", "2026-01-03T14:00:00", "2026-01-03", "2026-13-03", "2026/01/04"),
    session_id: mostly("b9ff7b48", ""),
    metadata: fc.dictionary(fc.constantFrom("a", "b"), any),
    project_detection: any,
  },
  { requiredKeys: ["confidence", "detection_method", "timestamp"] },
);

test("the hand-made reader and the schema agree on every value", () => {
  let good = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: state }, any), (value) => {
      const read = precompactStateOf(value);
      const parsed = PrecompactStateSchema.safeParse(value);
      expect(read.ok).toBe(parsed.success);
      if (!read.ok) return;
      good += 1;
      expect(withoutPrototype(read.value)).toEqual(withoutPrototype(parsed.data));
    }),
    { numRuns: 4000 },
  );
  expect(good).toBeGreaterThan(200);
});

/** zod drops a metadata key named `__proto__`, at its own level. */
function withoutPrototype(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, inner) => (key === "__proto__" ? undefined : inner));
}

function example(more: Partial<PrecompactState> = {}): PrecompactState {
  const id = "24-demo";
  if (!isProjectId(id)) throw new Error("an id");
  return {
    active_project_id: id,
    confidence: "high",
    detection_method: "transcript",
    timestamp: "2026-01-03T14:00:00.000Z",
    session_id: "b9ff7b48-ef86-4ef0-86d3-7835c69ec06b",
    ...more,
  };
}

test("writes one flat line, in a fixed order", () => {
  expect(formatPrecompactState(example())).toBe(
    '{"active_project_id":"24-demo","confidence":"high","detection_method":"transcript","timestamp":"2026-01-03T14:00:00.000Z","session_id":"b9ff7b48-ef86-4ef0-86d3-7835c69ec06b"}\n',
  );
});

test("writes no session where there is none", () => {
  const { session_id: _, ...state } = example();
  expect(formatPrecompactState(state)).toBe(
    '{"active_project_id":"24-demo","confidence":"high","detection_method":"transcript","timestamp":"2026-01-03T14:00:00.000Z"}\n',
  );
});

test("what is written is read back", () => {
  for (const written of [
    example(),
    example({ active_project_id: null, confidence: "low", detection_method: "fallback" }),
  ])
    expect(parsePrecompactState(formatPrecompactState(written))).toEqual({ ok: true, value: written });
});

test("keeps what fits into a kilobyte, to the byte", () => {
  const rest = Buffer.byteLength(formatPrecompactState(example({ metadata: { a: "" } })));
  const padded = (length: number) => example({ metadata: { a: "x".repeat(length) } });
  expect(Buffer.byteLength(formatPrecompactState(padded(1023 - rest)))).toBe(1023);
  expect(formatPrecompactState(padded(1024 - rest))).toBe(formatPrecompactState(example()));
});

test("stays under a kilobyte whatever it is given", () => {
  const id = `24-${"a".repeat(252)}`;
  const long = example({
    ...(isProjectId(id) ? { active_project_id: id } : {}),
    session_id: "🚀".repeat(5000),
    metadata: { a: "x".repeat(5000) },
  });
  const line = formatPrecompactState(long);
  expect(Buffer.byteLength(line)).toBeLessThan(1024);
  expect(parsePrecompactState(line)).toMatchObject({ ok: true, value: { active_project_id: id } });
  expect(formatPrecompactState(example({ metadata: { a: "x".repeat(5000) } }))).toBe(formatPrecompactState(example()));
});
