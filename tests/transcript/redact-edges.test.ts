import { describe, expect, it } from "vitest";
import { redact } from "../../src/transcript/redact.ts";
import { compileRedactPatterns } from "../../src/transcript/redact-pattern.ts";

/** A run of letters and digits, put together here so that no scanner takes it for a leak. */
function run(length: number, unit = "a1"): string {
  return unit.repeat(length).slice(0, length);
}

describe("a key with a vendor's prefix", () => {
  it.each([
    ["AKIA", 16, "A1", "aws-key"],
    ["ASIA", 16, "A1", "aws-key"],
    ["AROA", 16, "A1", "aws-key"],
    ["AIDA", 16, "A1", "aws-key"],
    ["AIza", 30, "a1_-", "gcp-key"],
    ["ya29.", 20, "a1_-", "gcp-token"],
    ["AccountKey=", 16, "a1+/", "azure-key"],
    ["SharedAccessKey=", 16, "a1+/", "azure-key"],
    ["ghp_", 16, "a1", "github-token"],
    ["gho_", 16, "a1", "github-token"],
    ["ghu_", 16, "a1", "github-token"],
    ["ghs_", 16, "a1", "github-token"],
    ["ghr_", 16, "a1", "github-token"],
    ["github_pat_", 16, "a1_", "github-token"],
    ["xoxb-", 10, "a1-", "slack-token"],
    ["xapp-", 16, "a1-", "slack-token"],
    ["npm_", 20, "a1", "npm-token"],
    ["glpat-", 16, "a1_-", "gitlab-token"],
    ["sk_live_", 16, "a1", "stripe-key"],
    ["pk_live_", 16, "a1", "stripe-key"],
    ["rk_test_", 16, "a1", "stripe-key"],
    ["sk-", 16, "a1_-", "api-key"],
    ["sk-ant-", 16, "a1_-", "api-key"],
    ["sk-svcacct-", 16, "a1_-", "api-key"],
  ])("%s is one from %d characters on", (prefix, length, unit, kind) => {
    const keeps = prefix.endsWith("=") ? prefix : "";
    expect(redact(`(${prefix}${run(length, unit)})`)).toBe(`(${keeps}[REDACTED:${kind}])`);
    expect(redact(`(${prefix}${run(length + 40, unit)})`)).toBe(`(${keeps}[REDACTED:${kind}])`);
    const short = `(${prefix.replace("sk-ant-", "disk-ant-").replace("sk-svc", "disk-svc")}${run(length - 1, unit)})`;
    if (prefix !== "AccountKey=" && prefix !== "SharedAccessKey=") expect(redact(short)).toBe(short);
  });

  it.each(["ant", "proj", "svcacct", "or"])("sk-%s- is one behind a hyphen too, and none behind a letter", (vendor) => {
    const key = `sk-${vendor}-${run(16)}`;
    expect(redact(`x-${key}`)).toBe("x-[REDACTED:api-key]");
    expect(redact(`ri${key}`)).toBe(`ri${key}`);
    expect(redact(`x-sk-${vendor}-${run(15)}`)).toBe(`x-sk-${vendor}-${run(15)}`);
  });

  it.each(["\\n", "\\r", "\\t"])("sk- is one behind the escape %s", (mark) => {
    expect(redact(`x${mark}sk-${run(16)}`)).toBe(`x${mark}[REDACTED:api-key]`);
    expect(redact(`xnsk-${run(16)}`)).toBe(`xnsk-${run(16)}`);
  });

  it("of the old kind is one behind a hyphen from 32 characters on", () => {
    expect(redact(`x-sk-${run(32)} x_sk-${run(32)}`)).toBe("x-[REDACTED:api-key] x_[REDACTED:api-key]");
    expect(redact(`x-sk-${run(31)}`)).toBe(`x-sk-${run(31)}`);
  });

  it("eyJ is a JWT with a dot alone", () => {
    expect(redact(`eyJ${run(5)}.${run(1)}`)).toBe("[REDACTED:jwt]");
    expect(redact(`eyJ${run(5)}.a.b.c.d.e`)).toBe("[REDACTED:jwt].e");
    expect(redact(`eyJ${run(4)}.${run(9)} eyJ${run(50)}`)).toBe(`eyJ${run(4)}.${run(9)} eyJ${run(50)}`);
  });
});

