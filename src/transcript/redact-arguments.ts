interface Place {
  readonly kind: string;
  /** A text without it, in small letters or as it is, is not searched. */
  readonly hint: string;
  /** What stands in front of the secret is the first group. Bounded, so that no text is read twice for long. */
  readonly pattern: () => RegExp;
}

// Each pattern is made where its word is there: a fresh process would take longer to make them than for all the rest.
const PLACES: readonly Place[] = [
  // Cookie: session=…
  {
    kind: "cookie",
    hint: "ookie:",
    pattern: () => /\b((?:set-)?cookie:[ \t]{0,4})(?!\[REDACTED)[^\s"'`=;]{1,100}=[^\n"'`\\]{1,4000}/gi,
  },
  // A line of a .netrc file, or its three lines.
  {
    kind: "password",
    hint: "machine",
    pattern: () =>
      /\b(machine\s{1,20}\S{1,200}\s{1,20}login\s{1,20}\S{1,200}\s{1,20}password\s{1,20})(?!\[REDACTED)[^\s"'`]{1,1000}/g,
  },
  { kind: "password", hint: "sshpass", pattern: () => /\b(sshpass[ \t]{1,4}-p[ \t]{0,4})(?!\[REDACTED)[^\s]{1,1000}/g },
  {
    kind: "password",
    hint: "mysql",
    // `-p3306:3306` is a port of a container.
    pattern: () =>
      /\b(mysql(?:dump|admin|import)?(?=[ \t])[^\n|;&]{0,200}?[ \t]-p)(?!\[REDACTED|(?:[0-9.]{1,20}:)?[0-9]{1,5}:[0-9]{1,5}(?!\S))[^\s]{1,1000}/g,
  },
  {
    kind: "password",
    hint: "redis-cli",
    pattern: () => /\b(redis-cli(?=[ \t])[^\n|;&]{0,200}?[ \t]-a[ \t]{1,4})(?!\[REDACTED)[^\s]{1,1000}/g,
  },
  {
    kind: "password",
    hint: " login",
    pattern: () =>
      /\b((?:docker|podman|helm|az|oc)[ \t][^\n|;&]{0,40}?login(?=[ \t])[^\n|;&]{0,200}?[ \t]-p[ \t]{1,4})(?!\[REDACTED)[^\s]{1,1000}/g,
  },
  {
    kind: "secret",
    hint: "--from-literal",
    pattern: () => /(--from-literal[= ][^\s=]{1,100}=)(?!\[REDACTED)[^\s]{1,1000}/g,
  },
  {
    kind: "npm-token",
    hint: "_auth",
    pattern: () => /(_auth(?:Token)?[ \t]{1,4})(?!\[REDACTED)[^\s]{8,1000}/g,
  },
  // SQL's other word for it; in small letters it is English too.
  {
    kind: "password",
    hint: "IDENTIFIED",
    pattern: () =>
      /\b(IDENTIFIED[ \t]{1,4}(?:WITH[ \t]{1,4}[^\s]{1,60}[ \t]{1,4})?BY[ \t]{1,4}(?:PASSWORD[ \t]{1,4})?\\{0,4}["'])(?!\[REDACTED)[^"'\\\n]{1,1000}/g,
  },
  // Of PHP and of C, where a key by itself is a name mostly.
  {
    kind: "secret",
    hint: "define",
    pattern: () =>
      /\b(define(?:[ \t]{1,8}|\([ \t]{0,8}["'])[A-Z0-9_]{0,60}(?:PASSW(?:OR)?D|_PASS(?![A-Z_])|SECRET|TOKEN|SALT|(?:API|AUTH|ACCESS|PRIVATE|LOGGED_IN|NONCE)_?KEY)(?:_[A-Z0-9_]{0,40})?(?:["'][ \t]{0,8},)?[ \t]{0,40}\\{0,4}["'])(?!\[REDACTED)[^"'\\\n]{1,1000}/g,
  },
  // What a person tells: "the password is hunter2", not "is required!" or "is base64-encoded".
  {
    kind: "password",
    hint: "pass",
    pattern: () =>
      /\b((?:password|passphrase|passwort)[ \t]{1,4}(?:is|ist|lautet)[ \t:]{1,4}["'`]?)(?!\[REDACTED|(?:base|sha|md|bcrypt|scrypt|argon|pbkdf|utf|aes)-?[0-9]{1,3}\b)(?=[^\s"'`]{0,100}(?:[0-9]|[!@#$%&*][^\s"'`!?.,;:)]))[^\s"'`]{6,200}/gi,
  },
];

/** Secrets whose place tells what they are: bare arguments of programs, cookies, lines of `.netrc`, definitions, and what a person says. */
export function redactArguments(text: string): string {
  let clean = text;
  for (const { kind, hint, pattern } of PLACES) {
    if (clean.includes(hint)) clean = clean.replace(pattern(), `$1[REDACTED:${kind}]`);
  }
  return clean;
}
