import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact } from "../../src/transcript/redact.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

// Put together at run time, so that no scanner takes this file for a leak.
const SECRETS = {
  "aws-key": `AKIA${"Z9".repeat(8)}`,
  "gcp-key": `AIza${"Sy0-_".repeat(7)}`,
  "github-token": `ghp_${"a1B2".repeat(9)}`,
  "slack-token": `xoxb-${"1234567890-".repeat(2)}abc`,
  "npm-token": `npm_${"q7R8".repeat(9)}`,
  "hugging-face-token": `hf_${"AbC1".repeat(8)}`,
  "pypi-token": `pypi-AgE${"IcHl_w".repeat(6)}`,
  "docker-token": `dckr_pat_${"aB-3".repeat(6)}`,
  "sendgrid-key": `SG.${"aB-3".repeat(5)}.${"cD_4".repeat(10)}`,
  "digitalocean-token": `dop_v1_${"0a1b".repeat(16)}`,
  "shopify-token": `shpat_${"0a1B".repeat(8)}`,
  "vault-token": `hvs.${"CAES-_".repeat(8)}`,
  "atlassian-token": `ATATT3${"xFf-_".repeat(8)}`,
  "sentry-token": `sntrys_${"eYj0_".repeat(8)}`,
  "linear-key": `lin_api_${"aB3d".repeat(10)}`,
  "notion-token": `ntn_${"aB3d".repeat(11)}`,
  "age-key": `AGE-SECRET-KEY-1${"QPZ9".repeat(14)}`,
  "webhook-secret": `whsec_${"aB3+".repeat(8)}`,
  "gitlab-token": `glpat-${"x_Y-3".repeat(4)}`,
  "api-key": `sk-${"proj-aB3dE6gH".repeat(3)}`,
  "stripe-key": `sk_live_${"4eC39".repeat(5)}`,
  jwt: `eyJ${"hbGciOi".repeat(3)}.eyJ${"zdWIiOi".repeat(3)}.${"SflKxw_".repeat(4)}`,
};

const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEowIBAAKCAQEA+/z0\n".repeat(12)}-----END RSA PRIVATE KEY-----`;

it("finds nothing in a short word, which it does not look into: what is behind it makes it one that is", () => {
  const word = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."AIKSaeghJkopsxyzt019/-"), maxLength: 14 }),
    fc.constantFrom("xoxb-123456789", "AKIA0123456789", "sk-0123456789a", "eyJhbGciOiJIUz", "glpat-12345678"),
  );
  fc.assert(
    fc.property(word, (text) => {
      expect(redact(text)).toBe(text);
      expect(redact(`${text}${" ".repeat(20)}`)).toBe(`${text}${" ".repeat(20)}`);
    }),
    { numRuns: 1000 },
  );
});

