import type { Random } from "./random.ts";

/** Where a mutation would make a text of megabytes, it stops growing. */
const LONGEST = 200_000;

/** What parsers stumble over: marks of every format we read, and characters that are not what they seem. */
const PIECES: readonly [string, ...string[]] = [
  "\n",
  ..."\r\t\0\"'\\<>&#:-[]{}(),|!%@`*_=~$;/",
  "\r\n",
  "\n\n",
  "\u2028",
  "\u0085",
  "\uFEFF",
  "\uD800",
  "\uDC00",
  "\u{1F680}",
  "e\u0301",
  "\u202E",
  "\u200B",
  "\u{E0041}",
  "\u001b[2J",
  "---\n",
  "...\n",
  "```\n",
  "~~~\n",
  "# ",
  "## Recovery Steps\n",
  "**Updated**: ",
  "- [ ] ",
  "- [x] ",
  "<!--",
  "-->",
  "]]>",
  "<![CDATA[",
  "</thread>",
  "</event>",
  "&lt;",
  "&#0;",
  "&x;",
  "__proto__",
  "constructor",
  "null",
  "true",
  "1e999",
  "-0",
  "0x1f",
  "12345678901234567890",
  "../",
  "/etc/passwd",
  "C:\\",
  "~/",
  "file://",
  "$(touch x)",
  "`id`",
  "$HOME",
  "'\\''",
  "key: value\n",
  "key:\n  - a\n",
  "&a ",
  "*a",
  "!!binary ",
  "<<: *a\n",
  "? a\n",
  "|\n  ",
  ">-\n  ",
  '{"type":"user"}\n',
  '"is_error":true,',
  "<command-name>/x</command-name>",
  "sk-proj-abcdefghijklmnopqrst",
  "-----BEGIN RSA PRIVATE KEY-----",
  "password=",
  "02-projects/24-demo/",
  "STATE_CURRENT=saved\n",
  "export A='",
  '"hooks":{',
];

/** A text made of one or two others by a few small changes, or by one large one. */
export function mutate(random: Random, text: string, other: string): string {
  let changed = random.below(3) === 0 ? mutateJson(random, text) : text;
  const changes = 1 + random.below(random.below(4) === 0 ? 24 : 4);
  for (let count = 0; count < changes; count += 1) {
    changed = change(random, changed, other);
    if (changed.length > LONGEST) changed = changed.slice(0, LONGEST);
  }
  return changed;
}

function change(random: Random, text: string, other: string): string {
  const at = random.below(text.length + 1);
  const length = random.below(random.below(3) === 0 ? 400 : 12);
  const lines = text.split("\n");
  const line = random.below(lines.length);
  switch (random.below(12)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length);
    case 1:
    case 2:
    case 3:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(at);
    case 4:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(at + length);
    case 5:
      return (
        text.slice(0, at) +
        text.slice(at, at + length).repeat(2 + random.below(random.below(6) === 0 ? 300 : 6)) +
        text.slice(at)
      );
    case 6:
      return text.slice(0, at);
    case 7:
      return text.slice(0, at) + other.slice(random.below(other.length + 1));
    case 8:
      return lines.toSpliced(line, 1).join("\n");
    case 9:
      return lines.toSpliced(random.below(lines.length), 0, lines[line] ?? "").join("\n");
    case 10:
      return (
        text.slice(0, at) + String.fromCharCode(random.below(random.below(2) === 0 ? 128 : 65_536)) + text.slice(at + 1)
      );
    default:
      return (
        text.slice(0, at) +
        random.pick(PIECES).repeat(1 + random.below(random.below(8) === 0 ? 3000 : 5)) +
        text.slice(at)
      );
  }
}

/** Another value somewhere in one line of JSON, or in the whole text where that is JSON. */
function mutateJson(random: Random, text: string): string {
  const whole = parsed(text);
  if (whole !== undefined) return JSON.stringify(mutateValue(random, whole, 0), null, random.below(3)) ?? "";
  const lines = text.split("\n");
  const at = random.below(lines.length);
  const value = parsed(lines[at] ?? "");
  if (value === undefined) return text;
  return lines.with(at, JSON.stringify(mutateValue(random, value, 0)) ?? "").join("\n");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function mutateValue(random: Random, value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > 12 || random.below(6) === 0)
    return oddValue(random, value);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    if (items.length === 0) return [oddValue(random, null)];
    const at = random.below(items.length);
    return items.with(at, mutateValue(random, items[at], depth + 1));
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return { [random.pick(PIECES)]: 1 };
  const at = random.below(entries.length);
  const [key, inner] = entries[at] ?? ["", null];
  if (random.below(10) === 0) return Object.fromEntries(entries.toSpliced(at, 1));
  return Object.fromEntries(entries.with(at, [key, mutateValue(random, inner, depth + 1)]));
}

function oddValue(random: Random, value: unknown): unknown {
  const odd: readonly [unknown, ...unknown[]] = [
    null,
    "",
    0,
    -1,
    1e308,
    true,
    [],
    {},
    [value, value],
    { value },
    [[[[[[]]]]]],
    random.pick(PIECES),
    typeof value === "string" ? value + random.pick(PIECES) : String(value),
    "x".repeat(random.below(5000)),
  ];
  return random.pick(odd);
}
