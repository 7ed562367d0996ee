import { describe, expect, it } from "vitest";
import { described } from "../../src/thread/field-reader.ts";
import { serializeThreadStream, serializeValue } from "../../src/thread/index.ts";
import { isJson } from "../../src/thread/serialize-value.ts";
import { escapeWithin, leftOutMark } from "../../src/thread/shorten.ts";
import { withPlainQuotes } from "../../src/thread/structural-escape.ts";
import { writeJson } from "../../src/thread/write-json.ts";
import { createStringWriter, createXmlWriter } from "../../src/thread/xml-writer.ts";
import { call, message, result } from "./arbitrary-event.ts";

function throwing(value: unknown): () => never {
  return () => {
    throw value;
  };
}

function cyclic(): unknown {
  const value: unknown[] = [1];
  value.push(value, { in: value });
  return value;
}

/** An object whose `toJSON` gives `value`. */
function gives(value: unknown): object {
  return { toJSON: () => value };
}

describe("the text of a value", () => {
  it.each([
    ["a fresh symbol", [Symbol()], '["[unserialisable: symbol]"]'],
    ["a symbol of its own", Symbol(" x "), '"[unserialisable: symbol  x]"'],
    ["a number beside what is no JSON", [1.5, -1, 1n], '[1.5,-1,"1"]'],
    ["an object beside what is no JSON", { a: null, b: true, c: "x", d: 1n }, '{"a":null,"b":true,"c":"x","d":"1"}'],
    ["an empty list beside it", [[], {}, 1n], '[[],{},"1"]'],
    ["a cycle", cyclic(), '[1,"[unserialisable: cycle]",{"in":"[unserialisable: cycle]"}]'],
    ["a boxed boolean", [Object(true)], "[true]"],
    ["an empty Map", [new Map()], "[[]]"],
    ["a null prototype", Object.assign(Object.create(null), { a: 1n }), '{"a":"1"}'],
    ["a class without fields", [new (class A {})()], "[{}]"],
    ["a WeakSet", [new WeakSet()], '["[unserialisable: WeakSet]"]'],
    ["a tagged object with fields", [Object.assign(new WeakMap(), { a: 1 })], '[{"a":1}]'],
    ["an error of no cause", new RangeError("r"), '{"name":"RangeError","message":"r"}'],
    ["an error of a cause that is nothing", new Error("r", { cause: undefined }), '{"name":"Error","message":"r"}'],
    [
      "an error whose name and stack are its own",
      Object.assign(new Error("r"), { name: "N", stack: "s", message: "m", z: 1 }),
      '{"name":"N","message":"m","z":1}',
    ],
    ["what toJSON makes a text", gives("x"), '"x"'],
    ["what toJSON makes nothing", [gives(undefined), 1n], '[null,"1"]'],
    ["a field that toJSON makes nothing", { a: gives(undefined), b: 1n }, '{"b":"1"}'],
    ["what toJSON makes null", [gives(null)], "[null]"],
    ["what toJSON makes a list", gives([1n]), '["1"]'],
    [
      "what toJSON makes an object",
      gives({ a: 1n, toJSON: () => 3 }),
      '{"a":"1","toJSON":"[unserialisable: function]"}',
    ],
    ["what toJSON makes a pattern", gives(/a/), '"/a/"'],
    ["toJSON that is no function", { toJSON: 1, a: 1 }, '{"toJSON":1,"a":1}'],
    ["toJSON that throws no error", { toJSON: throwing(3) }, '"[unserialisable: toJSON threw a value of type number]"'],
    ["what U+FFFE and U+FFFF stand in", ["\uFFFE\uFFFF\uFFFD"], '["\\ufffe\\uffff\uFFFD"]'],
    [
      "a field that throws no error",
      Object.defineProperty({}, "a", { enumerable: true, get: throwing("x") }),
      '{"a":"[unserialisable: reading it threw a value of type string]"}',
    ],
    ["an invalid Date alone", new Date(Number.NaN), '"Invalid Date"'],
    ["a view that begins later", new Uint8Array(Uint8Array.of(1, 2, 3).buffer, 1, 1), "[2]"],
    ["a DataView that begins later", new DataView(Uint8Array.of(1, 2, 3).buffer, 1, 1), "[2]"],
    ["-0 in a list", [-0, 0], "[-0,0]"],
  ])("%s", (_name, value, expected) => {
    expect(serializeValue(value)).toBe(expected);
  });

  it("is of a list that cannot be counted why it cannot", () => {
    const closed = new Proxy([1], {
      get: (list, key) => (key === "length" ? throwing(new Error("closed"))() : Reflect.get(list, key)),
    });
    expect(serializeValue(closed)).toBe('"[unserialisable: Error: closed]"');
  });

  it("gives toJSON its key", () => {
    const keyed = { toJSON: (key: string) => `key ${key}` };
    expect(serializeValue({ a: keyed, list: [keyed], n: 1n })).toBe('{"a":"key a","list":["key 0"],"n":"1"}');
    expect(serializeValue(keyed)).toBe('"key "');
  });

  it("ends lists and objects with counted marks where there is more than may be", () => {
    const most = (values: number, characters = 1e9) => ({ values, characters });
    expect(writeJson([1, 2, 3, 4], most(2))).toBe('[1,2,"[… 2 more left out …]"]');
    expect(writeJson([1, 2], most(2))).toBe("[1,2]");
    expect(writeJson({ a: 1, b: 2, c: 3 }, most(1))).toBe('{"a":1,"…":"[… 2 more left out …]"}');
    expect(writeJson([[1, 2], { a: 1 }, 3], most(2))).toBe('[[1,"[… 1 more left out …]"],"[… 2 more left out …]"]');
    expect(writeJson([1], most(0))).toBe('["[… 1 more left out …]"]');
    expect(writeJson({ a: 1 }, most(0))).toBe('{"…":"[… 1 more left out …]"}');
    expect(writeJson(["abc", 2], most(9, 6))).toBe('["abc","[… 1 more left out …]"]');
    expect(writeJson(["abc", 2], most(9, 7))).toBe('["abc",2]');
    expect([writeJson(undefined), writeJson("x"), writeJson([])]).toEqual(["null", '"x"', "[]"]);
  });

  it("is JSON's own where nothing would be lost", () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
    expect([1, "x", true, null, [], {}, { a: undefined }, Object.create(null)].map(isJson)).toEqual(
      Array(8).fill(true),
    );
    expect([undefined, -0, Number.NaN, 1n, Symbol(), () => 1, new Map(), [1n], { a: -0 }].map(isJson)).toEqual(
      Array(9).fill(false),
    );
    expect([isJson({ toJSON: 1 }), isJson(deep(100)), isJson(deep(101))]).toEqual([false, true, false]);
    expect(isJson([deep(60), deep(60)])).toBe(true);
    expect([isJson(Array(99_999).fill(1)), isJson(Array(100_000).fill(1))]).toEqual([true, false]);
    expect(isJson(Object.defineProperty({}, "a", { enumerable: true, get: throwing(1) }))).toBe(false);
  });
});

