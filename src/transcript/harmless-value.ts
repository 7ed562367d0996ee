/** References, placeholders, types and counts: what stands there is no secret, or is redacted already. */
export function isHarmless(name: string, value: string): boolean {
  // Without the look back each sign of a long run would be a beginning to try.
  const bare = value.replace(/^[\\"'`]+/, "").replace(/(?<![\\"'`,;])[\\"'`,;]+$/, "");
  // A command of the shell, a text with gaps, or a variable's name; and a path.
  if (/^`(?:.*(?:\s|\$\{)|[A-Z]+_[A-Z_]+`$)/.test(value)) return true;
  if (value.startsWith("`") && value.includes("/") && /\.[a-z]{2,4}`$/.test(value)) return true;
  if (bare === "" || /^[[{(),;.]+$/.test(bare) || bare.includes("[REDACTED:")) return true;
  if (/^(?:true|false|null|none|nil|undefined)[):]*$/i.test(bare) || /^\$(?:[A-Za-z_{(])/.test(bare)) return true;
  if (TYPE.test(bare) || CALL.test(bare)) return true;
  // `password: body.password` of code
  if (FIELD.test(value) && bare.toLowerCase().includes(name, bare.lastIndexOf("."))) return true;
  // The shell's own `PWD` is a folder.
  if (/^pwd$/i.test(name) && /^(?:~?\/|[A-Za-z]:[\\/])/.test(bare)) return true;
  return /^(?:token|pass)$/i.test(name) && /^[0-9.,]+[)}\]]*$/.test(bare);
}

// `token: string`, `password: &str`, `credentials: include`, `token = await …`: code.
const TYPE =
  /^&?(?:str(?:ing)?|number|int|bool(?:ean)?|any|unknown|bytes|buffer|object|await|new|required|optional|include|omit|same-origin)\??(?:\):?)?$/i;
// `body.password`, with what code closes behind it
const FIELD = /^[A-Za-z_$][A-Za-z_$]{0,40}(?:\??\.[A-Za-z_$]{1,40}){1,5}[)\]},;]{0,9}$/;
// `token = getToken()`; what holds a digit may be a secret.
const CALL = /^[A-Za-z_][A-Za-z_.]{0,80}\([A-Za-z_.]{0,80}\)?$/;
