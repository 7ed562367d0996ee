import { type Around, isHarmless, isHarmlessThere, isOfCode } from "./harmless-value.ts";

/**
 * Values given to a name that says they are secret: in shell, code, SQL, JSON, YAML, TOML, Markdown, query strings, flags, XML
 * elements, tables, and where name and value are fields of one object.
 */
export function redactAssignments(text: string): string {
  // Patterns that mind no case take a fresh process thrice as long to make: all are given small letters.
  const small = smallLetters(text);
  if (!WORDS.some((word) => small.includes(word))) return text;
  const names = namePattern();
  // Asked once: for each name it would read the rest of the text.
  const forms = FORMS.filter(({ hints }) => hints.length === 0 || hints.some((hint) => small.includes(hint)));
  let clean = "";
  let done = 0;
  for (let found = names.exec(small); found !== null; found = names.exec(small)) {
    const [name] = found;
    const place = isOfMark(small, found.index) ? null : placeOfValue(forms, small, found.index, name.length);
    if (place === null) {
      names.lastIndex = found.index + 1;
      continue;
    }
    const [start, end] = place;
    names.lastIndex = end;
    const around = { lead: text.slice(found.index + name.length, start), rest: text.slice(end, end + LOOKED_AT) };
    const given = text.slice(start, end);
    const value = isOfCode(around, name, given) ? null : withoutSecret(name, around, given);
    if (value === null) continue;
    clean += text.slice(done, start) + value;
    done = end;
  }
  return clean + text.slice(done);
}

/** Of the same length: of all characters this one alone becomes two. */
function smallLetters(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text.replaceAll("\u0130", "i").toLowerCase();
}

/** What is in every name. To look for these takes a fiftieth of what it takes to make a pattern. */
const WORDS =
  "pass key token secret pwd credential authorization kennwort senha contrase пароль 密 パスワード 비밀번호".split(" ");

// `DB_PASS`, and nothing longer: `test_pass_rate` is none, and neither is one of several passes, `first_pass`.
// The look ahead lets V8 step over all other places, in half the time.
const namePattern = once(
  () =>
    /(?=pa|pw|pr|ke|se|co|mo|па|密|パ|비|to|ap|ac|au|cl|en|cr)(?:(?<!\/etc\/)passw(?:or)?[dt]|kennwort|senha|contrase(?:\u00f1|n)a|mot[ _-]de[ _-]passe|пароль|密码|密碼|パスワード|비밀번호|passphrase|(?<=_)(?<!(?:first|second|third|last|next|single|render|shadow|depth|color|light|post|pre|full|fast|slow|opt)_)pass(?![a-z_-])|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|auth[_-]?key|client[_-]?key|encryption[_-]?key|credential(?:s(?!tring))?|authorization)/g,
);