describe("redact", () => {
  it.each(Object.entries(SECRETS))("takes out a %s, and keeps what stands round it", (kind, secret) => {
    expect(redact(`before ${secret} after`)).toBe(`before [REDACTED:${kind}] after`);
    expect(redact(JSON.stringify(`line\n${secret}\n`))).toBe(`"line\\n[REDACTED:${kind}]\\n"`);
  });

  it.each([
    ["export FOO_TOKEN=abc", "export FOO_TOKEN=[REDACTED:token]"],
    ["DB_PASSWORD='a b' ./run", "DB_PASSWORD='[REDACTED:password]' ./run"],
    ["export DB_PASS=hunter2 smtp_pass: x1", "export DB_PASS=[REDACTED:password] smtp_pass: [REDACTED:password]"],
    ['{"password": "x", "a": 1}', '{"password": "[REDACTED:password]", "a": 1}'],
    ['{"password":"a\\"b","c":1}', '{"password":"[REDACTED:password]","c":1}'],
    ['{\\"api_key\\": \\"x1\\"}', '{\\"api_key\\": \\"[REDACTED:api-key]\\"}'],
    ["password: hunter2 # ours", "password: [REDACTED:password] # ours"],
    ["token:\n  next", "token:\n  next"],
    ["secret: |\n  line one\n  line two\nnext: 1", "secret: [REDACTED:secret]\nnext: 1"],
    ["secret: |\r\n  line one\r\n  line two\r\nnext: 1\r\n", "secret: [REDACTED:secret]\nnext: 1\r\n"],
    ['{"a":"secret: |\\n  line one\\n  line two\\nnext: 1"}', '{"a":"secret: [REDACTED:secret]\\nnext: 1"}'],
    ['{"a":"secret: >-\\r\\n  line one\\r\\nnext: 1"}', '{"a":"secret: [REDACTED:secret]\\r\\nnext: 1"}'],
    [`\u001b[31msk-${"aB3dE6gHi9".repeat(4)}\u001b[0m!`, "[REDACTED:api-key]!"],
    ["\u001b[1mCookie: a=b1c2d3\u001b[0m", "Cookie: [REDACTED:cookie]"],
    ["\u001b[1msecret\u001b[0m: none", "\u001b[1msecret\u001b[0m: none"],
    ["aws_secret_access_key = AbC/+1", "aws_secret_access_key = [REDACTED:secret]"],
    ["secretKey=abc", "secretKey=[REDACTED:secret]"],
    ["https://h/x?token=abc&y=1", "https://h/x?token=[REDACTED:token]"],
    ["mysql --password hunter2 -h db", "mysql --password [REDACTED:password] -h db"],
    ["curl -u ann:hunter2 https://h", "curl -u [REDACTED:credentials] https://h"],
    ["<password>x</password>", "<password>[REDACTED:password]</password>"],
    ["https://ann:p@ss:w@h/x", "https://[REDACTED:url-credentials]@h/x"],
    ["https:\\/\\/ann:pw@h", "https:\\/\\/[REDACTED:url-credentials]@h"],
    ["Authorization: Basic YW5uOmh1bnRlcjI=", "Authorization: Basic [REDACTED:basic-auth]"],
    ["x Bearer abcdefgh12 y", "x Bearer [REDACTED:bearer] y"],
    ["Cookie: sid=abc; b=c", "Cookie: [REDACTED:cookie]"],
    ["curl -H 'set-cookie: sid=abc' x", "curl -H 'set-cookie: [REDACTED:cookie]' x"],
    ["machine h login ann password pw1", "machine h login ann password [REDACTED:password]"],
    ["machine h\n  login ann\n  password pw1\n", "machine h\n  login ann\n  password [REDACTED:password]\n"],
    ["sshpass -p pw1 ssh h", "sshpass -p [REDACTED:password] ssh h"],
    ["deploy --pass x -v; b --pass=x1", "deploy --pass [REDACTED:password] -v; b --pass=[REDACTED:password]"],
    ["zip -r -P pw1 a.zip b", "zip -r -P [REDACTED:password] a.zip b"],
    ["unzip -Ppw1 a.zip", "unzip -P[REDACTED:password] a.zip"],
    ["PW=x DB_PW='a b' run", "PW=[REDACTED:password] DB_PW=[REDACTED:password] run"],
    ["user: ann\npass: hunter2", "user: ann\npass: [REDACTED:password]"],
    [
      '{"pass": "HUNTER2X", \\"pw\\": \\"a1b2c3\\"}',
      '{"pass": "[REDACTED:password]", \\"pw\\": \\"[REDACTED:password]\\"}',
    ],
    ["export API_KEY==rQsnvRbo\nnext", "export API_KEY==[REDACTED:api-key]\nnext"],
    ["user=a;pass=hunter22;x=y\npass: a[b1]cd", "user=a;pass=[REDACTED:password]\npass: [REDACTED:password]"],
    ["<authorization> hunterword </authorization>", "<authorization> [REDACTED:authorization] </authorization>"],
    ["$opts->pass = 'hunter2'; PASS=hunter2 x", "$opts->pass = '[REDACTED:password]'; PASS=[REDACTED:password] x"],
    ["mysql -u root -ppw1 db", "mysql -u root -p[REDACTED:password] db"],
    ["redis-cli -h x -a pw1 get", "redis-cli -h x -a [REDACTED:password] get"],
    ["docker login r -u ann -p pw1", "docker login r -u ann -p [REDACTED:password]"],
    [
      "kubectl create secret generic x --from-literal=a=b",
      "kubectl create secret generic x --from-literal=a=[REDACTED:secret]",
    ],
    ["npm config set //r/:_authToken abcdefgh1", "npm config set //r/:_authToken [REDACTED:npm-token]"],
    ["the password is hunter2.", "the password is [REDACTED:password]"],
    ["the password is Tr!ckery", "the password is [REDACTED:password]"],
    ["the password is base64hunter", "the password is [REDACTED:password]"],
    ["Bearer abcdefghijklmnopqrst", "Bearer [REDACTED:bearer]"],
    ["PWD=hunter2 db_pass=hunter", "PWD=[REDACTED:password] db_pass=[REDACTED:password]"],
    ["mysql -p12:ab curl -u 12:ab x", "mysql -p[REDACTED:password] curl -u [REDACTED:credentials] x"],
    ["passwort=x, 密码：y", "passwort=[REDACTED:password] 密码：[REDACTED:password]"],
    ["пароль: x", "пароль: [REDACTED:password]"],
    ["mot de passe: x", "mot de passe: [REDACTED:password]"],
    [`https://hooks.slack.com/services/${"T0/".repeat(9)}`, "https://hooks.slack.com/services/[REDACTED:webhook]"],
    [
      `https://discord.com/api/webhooks/${"12".repeat(9)}/${"aB-_".repeat(15)}`,
      "https://discord.com/api/webhooks/[REDACTED:webhook]",
    ],
    [`gsk_${"aB3d".repeat(12)} xai-${"aB3d".repeat(20)}`, "[REDACTED:api-key] [REDACTED:api-key]"],
    ["AccountKey=abcdEFGH1234+/==;x", "AccountKey=[REDACTED:azure-key];x"],
    // Name and value as fields of one object
    ["- name: DB_PASSWORD\n  value: hunter\n", "- name: DB_PASSWORD\n  value: [REDACTED:password]\n"],
    ['- name: "DB_PASSWORD"\n  value: "a b"\n', '- name: "DB_PASSWORD"\n  value: "[REDACTED:password]"\n'],
    ["- name: DB_PASSWORD\r\n  value: hunter\r\n", "- name: DB_PASSWORD\r\n  value: [REDACTED:password]\r\n"],
    ['{"name":"DB_PASSWORD","value":"x"}', '{"name":"DB_PASSWORD","value":"[REDACTED:password]"}'],
    ['{"Key": "API_KEY", "a": 1, "Value": "x"}', '{"Key": "API_KEY", "a": 1, "Value": "[REDACTED:api-key]"}'],
    ['{\n  "name": "TOKEN",\n  "value": "x"\n}', '{\n  "name": "TOKEN",\n  "value": "[REDACTED:token]"\n}'],
    ['{\\"name\\":\\"TOKEN\\",\\"value\\":\\"x\\"}', '{\\"name\\":\\"TOKEN\\",\\"value\\":\\"[REDACTED:token]\\"}'],
    ['{"a":"- name: TOKEN\\n  value: x\\n"}', '{"a":"- name: TOKEN\\n  value: [REDACTED:token]"}'],
    ['<add key="ApiKey" value="x"/>', '<add key="ApiKey" value="[REDACTED:apikey]"/>'],
    ["[password] => hunter\n'token' =>\n  'x'", "[password] => [REDACTED:password]\n'token' =>\n  '[REDACTED:token]'"],
    // In tables
    ["| DB_PASSWORD | hunter2 |", "| DB_PASSWORD | [REDACTED:password] |"],
    ["| `API_KEY`     | `a1b2c3`  | b |", "| `API_KEY`     | `[REDACTED:api-key]`  | b |"],
    ["│ Token │ a1b2c3 │", "│ Token │ [REDACTED:token] │"],
    ["| Token | 2024-summer |", "| Token | [REDACTED:token] |"],
    ["| Token | admin:12345 |", "| Token | [REDACTED:token] |"],
    ["| Token | 1.2hunter |", "| Token | [REDACTED:token] |"],
    // With a blank in between
    ["ENV DB_PASSWORD hunter", "ENV DB_PASSWORD [REDACTED:password]"],
    ["ENV A=b\nENV API_KEY x", "ENV A=b\nENV API_KEY [REDACTED:api-key]"],
    ['setx DB_PASSWORD "a b" /M', 'setx DB_PASSWORD "[REDACTED:password]" /M'],
    ["setenv TOKEN x; set -gx TOKEN y", "setenv TOKEN [REDACTED:token] set -gx TOKEN [REDACTED:token]"],
    ["export DB_PASSWORD hunter2", "export DB_PASSWORD [REDACTED:password]"],
    ["aws configure set aws_secret_access_key Ab/1+c", "aws configure set aws_secret_access_key [REDACTED:secret]"],
    ["git config --global a.token a1b2c3", "git config --global a.token [REDACTED:token]"],
    // In code
    ['os.getenv("DB_PASSWORD", "hunter2")', 'os.getenv("DB_PASSWORD", "[REDACTED:password]")'],
    ["env('TOKEN', default='a1b2c3')", "env('TOKEN', default='[REDACTED:token]')"],
    ["process.env.API_KEY ?? 'a1b2c3'", "process.env.API_KEY ?? '[REDACTED:api-key]'"],
    ["process.env['TOKEN'] ||= `a1b2c3`", "process.env['TOKEN'] ||= `[REDACTED:token]`"],
    [`A_TOKEN=\${A_TOKEN:-x} b`, `A_TOKEN=\${A_TOKEN:-[REDACTED:token]} b`],
    [`token: "\${A_TOKEN-x}"`, `token: "\${A_TOKEN-[REDACTED:token]}"`],
    ["SET PASSWORD FOR a = PASSWORD('hunter2')", "SET PASSWORD FOR a = PASSWORD('[REDACTED:password]')"],
    // Arguments
    ["curl -uann:pw https://h", "curl -u[REDACTED:credentials] https://h"],
    ["curl -sSu ann:pw -U bob:pw", "curl -sSu [REDACTED:credentials] -U bob:pw"],
    ["curl -u 'ann:p w' x", "curl -u [REDACTED:credentials] x"],
    ['{"command":"curl -u \\"ann:p w\\" x"}', '{"command":"curl -u [REDACTED:credentials] x"}'],
    ["curl --proxy-user ann:pw x", "curl --proxy-user [REDACTED:credentials] x"],
    ["sshpass -p 'a b' ssh h", "sshpass -p [REDACTED:password] ssh h"],
    ["bash -c 'sshpass -p pw ssh h'", "bash -c 'sshpass -p [REDACTED:password] ssh h'"],
    ["mariadb -u root -ppw db", "mariadb -u root -p[REDACTED:password] db"],
    ["redis-cli --pass pw ping", "redis-cli --pass [REDACTED:password] ping"],
    ["docker login -p=pw r", "docker login -p=[REDACTED:password] r"],
    ["mongosh -u a -p pw; sqlcmd -S h -P pw", "mongosh -u a -p [REDACTED:password] sqlcmd -S h -P [REDACTED:password]"],
    ["ldapsearch -D cn=a -w pw", "ldapsearch -D cn=a -w [REDACTED:password]"],
    ["echo pw | docker login --password-stdin", "echo [REDACTED:password] | docker login --password-stdin"],
    ["printf '%s' pw|sudo -S ls", "printf '%s' [REDACTED:password]|sudo -S ls"],
    ["gh secret set X --body pw", "gh secret set X --body [REDACTED:secret]"],
    ["openssl rsa -passin pass:pw", "openssl rsa -passin pass:[REDACTED:password]"],
    ["ConvertTo-SecureString 'pw' -AsPlainText", "ConvertTo-SecureString [REDACTED:password] -AsPlainText"],
    ["jdbc:oracle:thin:ann/pw@h:1521", "jdbc:oracle:thin:ann/[REDACTED:password]@h:1521"],
    ["CREATE USER a IDENTIFIED BY 'pw'", "CREATE USER a IDENTIFIED BY [REDACTED:password]"],
    ["IDENTIFIED WITH caching_sha2 BY 'p w'", "IDENTIFIED WITH caching_sha2 BY [REDACTED:password]"],
    ["create user a identified by 'pw1'", "create user a identified by [REDACTED:password]"],
    ["default\nlogin a\npassword pw", "default\nlogin a\npassword [REDACTED:password]"],
    ["//r/:_auth=YW5uOnB3", "//r/:_auth=[REDACTED:npm-token]"],
    ['//r/:_auth = "YW5uOnB3"', '//r/:_auth = "[REDACTED:npm-token]"'],
    [
      "Password is hunter2, das Passwort ist hunter2",
      "Password is [REDACTED:password] das Passwort ist [REDACTED:password]",
    ],
    // Compared with, spelt with a mark of its language, and taken where a variable is not set
    ["if (password === 'hunter') x()", "if (password === '[REDACTED:password]') x()"],
    ["CREATE LOGIN a WITH PASSWORD = N'hunter'", "CREATE LOGIN a WITH PASSWORD = N'[REDACTED:password]'"],
    ['char password[20] = "hunter";', 'char password[20] = "[REDACTED:password]";'],
    ["const secret = process.env.JWT_SECRET || 'a b'", "const secret = process.env.JWT_SECRET || '[REDACTED:secret]'"],
    ['password: opts?.pw ?? "hunter",', 'password: opts?.pw ?? "[REDACTED:password]",'],
    ["define('DB_PASSWORD', 'hunter');", "define('DB_PASSWORD', '[REDACTED:secret]');"],
    ['#define WIFI_PASSWORD "hunter"', '#define WIFI_PASSWORD "[REDACTED:secret]"'],
    // Like a word of a sentence, a comparison, and a text with gaps
    ["curl -H 'Authorization: letmein' x", "curl -H 'Authorization: [REDACTED:authorization]' x"],
    ["export authorization=letmein now", "export authorization=[REDACTED:authorization] now"],
    ["<password>=x1=</password>", "<password>[REDACTED:password]</password>"],
    ["| password | a1!${/b |", "| password | [REDACTED:password] |"],
    // Nearly a name, a condition, a type, a comparison, a call and an element of code
    ["password=password secret: hidden place", "password=[REDACTED:password] secret: [REDACTED:secret] place"],
    ["api_key = api_key and more", "api_key = [REDACTED:api-key] and more"],
    ["api_key: api_key or default", "api_key: [REDACTED:api-key] or default"],
    ["secret_generator: BrownFox secret: SecretFox", "secret_generator: [REDACTED:secret] secret: [REDACTED:secret]"],
    ["secret_fox: secretfox secret_fox=SecretFox", "secret_fox: [REDACTED:secret] secret_fox=[REDACTED:secret]"],
    ["secret_fox: SecretFox7 token_fox: 7TokenFox", "secret_fox: [REDACTED:secret] token_fox: [REDACTED:token]"],
    ["password: isDogX4 ? a : b", "password: [REDACTED:password] ? a : b"],
    ["password: isDogTeam and more ? a : b", "password: [REDACTED:password] and more ? a : b"],
    ["password === storedPassword7", "password === [REDACTED:password]"],
    ["password === 7storedPassword", "password === [REDACTED:password]"],
    ["spl_token::ID7 token = getToken2()x7", "spl_token::[REDACTED:token] token = [REDACTED:token]"],
    ["token = 9getToken2() token = args[i7]", "token = [REDACTED:token] token = [REDACTED:token]"],
    ["token = args[1234]; token = 7args[i]", "token = [REDACTED:token] token = [REDACTED:token]"],
    [
      "--pass 123 --pass  'a b' --pass=\"a b\"",
      "--pass [REDACTED:password] --pass  [REDACTED:password] --pass=[REDACTED:password]",
    ],
    ["PW='a b' zip -r -P 'a b' x", "PW=[REDACTED:password] zip -r -P [REDACTED:password] x"],
  ])("of %j makes %j", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it("takes out a PEM block over lines, with escaped newlines, and cut off", () => {
    expect(redact(`a\n${PEM}\nb`)).toBe("a\n[REDACTED:pem]\nb");
    expect(redact(JSON.stringify({ k: PEM }))).toBe('{"k":"[REDACTED:pem]"}');
    expect(redact(`a ${PEM.slice(0, 120)}`)).toBe("a [REDACTED:pem]");
    expect(redact(`${PEM} x ${PEM}`)).toBe("[REDACTED:pem] x [REDACTED:pem]");
  });

  it.each([
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "b9ff7b48-ef86-4ef0-86d3-7835c69ec06b",
    `"integrity": "sha512-${"Ab1+/".repeat(17)}=="`,
    "02-projects/24-project-skills-research-resume-expansion/01-planning/04-steps.md",
    `/home/dev/${"a-long-folder-name/".repeat(20)}file.ts`,
    "24-token-service reads 2-sk-learn-a-lot-more",
    "max_tokens: 4096, input_tokens: 12, token: 5",
    "test_pass_rate: 0.9, PASS: a.test.ts, compass=north, first_pass=3, by_passing: a",
    `password: $DB_PASSWORD token=\${TOKEN} secret=$(cat x)`,
    '{"token": null, "password": ""}',
    "ssh://git@host/x, user@example.org",
    "task-management-system-of-the-house",
    "secretary: Ann",
    "the password is wrong, the password is asked for twice",
    "The password is required! The password is base64-encoded, the passphrase is sha256 hashed",
    "Basic authentication, then Bearer authorization; a bearer certificate.",
    "first_pass = compile, render_pass: Bloom",
    "token: string, password: &str, secret: number; credentials: include, token = await x",
    "token = getToken(), password = getpass.getpass()",
    "PWD=/srv/app pwd: ~/x",
    "token = getToken2(), api_key: api.load_key_v2(path);",
    "secret_generator: SecretGenerator, credentials: isDev ? a : b",
    "api_key = api_key or default, secret=secret if x, secret_fox: SecretFox, x",
    "if (password === storedPassword || token == '--no-ask') return",
    "--pass 2 --pass 12 --pass $P --pass \"$P\" --pass='$P' --pass {p} --pass a b",
    "PW=\"$P\" PW='$P' zip -P \"$P\" x; unzip -P '$P' x",
    "--- PASS: TestRetry3 (0.00s), pass: 12, PASS=3, pass = pass1 + 1, first-pass: depth2x, compass: north42",
    "x265 --pass 2 a.y4m; use --pass to go on; zip -P $PW; PW=$(cat x)",
    'const pw = require("playwright"); pw: Playwright',
    "let pass = config.pass2; pw = argv[1]; const pass = !failed1 && ok; pass = !!result.ok2;",
    "pass: process.env.PG_PASS2, pass: this.pass2x, pw = pw[:-1]; struct passwd *pw = &pwbuf; pass = count1 == count2",
    '"pass": "ドキュメントには少なくとも1つのmainがあります"',
    "if (password===storedPassword) return; a = token==lastToken ? b : c; ok = password == storedPassword",
    "headers = {\n  'Authorization': auth,\n}; C<Proxy-Authorization> headers\nfrom C<Authorization> fields",
    "docker run --name mysql -p3306:3306 -u 1000:1000 image",
    "a machine of mine; login; password reset",
    "mysql -p db, mysql -P 3306, mkdir -p a/b && mysql x",
    "delete the cookie: it is stale",
    "docker login && docker run -p 80:80 x",
    "half_open shelf_mark lin_alg hvac.config SG.txt do_v1",
    "the password table, password reset form, token budget 4000, a secret santa 2026",
    "| Password | required |\n| Token | 4000 |\n| API key | see `docs/keys.md` |",
    "| name | type |\n| --- | --- |\n| password | varchar(255) |\n| token | HS256 |\n| secret | 2026-11-30 |",
    "| `DB_PASSWORD` | yes | the database's, 12 characters |\n| password_hash | bcrypt12 |",
    "| token | src/auth/token2.ts |\n| Credentials | https://h/x1 |",
    "cat secret | base64 | md5sum",
    "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: a1\n- name: OTHER\n  value: hello",
    '[{"name":"token","type":"string"},{"name":"limit","value":"4000"}]',
    '{"key":"token","label":"Token"}, {"key":"size","value":"12"}',
    '{"name":"password","type":"text","required":true}; the key is a value: none',
    "ENV password is asked for; ENV NODE_ENV production",
    "export password hashes, export the token budget; config token is none, set -e token x",
    "setx is asked for a password; set the password policy",
    'label("password", "Password"), t("token", "Your token"), expect("secret", "required")',
    '["password", "token"], pick("password", "password2"), fail("token", `no x1`)',
    "password || 'none', token ?? \"anonymous\", if (password || x1)",
    `A_TOKEN=\${A_TOKEN:?is not set} b=\${B_TOKEN:-}, \${C_TOKEN:-\${D}}`,
    "a role is identified by its name, identified by 'name', identified by \"id\"",
    "curl -o a:b x; cp -au a b:c; sort -nu x; curl https://h/a:b",
    'echo done | tee log; echo $PASSWORD | docker login --password-stdin; echo "$P" | sudo -S x',
    "mongo is a database; mongod -p /x; sqlcmd is installed; ldap -w; the secret set of names",
    "machine learning; the default login of a password; basic_auth = enabled; use_auth token",
    "self._auth = HTTPBasicAuth(user, pw); this._auth = authenticator; const _auth = useAuthentication()",
    "define('SECRET_PATH', __DIR__); define('DB_PASSWORD', getenv('PW'));",
    'if (token === null || typeof secret === "string" || token === 34) return',
    "const hash = (secret) =>\n  hashOf(secret);\ntokens.find((token) => token.kind === null)",
    "function release(path: string, token: string): void; token: () => x; Map<string, Token> = x; if (token >= 5 && token>=5)",
    "{ password: req.body.password, token: own.token }; cat: /etc/passwd: denied",
    "const token = data.token ?? \"\", password = this.options.password || ''",
    "| jsonwebtoken | v9.0.2 |\n| csrf-token | 1.2.3-beta |\n| Secret | 256-bit |\n| password | scram-sha-256 |",
    `this.token(\`#!\${node.value}\`); credentials("www.example.com:80", realm)`,
    "date -u +%Y-%m-%dT%H:%M:%SZ; date -u '+%H:%M'",
    "if (token === '--json' || password !== storedPassword) return",
    "token = args[i + 1]; t = request.data['t']; token = match[1]; { password: row['pw'] }",
    "def f(secret_data: dict): x; - secret: projected; password: Yup.string().required()",
    'PASSWORD=$1 TOKEN="$2"; use spl_token::ID; password: "***"',
    '<label htmlFor="password">Password</label> <label for="token">Token:</label>',
    "**Authentication/Authorization:** see below; API_KEY_INVALID: The key is of no use",
    'echo "$CREDENTIALS_FILE" >&2; echo $A_TOKEN > out.txt',
  ])("leaves %j alone", (text) => {
    expect(redact(text)).toBe(text);
  });

  it("takes what is redacted already as it is", () => {
    const text = `password=x ${Object.values(SECRETS).join(" ")} Bearer abcdefgh1 https://a:b@c ${PEM}`;
    expect(redact(redact(text))).toBe(redact(text));
  });

  it("takes no mark of its own for a name that something is assigned to", () => {
    for (const text of ["--token t>out.txt", `echo ${SECRETS["npm-token"]} > out.txt`, "https://u:secret@h: x"]) {
      const clean = redact(text);
      expect(clean).toContain("[REDACTED:");
      expect(redact(clean)).toBe(clean);
    }
    expect(redact("--token t>out.txt")).toBe("--token [REDACTED:token]>out.txt");
    expect(redact("x[REDACTED]token=abcdefgh")).toBe("x[REDACTED]token=[REDACTED:token]");
  });

  it("applies further patterns", () => {
    expect(redact("acme-42 and acme-7", [/acme-[0-9]{1,9}/g])).toBe("[REDACTED:custom] and [REDACTED:custom]");
  });

  const alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const run = (length: number, from = alnum) =>
    fc.string({ unit: fc.constantFrom(...from), minLength: length, maxLength: length + 20 });
  const prefixed = fc.oneof(
    run(16, alnum.slice(0, 26) + alnum.slice(52)).map((rest) => `AKIA${rest.slice(0, 16)}`),
    run(35).map((rest) => `AIza${rest.slice(0, 35)}`),
    run(36).map((rest) => `ghp_${rest}`),
    run(36).map((rest) => `github_pat_${rest}`),
    run(24).map((rest) => `xoxp-${rest}`),
    run(36).map((rest) => `npm_${rest}`),
    run(20).map((rest) => `glpat-${rest}`),
    run(24).map((rest) => `sk-${rest}`),
    fc.tuple(run(12), run(12), run(12)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`),
  );
  const EMBEDDINGS: readonly ((secret: string) => string)[] = [
    (secret) => `the key is ${secret}, keep it`,
    (secret) => `(${secret})`,
    (secret) => `line\n${secret}\nline`,
    (secret) => JSON.stringify({ any: secret, deep: [JSON.stringify({ x: `a\n${secret}` })] }),
    (secret) => `FOO='${secret}' run --flag=${secret}`,
    (secret) => `a:\n  - ${secret}\n  - "b ${secret}"`,
    (secret) => `https://host/path/${secret}?q=${secret}#${secret}`,
    (secret) => `https://${secret}@host/x`,
  ];

  it("lets no key with a prefix survive, whatever it stands in", () => {
    fc.assert(
      fc.property(prefixed, fc.constantFrom(...EMBEDDINGS), (secret, embed) => {
        expect(redact(embed(secret))).not.toContain(secret.slice(-10));
      }),
      { numRuns: 250 },
    );
  });

  const ASSIGNMENTS: readonly ((name: string, secret: string) => string)[] = [
    (name, secret) => `export ${name}=${secret}\nnext`,
    (name, secret) => `${name}="${secret}" run`,
    (name, secret) => JSON.stringify({ [name]: secret, other: 1 }),
    (name, secret) => JSON.stringify(JSON.stringify({ [name]: secret })),
    (name, secret) => `${name}: ${secret}\nb: 1`,
    (name, secret) => `${name}: '${secret}'`,
    (name, secret) => `{'${name}': '${secret}'}`,
    (name, secret) => `https://h/?a=1&${name}=${secret}&b=2`,
  ];
  const names = fc.constantFrom(
    "password",
    "DB_PASSWORD",
    "FOO_TOKEN",
    "token",
    "apiKey",
    "API_KEY",
    "client_secret",
    "PASSWD",
    "x-api-key",
  );

  it("lets no assigned value survive, whatever it looks like", () => {
    const value = run(8, `${alnum}-_.+/=!%^*`).filter((text) => /[a-z]/i.test(text));
    fc.assert(
      fc.property(names, value, fc.constantFrom(...ASSIGNMENTS), (name, secret, assign) => {
        expect(redact(assign(name, secret))).not.toContain(secret);
      }),
      { numRuns: 250 },
    );
  });

  it("lets no password in a URL survive", () => {
    fc.assert(
      fc.property(run(6, `${alnum}-_.%!$`), (secret) => {
        expect(redact(`git clone https://ann:${secret}@host/x.git`)).not.toContain(secret);
      }),
    );
  });

  it.each(["a", '"', "--- ", "x.", "mysql ", "docker a login ", "machine a login b ", "cookie: a"])(
    "reads a megabyte of %j in one go",
    (unit) => {
      const text = unit.repeat(1_000_000 / unit.length);
      const took = [1, 2, 3].map(() => {
        const start = cpuTime();
        expect(redact(text)).toBe(text);
        return cpuTime() - start;
      });
      // The best of three. It takes some milliseconds; a pattern that starts over at each character takes minutes.
      expect(Math.min(...took)).toBeLessThan(1_000);
    },
  );

  it.each([
    "eyJ",
    "sk-",
    "AKIA",
    "://",
    "://a@",
    "password",
    "password=",
    'token="',
    'password\\"',
    "-----BEGIN ",
    "Bearer ",
    "api_",
    "-u a",
    "--a-",
    "1",
    " ",
    "\n",
    "\\",
    "password: |\n ",
    "password: |\\n ",
    "\\u001b[",
    "://a:",
    "Basic A",
    "name: password ",
    "name=password,",
    "name: password\nvalue",
    "| password ",
    "| password |a1a1a1",
    "env x_password ",
    "export password ",
    'password", "',
    "password || '",
    "password('a1",
    `\${password:-`,
    "[redacted:",
    "curl -u",
    "curl -u 'a:",
    "mongo ",
    "echo a|",
    "secret set ",
    "identified by '",
    "default login a ",
    "password=a.b[",
    "password=a?.",
    "password) =>",
    "password =>\n ",
    "token: a.token",
    "| token | a.b-c",
    "define('A_TOKEN",
    "pass=",
    "pass: a1",
    "pass = a[",
    "pass = !a.b",
    "pass: 密",
    "PW=",
    "--pass ",
    "zip a ",
    "credentials: isA ? ",
    "_auth=A",
  ])("takes time in proportion to the length of %j repeated", (unit) => {
    const time = (length: number): number => {
      const text = unit.repeat(length / unit.length);
      const start = cpuTime();
      redact(text);
      return cpuTime() - start;
    };
    time(100_000);
    const [short, long] = [time(250_000), time(1_000_000)];
    expect(long).toBeLessThan(300 + short * 12);
  });

  it.each([";", ",", "\\;", ",;"])("reads a value that is %j over and over, with something behind it, once", (unit) => {
    const text = `token=${unit.repeat(100_000 / unit.length)}x`;
    const start = cpuTime();
    expect(redact(`${text} `)).toBe("token=[REDACTED:token] ");
    // A millisecond; to try it at each sign takes half a minute.
    expect(cpuTime() - start).toBeLessThan(1_000);
  });

  it.each(["/", "ab/", "A_B/"])("reads a value in backticks that is %j over and over once", (unit) => {
    const start = cpuTime();
    expect(redact(`token=\`${unit.repeat(30_000)}\``)).toBe("token=`[REDACTED:token]`");
    // A millisecond; to look for a path's end behind each of its slashes takes many seconds.
    expect(cpuTime() - start).toBeLessThan(1_000);
  });
});

it("an old bare key is found behind a hyphen or an underscore too, and a name there is not", () => {
  const key = `sk-${"aB3dE6gHi9".repeat(4)}`;
  expect(redact(`old_${key} my-${key}.`)).toBe("old_[REDACTED:api-key] my-[REDACTED:api-key].");
  const name = "task-sk-learn-a-lot-more-of-the-house-and-garden disk_sk-abcdefghijklmnop";
  expect(redact(name)).toBe(name);
});
