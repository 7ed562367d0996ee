import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Coverage, linesSeen, UNSEEN, WHOLE } from "../../src/gate/coverage.ts";
import { answerEdit, withoutGone } from "../../src/gate/decide.ts";
import {
  formatGateState,
  type GateState,
  isPending,
  isSessionId,
  MOST_DENIALS,
  OPENERS,
  parseGateState,
  type Required,
  unread,
  withSeen,
} from "../../src/gate/state.ts";
import { proofOf } from "../../src/gate/verdict.ts";
import { denialReason, letGoNote } from "../../src/gate/words.ts";

const file = (path: string, given: Coverage = UNSEEN, read: Coverage = UNSEEN): Required => ({
  path,
  purposes: ["project"],
  given,
  read,
});

const stateOf = (required: readonly Required[], more: Partial<GateState> = {}): GateState => ({
  sessionId: "s1",
  role: null,
  projectId: "24-demo",
  transcriptPath: null,
  transcriptBytes: 0,
  compactedAt: "2026-01-03T14:00:00.000Z",
  required,
  denials: 0,
  opened: null,
  ...more,
});

const NOTHING = { shown: [], prompts: [] };

describe("the answer to an edit", () => {
  test("is a pass where the document and the client gave every file", () => {
    expect(answerEdit(stateOf([file("a.md", WHOLE)]), NOTHING).kind).toBe("pass");
    expect(answerEdit(stateOf([]), NOTHING).kind).toBe("pass");
  });

  test("is a denial until the last file is read", () => {
    const state = stateOf([file("a.md"), file("b.md")]);
    const first = answerEdit(state, { ...NOTHING, shown: [{ path: "a.md", lines: WHOLE, by: "agent" }] });
    expect(first).toMatchObject({ kind: "deny", state: { denials: 1 } });
    expect(unread(first.state).map(({ path }) => path)).toEqual(["b.md"]);
    const second = answerEdit(first.state, { ...NOTHING, shown: [{ path: "b.md", lines: WHOLE, by: "client" }] });
    expect(second).toMatchObject({ kind: "pass", state: { denials: 1, opened: null } });
  });

  test("is a pass once a person said so, and stays one", () => {
    const state = stateOf([file("a.md")]);
    const answer = answerEdit(state, { ...NOTHING, prompts: ["hello", "skip the gate"] });
    expect(answer).toMatchObject({ kind: "let-go", state: { opened: "prompt" } });
    expect(letGoNote(answer.state)).toContain("a.md");
    expect(answerEdit(answer.state, NOTHING).kind).toBe("pass");
  });

  test("is never a denial more than three times after one compaction, whatever is read or said in between", () => {
    const seen = fc.record({
      shown: fc.array(
        fc.record({
          path: fc.constantFrom("a.md", "b.md", "other.md"),
          lines: fc.constantFrom(linesSeen(1, 2, 9), linesSeen(3, 9, 9), linesSeen(2, 2, null)),
          by: fc.constantFrom("agent" as const, "client" as const),
        }),
        { maxLength: 3 },
      ),
      prompts: fc.array(fc.constantFrom("go on", "do not skip the gate", "skip the gate"), { maxLength: 1 }),
    });
    fc.assert(
      fc.property(fc.array(seen, { minLength: 5, maxLength: 12 }), (edits) => {
        let state = stateOf([file("a.md"), file("b.md", linesSeen(1, 2, null))]);
        const kinds = edits.map((edit) => {
          const answer = answerEdit(state, edit);
          state = answer.state;
          return answer.kind;
        });
        expect(kinds.filter((kind) => kind === "deny").length).toBeLessThanOrEqual(MOST_DENIALS);
        expect(kinds.filter((kind) => kind === "let-go").length).toBeLessThanOrEqual(1);
        // Once an edit passed, every later one does.
        const opened = kinds.findIndex((kind) => kind !== "deny");
        expect(opened).not.toBe(-1);
        expect(kinds.slice(opened)).not.toContain("deny");
        // It passed for a reason.
        expect(state.opened !== null || unread(state).length === 0).toBe(true);
      }),
    );
  });

  test("does not wait for a file that is gone", () => {
    const state = withoutGone(stateOf([file("a.md"), file("gone.md")]), (path) => path === "a.md");
    expect(state.required.map(({ path }) => path)).toEqual(["a.md"]);
    expect(isPending(withoutGone(stateOf([file("gone.md")]), () => false))).toBe(false);
  });
});

describe("the proof of a recovery", () => {
  test.each([
    ["verified", [file("a.md", WHOLE), file("b.md", UNSEEN, WHOLE)], []],
    ["verified", [file("a.md", linesSeen(1, 40, null), linesSeen(41, 90, 90))], []],
    ["partial", [file("a.md", UNSEEN, WHOLE), file("b.md")], ["b.md"]],
    ["partial", [file("a.md", UNSEEN, linesSeen(1, 5, 90))], ["a.md"]],
    ["ignored", [file("a.md"), file("b.md")], ["a.md", "b.md"]],
    ["ignored", [file("a.md", WHOLE), file("b.md", linesSeen(1, 40, null))], ["b.md"]],
  ] as const)("is %s", (verdict, required, missing) => {
    const proof = proofOf(required);
    expect(proof.verdict).toBe(verdict);
    expect(proof.missing.map(({ path }) => path)).toEqual(missing);
    expect(proof.files).toHaveLength(required.length);
  });

  test("says where reading goes on", () => {
    expect(proofOf([file("a.md", linesSeen(1, 40, null))]).missing).toEqual([
      { path: "a.md", state: "missing", fromLine: 41 },
    ]);
  });
});

