/**
 * Values assigned to a name that says they are secret: in shell, code, SQL, JSON, YAML, TOML, Markdown, query strings, flags, XML
 * elements.
 */
export function redactAssignments(text: string): string {
  const replace = (found: string, head: string, name: string, value: string) => replaced(found, head, name, value);
  // Looked for before: to make the patterns takes a fresh process longer than all the rest.
  const assigned = /[:='：>]/.test(text) ? text.replace(ASSIGNMENT, replace) : text;
  return assigned.includes("--") ? assigned.replace(FLAG, replace) : assigned;
}

// `DB_PASS`, and nothing longer: `test_pass_rate` is none, and neither is one of several passes, `first_pass`.
const NAME =
  "(passw(?:or)?[dt]|kennwort|senha|contrase(?:\u00f1|n)a|mot[ _-]de[ _-]passe|пароль|密码|密碼|パスワード|비밀번호|passphrase|passwd|(?<=_)(?<!(?:first|second|third|last|next|single|render|shadow|depth|color|light|post|pre|full|fast|slow|opt)_)pass(?![a-z_-])|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|auth[_-]?key|client[_-]?key|encryption[_-]?key|credentials?|authorization)";
// `DB_PASSWORD_PROD`, `secretKey`, `token2`; not `tokens`, `tokenizer`, `secretary`.
const SUFFIX = "(?:(?:key|value|hash|string)?(?:[_-][A-Za-z0-9_-]{0,40}|[0-9]{0,4}))";
// Each form of a value takes all it can and never fails, so nothing is read twice: quoted (to the closing quote or the
// line's end), in backticks, in escaped quotes, a YAML block, one in JSON, a word.
const VALUE =
  '("[^"\\\\\\n]*(?:\\\\[^\\n][^"\\\\\\n]*)*"?|\'[^\'\\n]*\'?|`[^`\\n]*`?|\\\\+["\'][^"\'\\\\\\n]*|[|>][+-]?(?:[ \\t]*\\r?\\n(?:[ \\t][^\\n]*\\n?)+|(?:(?:\\\\+r)?\\\\+n[ \\t]+[^"\\\\\\n]*)+)|(?:Basic|Digest|Token|Bearer)[ \\t][^\\s"\'`<>]+|[^\\s"\'`<>]+)';
// What stands in a mark of ours, `[REDACTED:npm-token]`, names nothing: what follows it was looked at before.
const NO_MARK = "(?<!\\[REDACTED:(?:[a-z]{1,12}-){0,2})";
// Said before that: V8 then steps over all other places, in half the time.
const BEGINNING = "(?=pa|pw|pr|ke|se|co|mo|па|密|パ|비|to|ap|ac|au|cl|en|cr)";
// `apiKey: string = …`, `api_key: Optional[str] = …`, `apiKey string = …`: else the type would be the value.
const TYPED = "(?:[?!]?:?[ \\t][a-z[&' ]{0,16}(?:str|byte)[a-z |\\]]{0,24} (?==))?";
// `b"…"`, `$'…'`, `"""…"""`, and within quotes of the shell `'\\''…`.
const OPENING = "(?:[bfru@$]{1,2}(?=\\\\*[\"']))?(?:\"\"(?=\")|''(?=')|'\\\\{1,4}''(?!'))?";
// A name in Markdown's marks is told about more often than given: `**token**: The one that …`.
const MARKED = "(?:\\\\*[\"']|[`*]{1,2}(?=[ \\t]{0,8}[:=][ \\t]{0,8}(?:[\"'`]|(?!http)[^\\s\"'`<>]{0,100}[0-9])))?";
const ASSIGNMENT = new RegExp(
  `(${BEGINNING}${NO_MARK}${NAME}${SUFFIX}${MARKED}(?:\\[\\](?=[ \\t]{0,8}=[ \\t]{0,8}")|\\]|\\))?${TYPED}[ \\t]{0,8}(?:[:=：]{1,2}>?\\*{0,2}|\\?=|>|(?<=word[ \\t]{1,8})(?='[^\\s'),;+]))[ \\t]{0,8}${OPENING})${VALUE}`,
  "gi",
);
const FLAG = new RegExp(`(--(?:[a-z0-9]{1,20}-){0,3}${NAME}[ \\t]{1,4})${VALUE}`, "gi");

function replaced(found: string, head: string, name: string, value: string): string {
  if (isHarmless(name, value)) return found;
  const kind = /^pass|^pwd|^kenn|^senha|^contra|^mot|[^\u0000-\u007f]/i.test(name)
    ? "password"
    : name.toLowerCase().replace(/_/g, "-");
  const open = /^(?:["'`]|\\+["'])/.exec(value)?.[0] ?? "";
  const closes = open.length === 1 && value.length > 1 && value.endsWith(open);
  return `${head}${open}[REDACTED:${kind}]${closes ? open : ""}${/\n$/.test(value) ? "\n" : ""}`;
}

/** References, placeholders and counts: what stands there is no secret, or is redacted already. */
function isHarmless(name: string, value: string): boolean {
  // Without the look back each sign of a long run would be a beginning to try.
  const bare = value.replace(/^[\\"'`]+/, "").replace(/(?<![\\"'`,;])[\\"'`,;]+$/, "");
  // A command of the shell, a text with gaps, or a variable's name; and a path.
  if (/^`(?:.*(?:\s|\$\{)|[A-Z]+_[A-Z_]+`$)/.test(value)) return true;
  if (value.startsWith("`") && value.includes("/") && /\.[a-z]{2,4}`$/.test(value)) return true;
  if (bare === "" || /^[[{(,;.]+$/.test(bare) || bare.includes("[REDACTED:")) return true;
  if (/^(?:true|false|null|none|nil|undefined)[):]*$/i.test(bare) || /^\$(?:[A-Za-z_{(])/.test(bare)) return true;
  if (TYPE.test(bare) || CALL.test(bare)) return true;
  // The shell's own `PWD` is a folder.
  if (/^pwd$/i.test(name) && /^(?:~?\/|[A-Za-z]:[\\/])/.test(bare)) return true;
  return /^(?:token|pass)$/i.test(name) && /^[0-9.,]+[)}\]]*$/.test(bare);
}

// `token: string`, `password: &str`, `credentials: include`, `token = await …`: code.
const TYPE =
  /^&?(?:str(?:ing)?|number|int|bool(?:ean)?|any|unknown|bytes|buffer|object|await|new|required|optional|include|omit|same-origin)\??\)?$/i;
// `token = getToken()`; what holds a digit may be a secret.
const CALL = /^[A-Za-z_][A-Za-z_.]{0,80}\([A-Za-z_.]{0,80}\)?$/;