describe("credentials in URLs and headers", () => {
  it.each([
    ["https://ann:pw@h", "https://[REDACTED:url-credentials]@h"],
    ["ftp:\\/\\/ann:pw@h", "ftp:\\/\\/[REDACTED:url-credentials]@h"],
    [`https://${run(20)}@h`, "https://[REDACTED:url-credentials]@h"],
    [`https://${run(19)}@h`, `https://${run(19)}@h`],
    ["https://a:$&@h", "https://[REDACTED:url-credentials]@h"],
    ["https://h/x@y:z@w", "https://h/x@y:z@w"],
    ["https://h?x:y@w https://h#x:y@w", "https://h?x:y@w https://h#x:y@w"],
    ["https:/ann:pw@h", "https:/ann:pw@h"],
    [
      "https://a:pw@h and https://b:pw@h",
      "https://[REDACTED:url-credentials]@h and https://[REDACTED:url-credentials]@h",
    ],
    ["bearer abcd1234.", "bearer [REDACTED:bearer]"],
    ["BEARER  \t abcd1234~+/=-_", "BEARER  \t [REDACTED:bearer]"],
    ["Bearer%20abcd1234", "Bearer%20[REDACTED:bearer]"],
    ["Bearer abcd123", "Bearer abcd123"],
    ["Bearer     abcd1234", "Bearer     abcd1234"],
    ["forbearer abcd1234", "forbearer abcd1234"],
    ["Basic YWJjZGVmZ2hp=", "Basic [REDACTED:basic-auth]"],
    ["Basic YWJjZGVmZ2h", "Basic YWJjZGVmZ2h"],
    ["Basic \t YWJjZGVmZ2hp==", "Basic \t [REDACTED:basic-auth]"],
    ["Basic     YWJjZGVmZ2hp==", "Basic     YWJjZGVmZ2hp=="],
    ["-u ann:pw", "-u [REDACTED:credentials]"],
    ["x\n-u ann:pw y", "x\n-u [REDACTED:credentials] y"],
    ["a --user=ann:pw\tb", "a --user=[REDACTED:credentials]\tb"],
    ["a -u    ann:pw", "a -u    [REDACTED:credentials]"],
    ["a -u     ann:pw", "a -u     ann:pw"],
    ["a-u ann:pw", "a-u ann:pw"],
    ["a -u ann", "a -u ann"],
    ["a -u :pw", "a -u :pw"],
    ["-u 1000:1000", "-u 1000:1000"],
    ["curl --user 1000:1000 h", "curl --user [REDACTED:credentials] h"],
    ["-u 1000:1000 image", "-u 1000:1000 image"],
    ["-u 1000:1000pw", "-u [REDACTED:credentials]"],
    ["Basic authentication.", "Basic authentication."],
    ["Basic authentication1", "Basic [REDACTED:basic-auth]"],
    [`-u ghp_${run(20)}:pw`, "-u [REDACTED:credentials]"],
    [`-u ann-ghp_${run(20)}:pw`, "-u [REDACTED:credentials]"],
    [`-u ghp_${run(20)}`, "-u [REDACTED:github-token]"],
    // Found by the fuzzer: with the mark's colon it had become credentials when it was redacted again.
    ["-u PWD>x1", "-u PWD>[REDACTED:password]"],
  ])("%j: %j", (text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected)).toBe(expected);
  });
});

