/** References, placeholders, types and counts: what stands there is no secret, or is redacted already. The name is in small letters. */
export function isHarmless(name: string, value: string): boolean {
  // Without the look back each sign of a long run would be a beginning to try.
  const bare = value.replace(/^[\\"'`]+/, "").replace(/(?<![\\"'`,;])[\\"'`,;]+$/, "");
  // A command of the shell, a text with gaps, or a variable's name; and a path.
  if (/^`(?:.*(?:\s|\$\{)|[A-Z]+_[A-Z_]+`$)/.test(value)) return true;
  if (value.startsWith("`") && value.includes("/") && /\.[a-z]{2,4}`$/.test(value)) return true;
  if (bare === "" || /^[[{(),;.]+$/.test(bare) || bare.includes("[REDACTED:")) return true;
  if (/^(?:true|false|null|none|nil|undefined)[):]*$/i.test(bare) || /^\$(?:[A-Za-z_{(]|[0-9@*][);]*$)/.test(bare))
    return true;
  if (TYPE.test(bare) || CALL.test(bare) || GETTER.test(bare) || /^[*•.…]+$/.test(bare)) return true;
  // `token = args[i + 1]`, `request.data['t']`: the value ends at the blank, or at the quote
  if (ELEMENT.test(value)) return true;
  // `password: body.password` of code
  if (FIELD.test(value) && bare.toLowerCase().includes(name, bare.lastIndexOf("."))) return true;
  // The shell's own `PWD` is a folder.
  if (name === "pwd" && /^(?:~?\/|[A-Za-z]:[\\/])/.test(bare)) return true;
  return (name === "token" || name === "pass") && /^[0-9.,]+[)}\]]*$/.test(bare);
}

/** What stands between a name and its value, and right behind that. */
export interface Around {
  readonly lead: string;
  readonly rest: string;
}

/** The same where what stands around it tells of code, markup or prose: a comparison, a path of names, a label, a sentence. */
export function isHarmlessThere({ lead, rest }: Around, name: string, value: string): boolean {
  const bare = value.replace(/[,;)]{1,4}$/, "");
  // `A_TOKEN==x1` without blanks is a value that begins with the sign, where nothing of code follows.
  const isCompared =
    /={2,3} ?$/.test(lead) &&
    (/ =+ ?$|= $/.test(lead) || bare !== value || /^[ \t]{0,3}(?:&&|\|\||[?)}\]])/.test(rest));
  // `token === "--json"`, `password === storedPassword`
  if (isCompared && /^(?:(["'`])--[a-z-]{1,40}\1|[a-z]{1,30}(?:[A-Z][a-z]{1,30}){1,4})$/.test(bare)) return true;
  // `spl_token::ID` of Rust
  if (lead.endsWith("::") && /^[A-Za-z_]{1,60}$/.test(bare)) return true;
  // `<label for="password">Password</label>`
  if (lead.endsWith(">") && bare.toLowerCase().replace(/[:*]$/, "") === name) return true;
  if (name !== "authorization" || !/^[a-z]{1,12}$/.test(bare)) return false;
  // `'Authorization': auth,` of code, `C<Authorization> headers`
  if (value.endsWith(",") || (lead.endsWith("> ") && !/^ ?</.test(rest))) return true;
  // `**Authorization:** see below`: schemes stand before what they name.
  return /:\S* $/.test(lead) && /^ [a-z]/i.test(rest);
}

/** Where what stands behind the value tells of code, or the whole name does: a condition, a fallback, a type of the same name. */
export function isOfCode({ lead, rest }: Around, name: string, value: string): boolean {
  // `credentials: isDev ? a : b`
  if (/^(?:is|has|use|can|should|was)(?:[A-Z][a-z]{1,20}){1,3}$/.test(value))
    return /^[ \t]\?[ \t][^\n?]{1,150}[ \t]:[ \t]/.test(rest);
  // `api_key = api_key or default`
  if (value === name) return /^[ \t]?=[ \t]?$/.test(lead) && /^[ \t](?:or|if)[ \t]/.test(rest);
  // `secret_generator: SecretGenerator`
  const whole = /^([_-][a-z_-]{1,40}):[ \t]$/.exec(lead)?.[1];
  return (
    whole !== undefined &&
    /^(?:[A-Z][a-z]{1,20}){2,5}[,)]?$/.test(value) &&
    (name + whole).replace(/[_-]/g, "") === value.toLowerCase().replace(/[,)]$/, "")
  );
}

// `token: string`, `password: &str`, `credentials: include`, `token = await …`: code.
const TYPE =
  /^&?(?:str(?:ing)?|number|int|bool(?:ean)?|any|unknown|bytes|buffer|object|await|new|required|optional|include|omit|same-origin|dict|list|tuple|void|never|symbol|function|callable|projected|text|varchar)\??(?:\):?)?$/i;
// `body.password`, with what code closes behind it
const FIELD = /^[A-Za-z_$][A-Za-z_$]{0,40}(?:\??\.[A-Za-z_$]{1,40}){1,5}[)\]},;]{0,9}$/;
// `token = getToken()`; what holds a digit may be a secret.
const CALL = /^[A-Za-z_][A-Za-z_.]{0,80}\([A-Za-z_.]{0,80}\)?(?:\.[A-Za-z_]{1,40}\([A-Za-z_.]{0,40}\)?){0,6}$/;
// `getToken2()`, `api.loadKeyV2(path);`
const GETTER =
  /^(?:[A-Za-z_]{1,40}\.){0,4}(?:get|load|read|fetch|make|create|generate|find|parse|decode|issue|build)[A-Z_][A-Za-z0-9_]{0,60}\([A-Za-z_.]{0,80}\)[)\]};,]{0,4}$/;
const ELEMENT = /^[A-Za-z_$][A-Za-z_$.]{0,60}\[(?:[A-Za-z_]{1,20}\]?|[0-9]{1,3}\])?[)\]},;]{0,6}$/;