describe("what a message says was found", () => {
  it.each([
    [undefined, "nothing"],
    [null, "null"],
    [[], "a list"],
    ["x".repeat(40), `"${"x".repeat(40)}"`],
    ["x".repeat(41), "a string of 41 characters"],
    [1.5, "1.5"],
    [false, "false"],
    [{}, "an object"],
    [1n, "a bigint"],
    [Symbol(), "a symbol"],
  ])("%#", (value, expected) => {
    expect(described(value)).toBe(expected);
  });
});

describe("a text that is cut", () => {
  const mark = (count: string) => `[… ${count} characters left out …]`;

  it("counts thousands apart", () => {
    expect([1, 12, 999, 1_000, 12_345, 1_234_567].map(leftOutMark)).toEqual(
      ["1", "12", "999", "1 000", "12 345", "1 234 567"].map(mark),
    );
  });

  it.each([
    ["a".repeat(40) + "b".repeat(40), 36, `aaaa${mark("72")}bbbb`],
    ["a".repeat(40) + "b".repeat(40), 37, `aaaaa${mark("71")}bbbb`],
    ["a".repeat(40) + "b".repeat(40), 28, mark("80")],
    ["a".repeat(40) + "b".repeat(40), 27, "…"],
    ["a".repeat(40) + "b".repeat(40), 1, "…"],
    ["a".repeat(40) + "b".repeat(40), 0, ""],
    ["a".repeat(40) + "b".repeat(40), 80, "a".repeat(40) + "b".repeat(40)],
    [`"${"a".repeat(80)}'`, 41, `&quot;a${mark("79")}&apos;`],
    [`<${"a".repeat(80)}>`, 36, `&lt;${mark("80")}&gt;`],
    [`&${"a".repeat(80)}\r`, 38, `&amp;${mark("80")}&#13;`],
    [`&${"a".repeat(80)}\r`, 36, mark("82")],
    [`"${"a".repeat(80)}'`, 40, `&quot;${mark("80")}&apos;`],
    [`"${"a".repeat(80)}'`, 39, `&quot;${mark("81")}`],
  ])("%j within %d is %j", (text, limit, expected) => {
    expect(escapeWithin(text, limit)).toEqual({
      escaped: expected,
      cut: text.length > limit || expected.includes("…"),
    });
  });

  it("is whole by its escaped length, not by its own", () => {
    expect(escapeWithin("<".repeat(10), 40)).toEqual({ escaped: "&lt;".repeat(10), cut: false });
    expect(escapeWithin("<".repeat(10), 39)).toEqual({ escaped: `&lt;${mark("8")}&lt;`, cut: true });
  });
});