describe("what a program is given", () => {
  it.each([
    "set-cookie: a=S3CRET!",
    "machine db.example.org login ann account acme password S3CRET!",
    "machine db.example.org\n login ann\n password S3CRET!",
    "default login ann account acme password S3CRET!",
    "sshpass -p S3CRET! ssh h",
    "mysql -u root -pS3CRET!",
    "mysqldump -h 127.0.0.1:3306 -p3306:3306S3CRET!",
    "mariadb-admin -u root -p'S3CRET! ? 4'",
    "redis-cli -h h -a S3CRET!",
    "docker --config dir login -u ann -p S3CRET! r",
    "helm registry login r -p=S3CRET!",
    "mongo -u ann -p S3CRET!",
    "mongodump -u ann -p S3CRET!",
    "sqlcmd -S h -P S3CRET!",
    "sqlcmd -S h -PS3CRET!",
    "ldapwhoami -D cn=ann -w S3CRET!",
    "curl -s https://h -uann:S3CRET!",
    "curl --user 12:34S3CRET!",
    'curl --proxy-user "ann:S3CRET!" x',
    'curl --proxy-user \\"ann:S3CRET!\\" x',
    "echo S3CRET! | sudo -S ls",
    "echo -n S3CRET! | sudo -S ls",
    "echo -ne S3CRET! | docker login --password-stdin",
    "printf %s S3CRET! | chpasswd",
    "printf '%s\\n' S3CRET! | chpasswd",
    'printf \\"%s\\\\n\\" S3CRET! | chpasswd',
    "gh secret set X -b S3CRET!",
    "gh secret set X --env prod --body S3CRET!",
    "openssl enc -pass pass:S3CRET!",
    "openssl rsa -passout pass:S3CRET!",
    "ConvertTo-SecureString 'S3CRET!'",
    "ConvertTo-SecureString -String 'S3CRET!'",
    "CREATE USER a IDENTIFIED BY PASSWORD 'S3CRET!'",
    "CREATE USER a IDENTIFIED WITH sha256_password AS 'S3CRET!'",
    "create user a identified with caching_sha2_password by 'S3CRET!'",
    "define('AUTH_PASSWD', 'S3CRET!')",
    "define( 'DB_PASSWORD_2' , 'S3CRET!')",
    "define('LOGGED_INKEY', 'S3CRET!')",
    '#define WIFI_PASS "S3CRET!"',
    '#define API_KEY_PROD \\"S3CRET!\\"',
    "kubectl create secret generic x --from-literal=mark=S3CRET!",
    "//r/:_authToken S3CRET!S3CRET!",
    "//r/:_authToken = S3CRET!S3CRET!",
    "//r/:_auth = S3CRETS3CRET",
    "the password is S3CRET!",
    "das Passwort lautet 'S3CRET!x",
    "the password is:S3CRET!",
    "Password is S3CRET!",
    "THE PASSWORD IS S3CRET!",
    "a passphrase is S3CRET!",
  ])("is taken out of %j, however many blanks stand between", (text) => {
    for (const blanks of [" ", "  ", "\t ", " \t  "])
      expect(redact(text.replaceAll(" ", blanks))).not.toMatch(/S3C|RET/);
  });

  it.each([
    "docker run --name mysql -p3306:3306 -p127.0.0.1:3307:3306 image",
    "docker ps; please login -p 80 | mail; docker run -p 80 x",
    "machine gun; the login of a password",
  ])("is no secret in %j", (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe("an assigned value", () => {
  it.each(
    ["api", "access", "private", "account", "auth", "client", "encryption"].flatMap((word) =>
      ["", "_", "-"].map((mark) => `${word}${mark}key`),
    ),
  )("of %s is taken out", (name) => {
    expect(redact(`a ${name}=v1`)).toBe(`a ${name}=[REDACTED:${name.replace("_", "-")}]`);
    expect(redact(`a ${name.toUpperCase()}=v1`)).toContain("=[REDACTED:");
  });

  it.each(
    "passwort passwd passwort passwor kennwort senha contrasena contraseña пароль 密码 密碼 パスワード 비밀번호 passphrase pwd mot-de-passe mot_de_passe".split(
      " ",
    ),
  )("of %s is taken out as a password", (name) => {
    const is = name === "passwor" ? "v1" : "[REDACTED:password]";
    expect(redact(`a ${name}=v1`)).toBe(`a ${name}=${is}`);
  });

  it.each([
    "deploy --prod-api-token S3CRET1",
    '{"name" : "A_TOKEN" , "value" : "S3CRET1"}',
    "|A_TOKEN|S3CRET1|",
    "|   A_TOKEN   |   S3CRET1   |",
    "ENV  A_TOKEN  S3CRET1",
    "FROM node\n\tENV A_TOKEN S3CRET1",
    "FROM node\nENV   A_TOKEN S3CRET1",
    "ENV API_KEY S3CRET1",
    "FROM node\n\tENV  API_KEY S3CRET1",
    "set -x A_TOKEN S3CRET1",
    "set  -gx  TOKEN S3CRET1",
    "set -Ux A_B_TOKEN S3CRET1",
    "set  -g  A_TOKEN S3CRET1",
    "set -g  TOKEN S3CRET1",
    "set\t-g\tA_TOKEN\tS3CRET1",
    "ENV\tA_TOKEN\tS3CRET1",
    "setx\tA_TOKEN\tS3CRET1",
    "export\tA_TOKEN\tS3CRET1",
    'setx "A_TOKEN" S3CRET1',
    'setx  \\"A_TOKEN\\" S3CRET1',
    "export  A_TOKEN  S3CRET1",
    'export "A_TOKEN" "S3CRET1"',
    "aws  configure  set  aws_secret_access_key  S3CRET1",
    "git config  --global --add  a.token S3CRET1",
    `A_TOKEN=\${A_TOKEN:-S3CRET1}`,
  ])("is taken out of %j", (text) => {
    expect(redact(text)).not.toMatch(/S3C|RET/);
  });

  it("is found behind letters that become two when they are made small", () => {
    expect(redact("İİ İzmir: TOKEN=v1 İ; Token='v2'")).toBe(
      "İİ İzmir: TOKEN=[REDACTED:token] İ; Token='[REDACTED:token]'",
    );
  });

  it("is none behind a mark of ours, whose last word is a name", () => {
    const npm = `npm_${run(20)}`;
    const hugging = `hf_${run(24)}`;
    expect(redact(`${npm} > out.txt`)).toBe("[REDACTED:npm-token] > out.txt");
    expect(redact(`echo ${hugging} > out.txt`)).toBe("echo [REDACTED:hugging-face-token] > out.txt");
    expect(redact("[REDACTED:token] = b; [REDACTED:secret]: c")).toBe("[REDACTED:token] = b; [REDACTED:secret]: c");
    expect(redact("[REDACTED:custom] x:token=b")).toBe("[REDACTED:custom] x:token=[REDACTED:token]");
    expect(redact("[REDACTED:1-token=b")).toBe("[REDACTED:1-token=[REDACTED:token]");
  });

  it.each(
    "password passwd passphrase pwd secret token api_key api-key apikey access_key private-key accountkey auth_key client-key encryption_key credential credentials authorization".split(
      " ",
    ),
  )("of %s is taken out, and its name is the kind", (name) => {
    const kind = /^pass|^pwd/.test(name) ? "password" : name.replace("_", "-");
    expect(redact(`${name}=v1 w`)).toBe(`${name}=[REDACTED:${kind}] w`);
    expect(redact(`--x-y-z-${name}  v1 w`)).toBe(`--x-y-z-${name}  [REDACTED:${kind}] w`);
    expect(redact(`${name.toUpperCase()}: v1`)).toBe(`${name.toUpperCase()}: [REDACTED:${kind}]`);
  });

  it.each([
    // What follows the name
    ["secretkey=a secretvalue=a secrethash=a secretstring=a", 4],
    ["token_prod=a token-2=a token2024=a TOKEN_=a", 4],
    ["tokenizer=a tokens=a secretary=a token20245=a", 0],
    [`token_${"x".repeat(40)}=a`, 1],
    [`token_${"x".repeat(41)}=a`, 0],
    // What stands between
    ["a['token'] = 'b'", 1],
    ["f(token) = b", 1],
    ["token := b", 1],
    ["token => b", 1],
    ["token==b", 1],
    ["token ::= b", 1],
    ["token        :        b", 1],
    ["token         : b", 0],
    ["token :         b", 0],
    ["token> b", 1],
    ["token b", 0],
    ["x --token b", 1],
    ["--a-b-c-d-token b", 0],
    ["x -token b", 0],
    ["--token     b", 0],
  ])("in %j: %d", (text, count) => {
    expect(redact(text).match(/\[REDACTED:/g)?.length ?? 0).toBe(count);
  });

  it.each([
    // How it is written
    ['token="a\\"b" c', 'token="[REDACTED:token]" c'],
    ['token="open c\nnext', 'token="[REDACTED:token]\nnext'],
    ["token='a b' c", "token='[REDACTED:token]' c"],
    ["token='open c\nnext", "token='[REDACTED:token]\nnext"],
    ['token=\\"a b\\" c', 'token=\\"[REDACTED:token]\\" c'],
    ["token=\\\\'a b\\\\' c", "token=\\\\'[REDACTED:token]\\\\' c"],
    ["token: >-\n  a\n  b\nc: d", "token: [REDACTED:token]\nc: d"],
    ["token: |+  \n\ta\nc", "token: [REDACTED:token]\nc"],
    ["token: |\n  a", "token: [REDACTED:token]"],
    ["token: Token a b", "token: [REDACTED:token] b"],
    ["token: Digest a b", "token: [REDACTED:token] b"],
    ["authorization: Bearer a b", "authorization: [REDACTED:authorization] b"],
    ["token=a`b", "token=[REDACTED:token]`b"],
    ["token=a<b>", "token=[REDACTED:token]<b>"],
    ['token="a"', 'token="[REDACTED:token]"'],
    ["token=a'b", "token=[REDACTED:token]'b"],
    ["x --PASSWORD a --Token b", "x --PASSWORD [REDACTED:password] --Token [REDACTED:token]"],
    ["bypass_token=a my_pwd_token=b", "bypass_token=[REDACTED:token] my_pwd_token=[REDACTED:password]"],
    // In code
    ['const apiKey: string = "v"', 'const apiKey: string = "[REDACTED:apikey]"'],
    [
      "api_key: Optional[str] = 'v', token: str | None = 'w'",
      "api_key: Optional[str] = '[REDACTED:api-key]', token: str | None = '[REDACTED:token]'",
    ],
    [
      "let token: &'static str = \"v\"; password?: string = 'w'",
      "let token: &'static str = \"[REDACTED:token]\"; password?: string = '[REDACTED:password]'",
    ],
    ['var token string = "v"', 'var token string = "[REDACTED:token]"'],
    ["secret_key = b'v' token=$'w'", "secret_key = b'[REDACTED:secret]' token=$'[REDACTED:token]'"],
    ['token = f"""v"""', 'token = f"""[REDACTED:token]"""'],
    ["token = `v`;", "token = `[REDACTED:token]`;"],
    ["TOKEN ?= v", "TOKEN ?= [REDACTED:token]"],
    [`A_TOKEN=v\${A_B:-w} x`, "A_TOKEN=[REDACTED:token] x"],
    ["def f(token=None): token: str = None):", "def f(token=None): token: str = None):"],
    ["ALTER USER a WITH PASSWORD 'v'", "ALTER USER a WITH PASSWORD '[REDACTED:password]'"],
    ["define('AUTH_PASSWD', 'v w');", "define('AUTH_PASSWD', '[REDACTED:secret]');"],
    ["define( 'DB_PASSWORD', 'v w' );", "define( 'DB_PASSWORD', '[REDACTED:secret]' );"],
    ['#define WIFI_PASS "v"', '#define WIFI_PASS "[REDACTED:secret]"'],
    ['const char password[] = "v";', 'const char password[] = "[REDACTED:password]";'],
    ["ssh h 'TOKEN='\\''v'\\'' x'", "ssh h 'TOKEN='\\''[REDACTED:token]'\\'' x'"],
    [`TOKEN=\`cat ~/.t\` token = \`a-\${b}\``, `TOKEN=\`cat ~/.t\` token = \`a-\${b}\``],
    // In Markdown
    ["password: `v`", "password: `[REDACTED:password]`"],
    ["- `API_KEY`: `v`", "- `API_KEY`: `[REDACTED:api-key]`"],
    ["**Password:** v", "**Password:** [REDACTED:password]"],
    ["**Password**: v1", "**Password**: [REDACTED:password]"],
    ["- **token**: The one that counts", "- **token**: The one that counts"],
    ["_`Token`: https://example.org/rfc6749", "_`Token`: https://example.org/rfc6749"],
  ])("%j: %j", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    'token=""',
    "token=''",
    'token="',
    "token=[",
    "token={(",
    "token=,;",
    "secret=true",
    "secret=FALSE,",
    "secret=null;",
    "secret=None",
    "secret='nil'",
    "secret=undefined",
    "secret=$A",
    "secret=$_a",
    `secret=\${a}`,
    "secret=$(a)",
    "token=1,000.5",
    "token=5)]}",
    "token=[REDACTED:custom]",
    "read -p 'Password ' pw; echo \"it's there\"",
    "print('no password ') or print('password '+name)",
    "- **Credentials**: `src/auth/credentials.ts`, of `API_KEY`: `EXAMPLE_API_KEY`",
    "token: str = Field(..., title=x) password: str = ...",
    "users are identified by 'id', define('KEY', 'name')",
    '#define THEME_KEY "theme"',
    "char token[] = { 0 };",
    '{\\"password\\": \\"null\\"}',
    "secret=none;;",
    "token: bool, secret: boolean",
    "cat a_token | sed1x2 | sort",
    "PWD=C:\\work; PWD=d:/work; PWD=/srv",
  ])("is none in %j", (text) => {
    expect(redact(text)).toBe(text);
  });

  const VALUES = [
    "secret=ab$cd",
    "secret=superstring",
    "secret=stringent",
    "secret=boolean1",
    "secret=1getToken()",
    "secret=getToken()x",
    "secret=`hunter.pass`",
    'secret="a `b c"',
    "pwd=ab/cd",
    "pwd=1:/x",
    "pwd=xC:/x",
  ];

  it.each([
    "secret=$1x",
    "secret=truex",
    "secret=xnull",
    "secret=12",
    "tokens_token=1a",
    "token=a1",
    "token=$$",
    ...VALUES,
  ])("is one in %j", (text) => {
    expect(redact(text)).toMatch(/=["'`]?\[REDACTED:/);
  });
});

describe("a PEM block", () => {
  const block = (text: string) => `-----BEGIN ${text}`;
  it.each([
    [`${block("A-----\nQUJD\n-----END A-----")}x`, "[REDACTED:pem]x"],
    [block("A-----\nQUJD\n-----END A"), "[REDACTED:pem]"],
    [`x ${block("KEY-----\nQUJD+/=\\n\"':,.- {rest")}`, "x [REDACTED:pem]{rest"],
    [`${block("A-----\n-----END A-----")} {x} ${block("B-----\nQ {y}")}`, "[REDACTED:pem] {x} [REDACTED:pem]{y}"],
    [`${block("A {x}")} ${block("B {y}")}`, "[REDACTED:pem]{x} [REDACTED:pem]{y}"],
    [
      `-----END Z----- ${block("A-----\nQ\n-----END A-----")} x ${block("B-----\n-----END B-----")}`,
      "-----END Z----- [REDACTED:pem] x [REDACTED:pem]",
    ],
    ["-----BEGINNING", "-----BEGINNING"],
  ])("in %j: %j", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });
});

describe("a person's own pattern", () => {
  const refusal = (pattern: string) => compileRedactPatterns([pattern]).refused[0]?.message ?? null;

  it.each([
    ["(?=a)b", "Found look-around at character 1; expected none"],
    ["a(?!b)", "Found look-around at character 2; expected none"],
    ["a(?<=b)", "Found look-around at character 2; expected none"],
    ["a(?<!b)", "Found look-around at character 2; expected none"],
    ["(a)\\1", "Found a backreference at character 4; expected none"],
    ["(?<n>a)\\k<n>", "Found a backreference at character 8; expected none"],
    ["(ab)*c", 'Found the repeated group "*" at character 5; expected groups once or optional'],
    ["(ab){1,2}c", 'Found the repeated group "{1,2}" at character 5; expected groups once or optional'],
    ["a+?b", 'Found "+?" at character 2 before the end; expected a bound such as {1,40}'],
    ["a{2,}b", 'Found "{2,}" at character 2 before the end; expected a bound such as {1,40}'],
    ["a{1001}b", 'Found "{1001}" at character 2 before the end; expected a bound such as {1,40}'],
    ["(a+)", 'Found "+" at character 3 before the end; expected a bound such as {1,40}'],
    ["a{0,256}[ab]", "Found 257 ways to match up to at character 2; expected at most 256"],
    ["a?".repeat(9).concat("[ab]"), "Found 512 ways to match up to at character 18; expected at most 256"],
    [`${"(a|b)".repeat(9)}`, "Found 512 ways to match up to at character 45; expected at most 256"],
    ["x?", "The pattern matches an empty text; expected one that needs at least one character"],
    ["", "The pattern matches an empty text; expected one that needs at least one character"],
  ])("%j is refused: %s", (pattern, message) => {
    expect(refusal(pattern)).toBe(message);
  });

  it("that is no expression is refused with what the engine says", () => {
    expect(refusal("(a")).toMatch(/^Expected a regular expression, found "\(a": Invalid regular expression: .+/);
  });

  it.each([
    "a{0,255}b",
    "a{1000}b",
    "a{2,}",
    "a+|b+",
    "a+?",
    "(ab)?c",
    "(ab){0,1}c",
    "(ab){1}c",
    "[(*+\\]|]x",
    "[*]{1,40}y",
    "\\(a\\)",
    "\\0a",
    "(?:a|b)c{1,40}d",
    `${"(a|b)".repeat(8)}`,
    "(?<name>a)b?c",
    "(a|(b|c))d",
    "a|b|c|d",
    "[\\]]x",
  ])("%j is taken", (pattern) => {
    expect(compileRedactPatterns([pattern])).toEqual({ patterns: [new RegExp(pattern, "g")], refused: [] });
  });

  it("is asked for all: those taken stay in order, those refused too", () => {
    const { patterns, refused } = compileRedactPatterns(["a", "(", "b", ""]);
    expect(patterns.map(({ source }) => source)).toEqual(["a", "b"]);
    expect(refused.map(({ pattern }) => pattern)).toEqual(["(", ""]);
  });
});
