import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Coverage, linesSeen, UNSEEN, WHOLE } from "../../src/gate/coverage.ts";
import { answerEdit, withoutGone } from "../../src/gate/decide.ts";
import {
  formatGateState,
  type GateState,
  isPending,
  MOST_DENIALS,
  MOST_REPEATS,
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
  deniedCall: null,
  repeats: 0,
  opened: null,
  ...more,
});

const NOTHING = { shown: [], prompts: [], lastCalls: [] };

describe("the answer to an edit", () => {
  test("is a pass where the document and the client gave every file", () => {
    expect(answerEdit(stateOf([file("a.md", WHOLE)]), NOTHING, null).kind).toBe("pass");
    expect(answerEdit(stateOf([]), NOTHING, null).kind).toBe("pass");
  });

  test("is a denial until the last file is read", () => {
    const state = stateOf([file("a.md"), file("b.md")]);
    const first = answerEdit(state, { ...NOTHING, shown: [{ path: "a.md", lines: WHOLE, by: "agent" }] }, null);
    expect(first).toMatchObject({ kind: "deny", state: { denials: 1 } });
    expect(unread(first.state).map(({ path }) => path)).toEqual(["b.md"]);
    const second = answerEdit(first.state, { ...NOTHING, shown: [{ path: "b.md", lines: WHOLE, by: "client" }] }, null);
    expect(second).toMatchObject({ kind: "pass", state: { denials: 1, opened: null } });
  });

  test("is a pass once a person said so, and stays one", () => {
    const state = stateOf([file("a.md")]);
    const answer = answerEdit(state, { ...NOTHING, prompts: ["hello", "skip the gate"] }, null);
    expect(answer).toMatchObject({ kind: "let-go", state: { opened: "prompt" } });
    expect(letGoNote(answer.state)).toBe("a prompt opened the gate; not read since the compaction: a.md");
    expect(answerEdit(answer.state, NOTHING, null).kind).toBe("pass");
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
      lastCalls: fc.constant([]),
    });
    fc.assert(
      fc.property(fc.array(seen, { minLength: 5, maxLength: 12 }), (edits) => {
        let state = stateOf([file("a.md"), file("b.md", linesSeen(1, 2, null))]);
        const kinds = edits.map((edit) => {
          const answer = answerEdit(state, edit, null);
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

  test("counts the edits of one message once, and is let go all the same where the last message stays the same", () => {
    let state = stateOf([file("a.md")]);
    const edit = (call: string | null, lastCalls: readonly string[]): string => {
      const answer = answerEdit(state, { ...NOTHING, lastCalls }, call);
      state = answer.state;
      return `${answer.kind} ${state.denials}`;
    };
    // A message is written down after the client has asked about its first call.
    expect(edit("c1", ["b"])).toBe("deny 1");
    expect(edit("c2", ["c1", "c2"])).toBe("deny 1");
    expect(edit("c3", ["c1", "c2", "c3"])).toBe("deny 1");
    expect(edit("d1", ["c1", "c2", "c3"])).toBe("deny 2");
    expect(edit("d2", ["d1", "d2"])).toBe("deny 2");
    expect(edit(null, ["d1", "d2"])).toBe("deny 3");
    expect(edit("e1", ["e1"])).toBe("let-go 3");
    state = stateOf([file("a.md")]);
    const kinds = Array.from({ length: 40 }, (_, at) => edit(`c${at}`, [`c${at - 1}`, `c${at}`]));
    expect(kinds.filter((kind) => kind.startsWith("deny"))).toHaveLength(MOST_DENIALS + MOST_REPEATS);
    expect(kinds.slice(MOST_DENIALS + MOST_REPEATS)[0]).toBe("let-go 3");
    expect(kinds.at(-1)).toBe("pass 3");
  });

  test.each([
    ["the same call once more", ["c1", "c1", "c1", "c1"], ["c1"]],
    ["calls without an id", [null, null, null, null], ["c1"]],
    ["calls that no message holds", ["c1", "c2", "c3", "c4"], ["b"]],
  ])("counts %s each by itself: the model may have heard of the denial before", (_, calls, lastCalls) => {
    let state = stateOf([file("a.md")]);
    const kinds = calls.map((call) => {
      const answer = answerEdit(state, { ...NOTHING, lastCalls }, call);
      state = answer.state;
      return answer.kind;
    });
    expect(kinds).toEqual(["deny", "deny", "deny", "let-go"]);
  });

  test("does not wait for a file that is gone", () => {
    const state = withoutGone(stateOf([file("a.md"), file("gone.md")]), (path) => path === "a.md");
    expect(state.required.map(({ path }) => path)).toEqual(["a.md"]);
    expect(isPending(withoutGone(stateOf([file("gone.md")]), () => false))).toBe(false);
    const there = stateOf([file("a.md"), file("read.md", WHOLE)]);
    expect(withoutGone(there, (path) => path === "a.md")).toBe(there);
  });

  test("is let go after three denials, and says why", () => {
    const answer = answerEdit(stateOf([file("a.md"), file("b.md")], { denials: 3 }), NOTHING, null);
    expect(answer).toMatchObject({ kind: "let-go", state: { denials: 3, opened: "denials" } });
    expect(letGoNote(answer.state)).toBe("the gate lets go after 3 denials; not read since the compaction: a.md, b.md");
  });

  test("counts lines for the one file, by who brought them, and a file that is not required for none", () => {
    const state = stateOf([file("a.md"), file("b.md")]);
    const lines = linesSeen(1, 2, 9);
    expect(withSeen(state, { path: "other.md", lines, by: "agent" })).toBe(state);
    expect(withSeen(state, { path: "a.md", lines, by: "agent" }).required).toEqual([
      file("a.md", UNSEEN, lines),
      file("b.md"),
    ]);
    expect(withSeen(state, { path: "b.md", lines, by: "client" }).required).toEqual([
      file("a.md"),
      file("b.md", lines),
    ]);
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

  test("tells what was read from what was given", () => {
    const required = [file("a.md", WHOLE), file("b.md", linesSeen(1, 4, 9), linesSeen(5, 9, 9)), file("c.md")];
    expect(proofOf(required).files).toEqual([
      { path: "a.md", state: "given", fromLine: null },
      { path: "b.md", state: "read", fromLine: null },
      { path: "c.md", state: "missing", fromLine: 1 },
    ]);
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
    expect(denialReason(state, absolute).split("\n")).toEqual([
      "The context was compacted: 2 of 3 required files have not been read since. Read them with the Read tool, then try the edit again:",
      "- /w/b.md",
      "- /w/c.md (read on from line 41)",
      "This is denial 1 of at most 3.",
      'A person can open this gate with a prompt that says "skip the gate".',
    ]);
    expect(
      denialReason(stateOf([file("b.md")], { denials: 2 }), absolute)
        .split("\n")
        .slice(0, 3),
    ).toEqual([
      "The context was compacted: 1 of 1 required file has not been read since. Read it with the Read tool, then try the edit again:",
      "- /w/b.md",
      "This is denial 2 of at most 3.",
    ]);
  });

  test("say when the last one is reached, and stay short", () => {
    const many = Array.from({ length: 400 }, (_, at) => file(`f${at}.md`));
    const reason = denialReason(stateOf(many, { denials: MOST_DENIALS }), absolute);
    expect(reason.split("\n").slice(30)).toEqual([
      "- /w/f29.md",
      "- and 370 more, which the next denial lists",
      "This is the last of 3 denials: the next edit passes.",
      'A person can open this gate with a prompt that says "skip the gate".',
    ]);
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
    deniedCall: fc.option(fc.string()),
    repeats: fc.nat(30),
    opened: fc.option(fc.constantFrom(...OPENERS)),
  });

  test("comes back as it was", () => {
    fc.assert(
      fc.property(state, (value) => {
        expect(parseGateState(formatGateState(value))).toEqual({ ok: true, value });
      }),
    );
  });

  const BASE = { schema_version: 1, session_id: "s", compacted_at: "2026-01-03T14:00:00Z", required: [] };
  const files = (second: unknown) => ({ ...BASE, required: [{ path: "a", for: ["role"] }, second] });

  test.each([
    ["", "is not JSON"],
    ["[]", "is no JSON object"],
    ["{}", "has another schema_version than 1"],
    [{ ...BASE, schema_version: 2 }, "has another schema_version than 1"],
    [{ schema_version: 1 }, "has no session_id"],
    [{ ...BASE, session_id: "../x" }, "has no session_id"],
    [{ ...BASE, session_id: 7 }, "has no session_id"],
    [{ ...BASE, compacted_at: undefined }, "has no time in compacted_at"],
    [{ ...BASE, compacted_at: "soon" }, "has no time in compacted_at"],
    [{ ...BASE, required: undefined }, 'has no list of files in "required"'],
    [files(1), 'has no list of files in "required"'],
    [files({ for: ["role"] }), 'has no list of files in "required"'],
    [files({ path: "", for: ["role"] }), 'has no list of files in "required"'],
    [files({ path: "a", for: [] }), 'has no list of files in "required"'],
    [files({ path: "a", for: "role" }), 'has no list of files in "required"'],
  ])("that holds %j is told from one", (record, error) => {
    const text = typeof record === "string" ? record : JSON.stringify(record);
    expect(parseGateState(text)).toEqual({ ok: false, error });
  });

  test("is written so that a person can read it", () => {
    const required = [
      file("a.md", WHOLE, linesSeen(1, 2, 9)),
      { ...file("b.md"), purposes: ["role", "project"] as const },
    ];
    expect(formatGateState(stateOf(required, { role: "dev", opened: "skip" }))).toBe(`{
 "schema_version": 1,
 "session_id": "s1",
 "role": "dev",
 "project_id": "24-demo",
 "transcript_path": null,
 "transcript_bytes": 0,
 "compacted_at": "2026-01-03T14:00:00.000Z",
 "required": [
  {
   "path": "a.md",
   "for": [
    "project"
   ],
   "given": "whole",
   "read": {
    "lines": [
     [
      1,
      2
     ]
    ],
    "total": 9
   }
  },
  {
   "path": "b.md",
   "for": [
    "role",
    "project"
   ],
   "given": null,
   "read": null
  }
 ],
 "denials": 0,
 "denied_call": null,
 "repeats": 0,
 "opened": "skip"
}
`);
  });

  test("keeps no number that is none, and then denies no more", () => {
    for (const value of [1.5, -1, "7", null, undefined]) {
      const parsed = parseGateState(JSON.stringify({ ...BASE, transcript_bytes: value, denials: value, opened: "x" }));
      expect(parsed).toMatchObject({ ok: true, value: { transcriptBytes: null, denials: MOST_DENIALS, opened: null } });
    }
  });

  test.each([
    [
      {
        lines: [
          [3, 4],
          [1, 2],
        ],
        total: 9,
      },
      linesSeen(1, 4, 9),
    ],
    [{ lines: [[1, 2], [4, 3], [0, 9], 7, ["1", 9], [1, 9.5]], total: 9 }, linesSeen(1, 2, 9)],
    [{ lines: [[1, 2]], total: "9" }, linesSeen(1, 2, null)],
    [{ lines: [[5, 4]], total: 9 }, UNSEEN],
    [{ lines: [], total: 9 }, UNSEEN],
    [{ lines: "whole" }, UNSEEN],
    ["whole", WHOLE],
    [null, UNSEEN],
  ])("of the lines %j keeps those that can be", (given, expected) => {
    const parsed = parseGateState(JSON.stringify({ ...BASE, required: [{ path: "a.md", for: ["role"], given }] }));
    expect(parsed).toMatchObject({ ok: true, value: { required: [{ path: "a.md", given: expected, read: UNSEEN }] } });
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
});