describe("plain quotes", () => {
  it("stand in bodies alone", () => {
    expect(withPlainQuotes('<a b="&quot;">&quot;&apos;&amp;quot;&lt;</a>')).toBe('<a b="&quot;">"\'&amp;quot;&lt;</a>');
    expect(withPlainQuotes("&quot;<a>x</a>&quot;")).toBe("&quot;<a>x</a>&quot;");
  });
});

describe("a writer of XML", () => {
  /** What a writer makes of each way to write. */
  function written(make: typeof createXmlWriter): string {
    const out = make();
    out.raw("<a>é<b>");
    out.text("x<>&\"'\r\u0000é\uFFFE");
    out.json({});
    out.json({ gone: undefined });
    out.json({ a: "<", gone: undefined, 'k"': 1, l: ["é", null], é: "\n\u0001" });
    out.text("");
    out.raw("");
    return out.finish();
  }
  const EXPECTED =
    "<a>é<b>x&lt;&gt;&amp;&quot;&apos;&#13;\uFFFDé\uFFFD{}{}{&quot;a&quot;:&quot;&lt;&quot;,&quot;k\\&quot;&quot;:1,&quot;l&quot;:[&quot;é&quot;,null],&quot;é&quot;:&quot;\\n\\u0001&quot;}";

  it("writes the same with the web's text coders and without", () => {
    expect(written(createXmlWriter)).toBe(EXPECTED);
    expect(written(createStringWriter)).toBe(EXPECTED);
    for (const name of ["TextEncoder", "TextDecoder"] as const) {
      const own = Object.getOwnPropertyDescriptor(globalThis, name);
      Reflect.deleteProperty(globalThis, name);
      try {
        expect(written(createXmlWriter)).toBe(EXPECTED);
      } finally {
        if (own !== undefined) Object.defineProperty(globalThis, name, own);
      }
    }
    expect(written(createXmlWriter)).toBe(EXPECTED);
  });

  it.each([16_383, 16_384, 16_385, 131_071, 131_072, 131_073, 300_000])(
    "writes %d characters and what follows",
    (length) => {
      for (const [text, escaped] of [
        ["a".repeat(length), "a".repeat(length)],
        [`${"a".repeat(length - 1)}<`, `${"a".repeat(length - 1)}&lt;`],
        [`${"a".repeat(length)}é`, `${"a".repeat(length)}é`],
        [`é${"'".repeat(length)}`, `é${"&apos;".repeat(length)}`],
      ] as const) {
        const out = createXmlWriter();
        out.raw("<");
        out.text(text);
        out.raw("/");
        out.raw("b".repeat(length));
        out.text("&");
        expect(out.finish() === `<${escaped}/${"b".repeat(length)}&amp;`).toBe(true);
      }
    },
  );
});

