import { describe, expect, it } from "vitest";
import { redact } from "../../src/transcript/redact.ts";
import { compileRedactPatterns } from "../../src/transcript/redact-pattern.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

describe("compileRedactPatterns", () => {
  it.each([
    "acme_[A-Za-z0-9]+",
    "ACME-[0-9]{8}",
    "acme-secret",
    "key-[^\\]\\s]{4,40}x",
    "(?:acme|zeta)_\\w{10,}",
    "foo|bar+",
    "a\\(b",
    "(?<name>acme)-[0-9]{1,40}x?",
    "a{2}",
  ])("takes %j, and its matches are redacted", (source) => {
    const { patterns, refused } = compileRedactPatterns([source]);
    expect(refused).toEqual([]);
    expect(patterns).toHaveLength(1);
  });

  it.each([
    ["(a+)+$", "before the end"],
    ["(ab)*c", "repeated group"],
    ["(a|a)*b", "repeated group"],
    ["(?:ab){2,}", "repeated group"],
    ["(a+|b)c", "before the end"],
    ["[a-z]+@x", "before the end"],
    [".*secret", "before the end"],
    ["a{0,99999}b", "before the end"],
    ["(a)\\1", "backreference"],
    ["(?<n>a)\\k<n>", "backreference"],
    ["(?=a)b", "look-around"],
    ["(?<!a)b", "look-around"],
    ["[a-z]{0,40}[a-z]{0,40}x", "ways to match"],
    [`${"a?".repeat(30)}b`, "ways to match"],
    [`${"(a|a)".repeat(30)}b`, "ways to match"],
    ["[^]{0,255}[^]{1000}[^]{1000}\\u0001", "steps"],
    ["a{100000,}", "steps"],
    ["a*", "empty text"],
    ["", "empty text"],
    ["(a", "regular expression"],
    ["[z-a]", "regular expression"],
    ["acme-[a-z\\]", "regular expression"],
  ])("refuses %j: %s", (source, message) => {
    const { patterns, refused } = compileRedactPatterns([source, "fine-[0-9]{4}"]);
    expect(patterns).toHaveLength(1);
    expect(refused).toEqual([{ pattern: source, message: expect.stringContaining(message) }]);
  });

  it("reads a class as one part, brackets and escapes in it included", () => {
    expect(compileRedactPatterns(["x[*+?(\\]|]{1,4}y"]).refused).toEqual([]);
  });

  it("refuses what many patterns would take together", () => {
    const { patterns, refused } = compileRedactPatterns([...Array(20).fill("[a-z0-9]{1,60}[0-9]{8}x"), "acme_[a-z]+"]);
    expect(patterns).toHaveLength(7);
    expect(patterns.at(-1)?.source).toBe("acme_[a-z]+");
    expect(refused).toHaveLength(14);
  });

  it("takes many that say where a name ends and what is secret begins", () => {
    const named = ["(?:api|access)[_-]?key", "password", "secret", "token"].flatMap((name) => [
      `${name}\\s{0,5}[:=]\\s{0,5}["']?[A-Za-z0-9_-]{16,64}`,
      `${name}[ \\t]{1,9}[^\\s]{8,64}`,
    ]);
    expect(compileRedactPatterns([...named, "eyJ[\\w-]{10,300}\\.[\\w-]{10,300}\\.[\\w-]{10,}"]).refused).toEqual([]);
  });

  it.each([
    "[\\x00-a]{0,70}\\u0061{70}x",
    "[à-é]{0,70}[ß-ê]{70}x",
    "\\s{0,70}[^a-z]{70}x",
    "\\S{0,70}[^a-z]{70}x",
    ".{0,70}a{70}x",
    "a{0,70}(?:a){1}a{70}x",
    "a{0,70}b?a{70}x",
    "(?:a{0,70}|b)a{70}x",
  ])("does not take a part to end where the next one may begin too: %j", (source) => {
    expect(compileRedactPatterns([source]).refused).toEqual([
      { pattern: source, message: expect.stringMatching(/steps|repeated/) },
    ]);
  });

  it.skipIf(Number.parseInt(process.versions.node, 10) < 23)("takes a group with flags of its own", () => {
    const { patterns, refused } = compileRedactPatterns([
      "(?i:acme)-[a-z]{4,}",
      "x(?-i:y){0,1}z",
      "(?i:a{0,70})A{70}x",
    ]);
    expect(redact("ACME-abcdef xyz", patterns)).toBe("[REDACTED:custom] [REDACTED:custom]");
    expect(refused).toEqual([{ pattern: "(?i:a{0,70})A{70}x", message: expect.stringContaining("steps") }]);
  });

  it("gives patterns that stay linear on a megabyte of what they nearly match", () => {
    const { patterns } = compileRedactPatterns(["[a-z]{1,40}_key", "acme_[a-z]+"]);
    const start = cpuTime();
    redact("a".repeat(1_000_000), patterns);
    redact("acme_".repeat(200_000), patterns);
    expect(cpuTime() - start).toBeLessThan(2_000);
  });
});