/** What stands in a mark of ours, `[REDACTED:npm-token]`, names nothing: what follows it was looked at before. */
function isOfMark(small: string, at: number): boolean {
  return (
    /[:-]/.test(small.charAt(at - 1)) && /\[redacted:(?:[a-z]{1,12}-){0,2}$/.test(small.slice(Math.max(0, at - 40), at))
  );
}

/** Where the value that is given to the name at `at` begins and ends. */
function placeOfValue(
  forms: readonly Form[],
  small: string,
  at: number,
  length: number,
): readonly [number, number] | null {
  const from = at + length;
  const behind = small.slice(from, from + LOOKED_AT);
  const next = NEXT.exec(behind)?.[1] ?? "";
  for (const { mayBe, before, rest } of forms) {
    if (!mayBe({ next, behind }) || !isAt(before(), small, at)) continue;
    const tail = rest();
    tail.lastIndex = from;
    const lead = tail.exec(small)?.[1];
    if (lead !== undefined) return [from + lead.length, tail.lastIndex];
  }
  return null;
}

function isAt(pattern: RegExp | null, text: string, at: number): boolean {
  if (pattern === null) return true;
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** What is found out about a name before any pattern of a form is made: each takes longer to make than a text to look through. */
interface Surroundings {
  /** The first character that is neither of the name, nor of a mark round it, nor a blank. */
  readonly next: string;
  readonly behind: string;
}

const NEXT = /^[\w.\\"'`*[\])!-]*\??[ \t]*(.?)/;
/** Further than any sign of a form stands behind a name. */
const LOOKED_AT = 200;

interface Form {
  /** A text in small letters without any of them is not searched; none where there is none. */
  readonly hints: readonly string[];
  readonly mayBe: (at: Surroundings) => boolean;
  /** What has to stand before the name; asked at its first character. */
  readonly before: () => RegExp | null;
  /** From behind the name to the value's end; the first group is what stands before the value. */
  readonly rest: () => RegExp;
}

// `DB_PASSWORD_PROD`, `secretKey`, `token2`; not `tokens`, `tokenizer`, `secretary`.
const SUFFIX = "(?:(?:key|value|hash|string)?(?:[_-][a-z0-9_-]{0,40}|[0-9]{0,4}))";
// Each form of a value takes all it can and never fails, so nothing is read twice: quoted (to the closing quote or the
// line's end), in backticks, in escaped quotes, a YAML block, one in JSON, a word.
const VALUE =
  '(?:"[^"\\\\\\n]*(?:\\\\[^\\n][^"\\\\\\n]*)*"?|\'[^\'\\n]*\'?|`[^`\\n]*`?|\\\\+["\'][^"\'\\\\\\n]*|[|>][+-]?(?:[ \\t]*\\r?\\n(?:[ \\t][^\\n]*\\n?)+|(?:(?:\\\\+r)?\\\\+n[ \\t]+[^"\\\\\\n]*)+)|(?:basic|digest|token|bearer)[ \\t][^\\s"\'`<>]+|[^\\s"\'`<>]+)';
// `apiKey: string = …`, `api_key: Optional[str] = …`, `apiKey string = …`: else the type would be the value.
const TYPED = "(?:[?!]?:?[ \\t][a-z[&' ]{0,16}(?:str|byte)[a-z |\\]]{0,24} (?==))?";
// `b"…"`, `N'…'`, `$'…'`, `"""…"""`, and within quotes of the shell `'\\''…`.
const OPENING = "(?:[bflnru@$]{1,2}(?=\\\\*[\"']))?(?:\"\"(?=\")|''(?=')|'\\\\{1,4}''(?!'))?";
// `options.password || "…"`: of a variable and what is taken where it is not set, that is the value.
const VARIABLE =
  "(?:[a-z_$][\\w$]{0,40}(?:\\??[.][a-z_$][\\w$]{0,60}){1,5}(?:[[(]\\\\*[\"'][\\w.-]{1,60}\\\\*[\"'][\\])])?[ \\t]{1,4}(?:\\|\\||\\?\\?)[ \\t]{1,4}(?=\\\\*[\"'`]))?";
// `API_KEY_INVALID: The key is not valid`
const NO_PROSE =
  "(?!(?<=:[ \\t]{1,8})(?:the|an?|this|that|is|are|was|were|must|should|not|if|when|for|of|to|and|or|which|with|from|see)[ \\t]{1,4}[a-z])";
// `'password' => 'x'`, also over lines, and `[password] => x`; `(token) => token.kind` is a function.
const ARROW = "[:=：]{1,2}>(?<!\\)[ \\t]{0,8}=>)(?:[ \\t]{0,8}\\r?\\n[ \\t]{0,80}(?=\\\\*[\"'`]))?";
// A name in Markdown's marks is told about more often than given: `**token**: The one that …`.
const MARKED = "(?:\\\\*[\"']|[`*]{1,2}(?=[ \\t]{0,8}[:=][ \\t]{0,8}(?:[\"'`]|(?!http)[^\\s\"'`<>]{0,100}[0-9])))?";
// Where a sign alone does not tell: a word with a digit or a sign in it, which is no file, address, date, version, size, hash's
// name, variable or text with gaps.
export const LIKELY =
  "(?!\\[redacted|https?:|[~.]{0,2}/|[$%<{([]|[0-9]{4}-[0-9]{2}-|(?:v?[0-9]{1,4}(?:[.][0-9]{1,6}){1,3}(?:[-+](?:alpha|beta|rc|next|canary|dev|pre)[a-z0-9.-]{0,20})?|[0-9]{1,5}-(?:bit|byte|char|digit|day|hour|min|sec|week|month|year)[a-z]{0,7}|(?:[a-z0-9-]{1,60}[.][a-z0-9.-]{1,140}|localhost):[0-9]{1,5})(?![^\\s\"'`|│\\\\])|(?:base|(?:scram-)?sha|md|bcrypt|scrypt|argon|pbkdf|utf|aes|int|uint|varchar|char|oauth|python|openssl)-?[0-9]{1,3}|[^\\s\"'`|│\\\\]{0,200}(?:[.][a-z]{1,5}(?![^\\s\"'`|│\\\\])|[()]|\\$\\{[a-z_]|passw|secret|token|_key))(?=[^\\s\"'`|│\\\\]{0,100}(?:[a-z][^\\s\"'`|│\\\\]{0,100}[0-9]|[0-9][^\\s\"'`|│\\\\]{0,100}[a-z]|[!@#$%&*][^\\s\"'`|│\\\\!?.,;:)]))[^\\s\"'`|│\\\\]{6,200}";

const FORMS: readonly Form[] = [
  // ${DB_PASSWORD:-x}; of :? and :+ what follows is said, or taken where a secret is set.
  {
    hints: ["${"],
    mayBe: () => true,
    before: once(() => /(?<=\$\{\w{0,60})/y),
    rest: once(() => sticky("(\\w{0,40}(?::?[-=]|:?[?+][^}\\n]{0,200}))[^\\s\"'`$}]*")),
  },
  {
    hints: [],
    mayBe: ({ next, behind }) => /^[:=：>?']/.test(next) || (/str|byte/.test(behind) && behind.includes("=")),
    before: () => null,
    rest: once(() =>
      sticky(
        `(${SUFFIX}${MARKED}(?:\\[[0-9]{0,5}\\](?=[ \\t]{0,8}=[ \\t]{0,8}")|\\]|\\))?${TYPED}[ \\t]{0,8}(?:[:=：]{1,3}(?!>)\\*{0,2}|${ARROW}|\\?=|(?<![ \\t])>(?![ \\t]{0,8}=(?![^\\s<>]{0,200}</)|&[0-9])|(?<=word[ \\t]{1,8})(?='[^\\s'),;+]))[ \\t]{0,8}${VARIABLE}${OPENING})${NO_PROSE}${VALUE}`,
      ),
    ),
  },
  // deploy --api-key x
  {
    hints: ["--"],
    mayBe: () => true,
    before: once(() => /(?<=--(?:[a-z0-9]{1,20}-){0,3})/y),
    rest: once(() => sticky(`([ \\t]{1,4})${VALUE}`)),
  },
  // { "name": "DB_PASSWORD", "value": "x" }, also over lines, in YAML, and as attributes.
  {
    hints: ["value"],
    mayBe: () => true,
    before: once(() => /(?<=\b(?:name|key|variable|var|id)\\*["']?[ \t]{0,8}[:=][ \t]{0,8}\\*["']?[\w./:-]{0,60})/y),
    rest: once(() =>
      sticky(
        `([\\w./:-]{0,60}\\\\*["']?(?=[\\s,\\\\])(?:(?!(?:\\n|\\\\n)[ \\t]{0,40}-[ \\t]|[{}<>]|\\b(?:name|key|id)\\\\*["']?[ \\t]{0,8}[:=])[^]){0,300}?(?<![a-z0-9_.-])value\\\\*["']?[ \\t]{0,8}[:=][ \\t]{0,8})${VALUE}`,
      ),
    ),
  },
  // | DB_PASSWORD | x |
  {
    hints: [],
    mayBe: ({ next }) => next === "|" || next === "│",
    before: once(() => /(?<=[|│][ \t]{0,80}[`*]{0,2}[\w./ -]{0,60})/y),
    rest: once(() =>
      sticky(`(${SUFFIX}[\`*]{0,2}[ \\t]{0,80}[|│][ \\t]{0,80}[\`*]{0,2})${LIKELY}(?=[\`*]{0,2}[ \\t]{0,200}[|│])`),
    ),
  },
  // ENV DB_PASSWORD x, setx DB_PASSWORD x
  {
    hints: ["env ", "env\t", "setx", "set -", "set  ", "set\t"],
    mayBe: () => true,
    before: once(
      () =>
        /(?<=(?:(?:^|\n|\\n)[ \t]{0,20}env|\b(?:setx|setenv|set[ \t]{1,4}-[glux]{1,3}))[ \t]{1,8}\\*["']?[a-z0-9_]{1,60}_|(?:^|\n|\\n)[ \t]{0,20}env[ \t]{1,8}(?=[a-z0-9]{0,20}_)|\b(?:setx|setenv|set[ \t]{1,4}-[glux]{1,3})[ \t]{1,8})/y,
    ),
    rest: once(() => sticky(`(${SUFFIX}\\\\*["']?[ \\t]{1,8}(?![=:]))${VALUE}`)),
  },
  // export DB_PASSWORD x1, aws configure set aws_secret_access_key x1
  {
    hints: ["export", "config"],
    mayBe: () => true,
    before: once(
      () =>
        /(?<=\b(?:export|config(?:ure)?(?:[ \t]{1,4}(?:set|--[a-z-]{1,20})){0,3})[ \t]{1,8}\\*["']?[\w./:-]{0,80})/y,
    ),
    rest: once(() => sticky(`(${SUFFIX}\\\\*["']?[ \\t]{1,8}\\\\*["']?)${LIKELY}`)),
  },
  // getenv("DB_PASSWORD", "x1"), settings.DB_PASSWORD ?? "x1", = PASSWORD('x1')
  {
    hints: [],
    mayBe: ({ next, behind }) => /^[,|?(]/.test(next) && /["'`]/.test(behind),
    before: () => null,
    rest: once(() =>
      sticky(
        `(${SUFFIX}(?:\\\\*["'\`][ \\t]{0,4},[ \\t]{0,4}(?:[a-z]{1,20}[ \\t]{0,4}=[ \\t]{0,4})?|\\\\*["'\`]?[\\])]?[ \\t]{0,4}(?:\\|\\||\\?\\?)=?[ \\t]{0,4}|\\()\\\\*["'\`])${LIKELY}(?=\\\\*["'\`])`,
      ),
    ),
  },
];

function sticky(pattern: string): RegExp {
  return new RegExp(pattern, "y");
}

/** A pattern that is made when it is first asked for: to make them all takes a fresh process longer than all the rest. */
function once(make: () => RegExp): () => RegExp {
  let made: RegExp | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** A value that a name was given, with a mark in the secret's place; null where it is none. */
function withoutSecret(name: string, around: Around, value: string): string | null {
  // `${DB_PASSWORD:-x}`: what is taken where the variable is not set.
  const [, variable, fallback = "", rest] = /^(["'`]?\$\{\w{1,100}:?-)([^\s"'`$}]*)(.*)$/s.exec(value) ?? [];
  if (variable !== undefined) return isHarmless(name, fallback) ? null : `${variable}[REDACTED:${kindOf(name)}]${rest}`;
  if (isHarmless(name, value) || isHarmlessThere(around, name, value)) return null;
  const open = /^(?:["'`]|\\+["'])/.exec(value)?.[0] ?? "";
  return `${open}[REDACTED:${kindOf(name)}]${value.endsWith(open) ? open : ""}${/\n$/.test(value) ? "\n" : ""}`;
}

function kindOf(name: string): string {
  return /pass|pwd|kenn|senha|contra|[^\u0000-\u007f]/.test(name) ? "password" : name.replaceAll("_", "-");
}