describe("a denial's words", () => {
  const absolute = (path: string) => `/w/${path}`;

  test("name each unread file by a path that Read takes, and the line to read on from", () => {
    const state = stateOf([file("a.md", WHOLE), file("b.md"), file("c.md", linesSeen(1, 40, null))], { denials: 1 });
    const reason = denialReason(state, absolute);
    expect(reason).toContain("2 of 3 required files have not been read since");
    expect(reason).toContain("\n- /w/b.md\n- /w/c.md (read on from line 41)\n");
    expect(reason).toContain("denial 1 of at most 3");
    expect(reason).not.toContain("a.md");
  });

  test("say when the last one is reached, and stay short", () => {
    const many = Array.from({ length: 400 }, (_, at) => file(`f${at}.md`));
    const reason = denialReason(stateOf(many, { denials: MOST_DENIALS }), absolute);
    expect(reason).toContain("the last of 3 denials");
    expect(reason).toContain("and 370 more");
    expect(reason.split("\n").length).toBeLessThan(40);
  });

  test("let no file name act on a terminal or begin a line", () => {
    const reason = denialReason(stateOf([file("a\n- /etc/passwd\u001B[2J.md")], { denials: 1 }), absolute);
    expect(reason.split("\n").filter((line) => line.startsWith("- "))).toHaveLength(1);
    expect(reason).not.toContain("\u001B");
  });
});

describe("the stored state", () => {
  const lines = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 9 })), { maxLength: 4 })
    .map((ranges) => ranges.map(([first, more]) => linesSeen(first, first + more, 60)));
  const coverage = fc.oneof(
    fc.constant(WHOLE),
    fc.constant(UNSEEN),
    lines.map((pieces) =>
      pieces.reduce(
        (all, piece) =>
          withSeen(stateOf([file("x", all)]), { path: "x", lines: piece, by: "client" }).required[0]?.given ?? all,
        UNSEEN,
      ),
    ),
  );
  const state: fc.Arbitrary<GateState> = fc.record({
    sessionId: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/),
    role: fc.option(fc.constant("oosh-expert")),
    projectId: fc.option(fc.constant("24-demo")),
    transcriptPath: fc.option(fc.string({ minLength: 1 })),
    transcriptBytes: fc.option(fc.nat()),
    compactedAt: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") })
      .map((at) => at.toISOString()),
    required: fc.array(
      fc.record({
        path: fc.string({ minLength: 1 }),
        purposes: fc.constantFrom(["role"] as const, ["project"] as const, ["role", "project"] as const),
        given: coverage,
        read: coverage,
      }),
      { maxLength: 5 },
    ),
    denials: fc.integer({ min: 0, max: 3 }),
    opened: fc.option(fc.constantFrom(...OPENERS)),
  });

  test("comes back as it was", () => {
    fc.assert(
      fc.property(state, (value) => {
        expect(parseGateState(formatGateState(value))).toEqual({ ok: true, value });
      }),
    );
  });

  test.each([
    ["", "is not JSON"],
    ["[]", "is no JSON object"],
    ["{}", "schema_version"],
    ['{"schema_version":2}', "schema_version"],
    ['{"schema_version":1}', "session_id"],
    ['{"schema_version":1,"session_id":"../x"}', "session_id"],
    ['{"schema_version":1,"session_id":"s"}', "compacted_at"],
    ['{"schema_version":1,"session_id":"s","compacted_at":"2026-01-03T14:00:00Z"}', '"required"'],
    ['{"schema_version":1,"session_id":"s","compacted_at":"2026-01-03T14:00:00Z","required":[1]}', '"required"'],
  ])("that holds %j is told from one", (text, problem) => {
    const parsed = parseGateState(text);
    expect(parsed.ok ? "" : parsed.error).toContain(problem);
  });

  test("any JSON is read without a throw", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(...["required", "denials", "for", "given"]), (json, key) => {
        const value: unknown = JSON.parse(json);
        const base = { schema_version: 1, session_id: "s", compacted_at: "2026-01-03T14:00:00Z", required: [] };
        const text = JSON.stringify({ ...base, required: [{ path: "a", for: ["role"], [key]: value }], [key]: value });
        expect(typeof parseGateState(text).ok).toBe("boolean");
      }),
    );
  });

  test.each(["", ".", "..", "../x", "a/b", "a\\b", "-x", "a".repeat(129), "a\0b", "a b"])(
    "has no file for the session id %j",
    (id) => {
      expect(isSessionId(id)).toBe(false);
    },
  );
});