describe("a stream of a thread", () => {
  async function chunks(
    events: Parameters<typeof serializeThreadStream>[0],
    lookaheadCharacters?: number,
  ): Promise<string[]> {
    const found: string[] = [];
    const options = lookaheadCharacters === undefined ? {} : { lookaheadCharacters };
    for await (const chunk of serializeThreadStream(events, options)) found.push(chunk);
    return found;
  }
  const line = (text: string) => `\n  <event ${text}</event>`;
  const open = line('type="tool_input" id="0" name="t" status="pending" iteration="1">{}');

  it("writes a call as pending where one character more waits than may", async () => {
    const events = [call("a", "t"), message("m"), result("a", "r")];
    const waiting = open.length + line('type="human" id="1" iteration="1">m').length;
    const rest = [
      line('type="human" id="1" iteration="1">m'),
      line('type="tool_output" id="2" name="t" status="success" iteration="1">r'),
      "\n</thread>",
    ];
    expect(await chunks(events, waiting)).toEqual([
      "<thread>",
      line('type="tool_input" id="0" name="t" iteration="1">{}'),
      ...rest,
    ]);
    expect(await chunks(events, waiting - 1)).toEqual(["<thread>", open, ...rest]);
    expect(await chunks([call("a", "t")], open.length - 1)).toEqual(["<thread>", open, "\n</thread>"]);
    expect(await chunks([call("a", "t")], 0)).toEqual(["<thread>", open, "\n</thread>"]);
  });

  it("keeps the order of calls that are answered the other way round", async () => {
    const events = [call("a", "x"), call("b", "y"), result("b", 1), message("m"), result("a", 2), call("c", "z")];
    const ids = (await chunks(events)).map((chunk) => / id="(\d)"/.exec(chunk)?.[1] ?? chunk.trim());
    expect(ids).toEqual(["<thread>", "0", "1", "2", "3", "4", "5", "</thread>"]);
    expect((await chunks(events)).join("")).not.toMatch(/id="[01]" name="." status/);
  });

  it("writes what still waits once, and counts what waits no longer as gone", async () => {
    const ids = async (events: Parameters<typeof chunks>[0], lookahead?: number) =>
      (await chunks(events, lookahead)).map(
        (chunk) => `${/ id="(\d+)"/.exec(chunk)?.[1] ?? "-"}${chunk.includes("pending") ? "?" : ""}`,
      );
    expect(await ids([call("a", "x"), message("m"), call("b", "y"), message("n"), result("a", 1)])).toEqual([
      "-",
      "0",
      "1",
      "2?",
      "3",
      "4",
      "-",
    ]);
    expect(await ids([call("a", "x"), call("b", "y"), call("c", "z"), result("a", 1)])).toEqual([
      "-",
      "0",
      "1?",
      "2?",
      "3",
      "-",
    ]);
    const many = Array.from({ length: 20 }, (_, at) => [call(`c${at}`, "t"), result(`c${at}`, at)]).flat();
    // Two events wait at a time: the call and its answer.
    expect(await ids([...many, call("a", "x"), result("a", 1)], 220)).not.toContain("40?");
    expect((await ids(many, 220)).filter((id) => id.includes("?"))).toEqual([]);
  });

  it("refuses a lookahead that is no number", async () => {
    await expect(chunks([], Number.NaN)).rejects.toThrow(
      "lookaheadCharacters: expected a number of characters from 0 up, found NaN",
    );
  });
});
