import { LIKELY } from "./redact-assignments.ts";

interface Place {
  readonly kind: string;
  /** A text without it, in small letters or as it is, is not searched. */
  readonly hint: string;
  /** What stands in front of the secret is the first group. Bounded, so that no text is read twice for long. */
  readonly pattern: () => RegExp;
}

// Each pattern is made where its word is there: a fresh process would take longer to make them than for all the rest.
// ARGUMENT stands for what a program is given as one word: bare, or in quotes, which JSON may have escaped.
const PLACES: readonly Place[] = [
  // Cookie: session=…
  {
    kind: "cookie",
    hint: "ookie:",
    pattern: () => /\b((?:set-)?cookie:[ \t]{0,4})(?!\[REDACTED)[^\s"'`=;]{1,100}=[^\n"'`\\]{1,4000}/gi,
  },
  // A line of a .netrc file, or its lines.
  {
    kind: "password",
    hint: "login",
    pattern: () =>
      /\b((?:machine\s{1,20}\S{1,200}|default)\s{1,20}login\s{1,20}\S{1,200}\s{1,20}(?:account\s{1,20}\S{1,200}\s{1,20})?password\s{1,20})(?!\[REDACTED)[^\s"'`]{1,1000}/g,
  },
  { kind: "password", hint: "sshpass", pattern: () => argument(/\b(sshpass[ \t]{1,4}-p[ \t]{0,4})ARGUMENT/g) },
  ...["mysql", "mariadb"].map((hint) => ({
    kind: "password",
    hint,
    // `-p3306:3306` is a port of a container.
    pattern: () =>
      argument(
        /\b((?:mysql|mariadb-?)(?:dump|admin|import|check)?(?=[ \t])[^\n|;&]{0,200}?[ \t]-p)(?!(?:[0-9.]{1,20}:)?[0-9]{1,5}:[0-9]{1,5}(?!\S))ARGUMENT/g,
      ),
  })),
  {
    kind: "password",
    hint: "redis-cli",
    pattern: () => argument(/\b(redis-cli(?=[ \t])[^\n|;&]{0,200}?[ \t](?:-a|--pass)[ \t]{1,4})ARGUMENT/g),
  },
  {
    kind: "password",
    hint: " login",
    pattern: () =>
      argument(
        /\b((?:docker|podman|helm|az|oc)[ \t][^\n|;&]{0,40}?login(?=[ \t])[^\n|;&]{0,200}?[ \t]-p[ \t=]{1,4})ARGUMENT/g,
      ),
  },
  {
    kind: "password",
    hint: "mongo",
    pattern: () =>
      argument(/\b(mongo(?:sh|dump|restore|export|import)?(?=[ \t])[^\n|;&]{0,200}?[ \t]-p[ \t]{1,4})ARGUMENT/g),
  },
  {
    kind: "password",
    hint: "sqlcmd",
    pattern: () => argument(/\b(sqlcmd(?=[ \t])[^\n|;&]{0,200}?[ \t]-P[ \t]{0,4})ARGUMENT/g),
  },
  {
    kind: "password",
    hint: "ldap",
    pattern: () =>
      argument(/\b(ldap(?:search|modify|add|delete|whoami|passwd)(?=[ \t])[^\n|;&]{0,200}?[ \t]-w[ \t]{1,4})ARGUMENT/g),
  },
  // curl -uann:x, -su ann:x, -U ann:x
  {
    kind: "credentials",
    hint: "curl",
    pattern: () =>
      argument(
        /\b(curl(?=[ \t])[^\n|;&]{0,200}?[ \t](?:-[a-zA-Z]{0,6}[uU][ \t]{0,4}|--(?:proxy-)?user[ \t=]{1,4}))(?=\\*["']?[^\s:"']{1,200}:)ARGUMENT/g,
      ),
  },
  // What a program reads as a password from its standard input
  ...["--password-stdin", "chpasswd", "sudo"].map((hint) => ({
    kind: "password",
    hint,
    pattern: () =>
      argument(
        /\b((?:echo|printf)[ \t]{1,4}(?:-[ne]{1,2}[ \t]{1,4})?(?:\\*["']?%s(?:\\{1,2}n)?\\*["']?[ \t]{1,4})?)(?!\\*["']?\$|-)ARGUMENT(?=[ \t]{0,4}\|[^\n|;&]{0,200}(?:--password-stdin|chpasswd|sudo[ \t]{1,4}-S))/g,
      ),
  })),
  // gh secret set NAME --body x
  {
    kind: "secret",
    hint: "secret",
    pattern: () => argument(/\b(secret[ \t]{1,4}set[ \t][^\n|;&]{0,200}?[ \t](?:-b|--body)[ \t=]{1,4})ARGUMENT/g),
  },
  { kind: "password", hint: "pass:", pattern: () => argument(/([ \t]-pass(?:in|out)?[ \t]{1,4}pass:)ARGUMENT/g) },
  {
    kind: "password",
    hint: "SecureString",
    pattern: () => argument(/\b(ConvertTo-SecureString[ \t]{1,4}(?:-String[ \t]{1,4})?)(?=\\*["'])ARGUMENT/g),
  },
  {
    kind: "password",
    hint: "jdbc:oracle:",
    pattern: () => /(jdbc:oracle:[a-z]{1,10}:[^\s/@"'`]{1,100}\/)(?!\[REDACTED)[^\s/@"'`]{1,200}(?=@)/g,
  },
  // In prose a thing is identified by its "name", and a word in quotes is one with a digit or a sign only.
  {
    kind: "password",
    hint: "IDENTIFIED",
    pattern: () =>
      argument(
        /\b(IDENTIFIED[ \t]{1,4}(?:WITH[ \t]{1,4}\S{1,60}[ \t]{1,4})?(?:BY|AS)[ \t]{1,4}(?:PASSWORD[ \t]{1,4})?)ARGUMENT/g,
      ),
  },
  {
    kind: "password",
    hint: "identified",
    pattern: () =>
      argument(
        /\b(identified[ \t]{1,4}(?:with[ \t]{1,4}\S{1,60}[ \t]{1,4})?by[ \t]{1,4})(?=\\*["'][^\s"']{0,100}[0-9!@#$%&*])ARGUMENT/g,
      ),
  },
  // Of PHP and of C, where a key by itself is a name mostly.
  {
    kind: "secret",
    hint: "define",
    pattern: () =>
      /\b(define(?:[ \t]{1,8}|\([ \t]{0,8}["'])[A-Z0-9_]{0,60}(?:PASSW(?:OR)?D|_PASS(?![A-Z_])|SECRET|TOKEN|SALT|(?:API|AUTH|ACCESS|PRIVATE|LOGGED_IN|NONCE)_?KEY)(?:_[A-Z0-9_]{0,40})?(?:["'][ \t]{0,8},[ \t]{0,40}|[ \t]{1,40})\\{0,4}["'])(?!\[REDACTED)[^"'\\\n]{1,1000}/g,
  },
  {
    kind: "secret",
    hint: "--from-literal",
    pattern: () => argument(/(--from-literal[= ][^\s=]{1,100}=)ARGUMENT/g),
  },
  {
    kind: "npm-token",
    hint: "_auth",
    // Of code, `self._auth = make_auth(x)`, it is none.
    pattern: () =>
      /((?<![A-Za-z0-9.>$])_auth(?:Token)?(?:[ \t]{1,4}(?!=)|[ \t]{0,4}=[ \t]{0,4}\\{0,4}["']?(?=[A-Za-z0-9+/]{0,200}[A-Z0-9=][A-Za-z0-9+/=_-]{0,800}(?![^\s"'`\\]))))(?!\[REDACTED)[^\s"'`\\]{8,1000}/g,
  },
  // What a person tells: "the password is hunter2", not "is required!" or "is base64-encoded".
  ...["assw", "assphrase", "ASSW"].map((hint) => ({
    kind: "password",
    hint,
    pattern: () =>
      /\b((?:password|passphrase|passwort)[ \t]{1,4}(?:is|ist|lautet)[ \t:]{1,4}["'`]?)(?!\[REDACTED|(?:base|sha|md|bcrypt|scrypt|argon|pbkdf|utf|aes)-?[0-9]{1,3}\b)(?=[^\s"'`]{0,100}(?:[0-9]|[!@#$%&*][^\s"'`!?.,;:)]))[^\s"'`]{6,200}/gi,
  })),
];

/** Ends soon: what makes a value a likely one is looked for all along it. */
const SHORT = "(?=[^\\s\"'`|│\\\\]{6,64}(?![^\\s\"'`|│\\\\]))";
/**
 * None is a sentence in a script without blanks; nor, without quotes, an element of a list, a path of names that code begins
 * with, and behind a sign of equality between blanks a name with a sign before it or a semicolon behind it, and what is compared.
 */
const NO_CODE =
  "(?![^\\s\"'`]{0,40}[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]|(?<![\"'`])(?:[A-Za-z_$][\\w$.]{0,40}\\[[^\\s\"'`\\]]{1,20}\\](?:[.[)\\]};,]|(?!\\S))|(?:process\\.env|this|self)\\.|(?<=[ \\t]=[ \\t]{1,8})(?:[!&*]{1,2}[A-Za-z_$]|[\\w$.?>-]{1,60};|[^\\s\"'`]{1,60}[ \\t](?:[=!]==?|&&|\\|\\||\\?\\??|[<>]=?|\\+)[ \\t])))";
/**
 * Looked for last, in what the others leave: names by which other things go as well, `pass` of a test and `pw` of Playwright,
 * whose value has to look like a secret (`--- PASS: TestRetry3` is none), and the arguments of some programs.
 */
const LATER: readonly Place[] = [
  ...["pass", "Pass", "PASS(?!:)", "pw", "PW"].map((name) => ({
    kind: "password",
    hint: name.slice(0, 4),
    pattern: () =>
      new RegExp(
        `((?<![A-Za-z0-9-])(?<!_(?=[Pp]a))${name}(?![A-Za-z_-])\\\\{0,4}["'\`*]{0,2}[ \\t]{0,8}[:=]>?[ \\t]{0,8}\\\\{0,4}["'\`]?)${NO_CODE}${SHORT}${LIKELY.replaceAll("a-z", "A-Za-z")}`,
        "g",
      ),
  })),
  // `--pass 2` is the second of an encoder's passes.
  {
    kind: "password",
    hint: "--pass",
    pattern: () =>
      argument(
        /(--pass(?:=|[ \t]{1,4}(?!=)))(?!\\*["']?[$<{]|[0-9]{1,2}(?![^\s"'`])|-|(?:to|is|or|and|if|as|in|for|the|an?|with|flag|option|was|can|will)(?!\S))ARGUMENT/g,
      ),
  },
  { kind: "password", hint: "PW=", pattern: () => argument(/((?<![A-Za-z0-9])PW=)(?!\\*["']?[$<{(])ARGUMENT/g) },
  {
    kind: "password",
    hint: "zip",
    pattern: () => argument(/\b((?:un)?zip(?=[ \t])[^\n|;&]{0,200}?[ \t]-P[ \t]{0,4})(?!\\*["']?\$)ARGUMENT/g),
  },
];

/** Quoted only with both quotes: in `sh -c 'sshpass -p x ssh h'` the last one is another's. */
function argument({ source, flags }: RegExp): RegExp {
  return new RegExp(
    source.replace(
      "ARGUMENT",
      () =>
        '(?!\\\\*["\']?\\[REDACTED)(?:"[^"\\\\\\n]{1,1000}"|\'[^\'\\n]{1,1000}\'|\\\\{1,4}"[^"\\\\\\n]{1,1000}\\\\{1,4}"|[^\\s]{1,1000})',
    ),
    flags,
  );
}

/** Secrets whose place tells what they are: bare arguments of programs, cookies, lines of `.netrc`, definitions, and what a person says. */
export function redactArguments(text: string): string {
  return redactIn(PLACES, text);
}

/** What is looked for where all else is redacted: so it hides more, and nothing less. */
export function redactLater(text: string): string {
  return redactIn(LATER, text);
}

function redactIn(places: readonly Place[], text: string): string {
  let clean = text;
  for (const { kind, hint, pattern } of places) {
    if (clean.includes(hint)) clean = clean.replace(pattern(), `$1[REDACTED:${kind}]`);
  }
  return clean;
}
