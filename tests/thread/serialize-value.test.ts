import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AgentEvent, escapeXml, planMessages, serializeThread, serializeValue } from "../../src/thread/index.ts";

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

describe("serializeValue", () => {
  it("leaves a string as it is and writes JSON as JSON.stringify does", () => {
    expect(serializeValue("a <b>")).toBe("a <b>");
    fc.assert(
      fc.property(fc.jsonValue(), (any) => {
        // Once through JSON there is no -0, which has a case of its own.
        const value: unknown = JSON.parse(JSON.stringify(any));
        fc.pre(typeof value !== "string");
        const text = serializeValue(value);
        expect(text).toBe(JSON.stringify(value).replaceAll("\uFFFE", "\\ufffe").replaceAll("\uFFFF", "\\uffff"));
      }),
    );
  });

  const cases: [string, unknown, string][] = [
    ["undefined", undefined, "null"],
    ["null", null, "null"],
    ["NaN", Number.NaN, '"NaN"'],
    ["-Infinity", Number.NEGATIVE_INFINITY, '"-Infinity"'],
    ["-0", -0, "-0"],
    ["BigInt", 12345678901234567890n, '"12345678901234567890"'],
    ["Date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ["an invalid Date", { at: new Date(Number.NaN) }, '{"at":"Invalid Date"}'],
    ["Map", new Map([["a", new Set([1, 2n])]]), '[["a",[1,"2"]]]'],
    ["Uint8Array", Uint8Array.of(1, 255), "[1,255]"],
    ["BigInt64Array", BigInt64Array.of(1n), '["1"]'],
    ["Buffer", Buffer.from("hi"), "[104,105]"],
    ["ArrayBuffer and DataView", [new ArrayBuffer(2), new DataView(new ArrayBuffer(3), 1)], "[[0,0],[0,0]]"],
    ["RegExp", /a"b/g, '"/a\\"b/g"'],
    ["a boxed number", [Object(1), Object("s"), Object(2n)], '[1,"s","2"]'],
    ["a function", { f() {} }, '{"f":"[unserialisable: function]"}'],
    ["a symbol", [Symbol("s")], '["[unserialisable: symbol s]"]'],
    ["a promise", Promise.resolve(1), '"[unserialisable: Promise]"'],
    ["undefined fields and holes", { a: undefined, b: [undefined, undefined, 1] }, '{"b":[null,null,1]}'],
    [
      "a class",
      new (class Point {
        x = 1;
        #y = 2;
        get y() {
          return this.#y;
        }
      })(),
      '{"x":1}',
    ],
    ["toJSON", { toJSON: () => ({ a: 1n }) }, '{"a":"1"}'],
    ["__proto__ as a key", JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
    ["a function alone", () => 1, '"[unserialisable: function]"'],
  ];
  it.each(cases)("has a text for %s", (_, value, expected) => {
    expect(serializeValue(value)).toBe(expected);
  });

  it("writes an error's name, message, cause and fields, and no stack", () => {
    const error = Object.assign(new TypeError("bad", { cause: new Error("root") }), { code: "E1" });
    expect(JSON.parse(serializeValue({ error }))).toEqual({
      error: { name: "TypeError", message: "bad", cause: { name: "Error", message: "root" }, code: "E1" },
    });
  });

  it("writes every error of several, as a promise that none kept gives them", () => {
    const error = new AggregateError([new Error("one"), new TypeError("two")], "none");
    expect(JSON.parse(serializeValue(error))).toEqual({
      name: "AggregateError",
      message: "none",
      errors: [
        { name: "Error", message: "one" },
        { name: "TypeError", message: "two" },
      ],
    });
  });

  it("names a cycle where it closes, and writes shared values twice", () => {
    const shared = { s: 1 };
    const value: Record<string, unknown> = { a: shared, b: shared };
    value.self = [value];
    expect(serializeValue(value)).toBe('{"a":{"s":1},"b":{"s":1},"self":["[unserialisable: cycle]"]}');
  });

  it("names what throws and writes the rest", () => {
    const value = {
      get bad(): string {
        throw new Error("no entry");
      },
      worse: {
        toJSON() {
          throw new Error("not now");
        },
      },
      proxy: new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("closed");
          },
        },
      ),
      good: 1,
    };
    const text = serializeValue(value);
    expect(JSON.parse(text)).toEqual({
      bad: "[unserialisable: reading it threw Error: no entry]",
      worse: "[unserialisable: toJSON threw Error: not now]",
      proxy: "[unserialisable: reading it threw Error: closed]",
      good: 1,
    });
  });

  it("is what a thread holds of a result or of arguments that are a revoked proxy", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const at = { timestamp: 0, iteration: 0 };
    const events: AgentEvent[] = [
      { type: "tool_call", toolName: "t", toolCallId: "c", args: proxy, ...at },
      { type: "tool_result", toolCallId: "c", result: proxy, ...at },
    ];
    expect(serializeThread(events)).toContain(escapeXml(serializeValue(proxy)));
    expect(planMessages(events)).toMatchObject([
      { toolCalls: [{ args: { input: JSON.parse(serializeValue(proxy)) } }] },
      { content: serializeValue(proxy) },
    ]);
  });

  it("survives a thrown value whose message throws, and a revoked proxy", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const hostile = {
      toJSON() {
        throw Object.defineProperty(new Error(), "message", {
          get() {
            throw 1;
          },
        });
      },
    };
    expect(serializeValue(hostile)).toBe('"[unserialisable: toJSON threw an error that cannot be read]"');
    expect(serializeValue([proxy])).toContain("[unserialisable: reading it threw TypeError");
    expect(serializeValue(proxy)).toContain("[unserialisable: reading it threw TypeError");
  });

  it("writes ten thousand levels whole", () => {
    const text = serializeValue(nested(10_000));
    expect(text.startsWith('{"a":[{"a":[')).toBe(true);
    let depth = 0;
    for (let value: unknown = JSON.parse(text); typeof value === "object" && value !== null; depth++) {
      value = Array.isArray(value) ? value[0] : Reflect.get(value, "a");
    }
    expect(depth).toBe(10_000);
  });

  it("writes a million numbers whole", () => {
    const list = Array.from({ length: 1_000_000 }, (_, index) => index);
    expect(serializeValue(list)).toBe(JSON.stringify(list));
  });

  it("stops with counted marks at two million values, where shared references unfold without end", () => {
    let value: unknown[] = [];
    for (let level = 0; level < 60; level++) value = [value, value];
    const text = serializeValue(value);
    expect(text).toMatch(/\[… \d+ more left out …\]/);
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it("never throws, and is JSON for whatever is no string, the same each time", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withBoxedValues: true,
      withNullPrototype: true,
      withSparseArray: true,
      withObjectString: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        const text = serializeValue(value);
        if (typeof value === "string") return;
        expect(() => JSON.parse(text)).not.toThrow();
        expect(serializeValue(value)).toBe(text);
      }),
      { numRuns: 250 },
    );
    expect(serializeValue([{}, new Map(), Object.create(null), new WeakMap(), new URL("http://a/")])).toBe(
      '[{},[],{},"[unserialisable: WeakMap]","http://a/"]',
    );
  });

  it("is the same text for another realm's plain objects", async () => {
    const { runInNewContext } = await import("node:vm");
    expect(serializeValue(runInNewContext('({ a: [1, { b: "x" }] })'))).toBe('{"a":[1,{"b":"x"}]}');
  });
});
