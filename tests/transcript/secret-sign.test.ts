import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact, TOKENS } from "../../src/transcript/redact.ts";
import { mayHoldSecret } from "../../src/transcript/secret-sign.ts";

/** A run of letters and digits, put together here so that no scanner takes it for a leak. */
function run(length: number, unit = "a1"): string {
  return unit.repeat(length).slice(0, length);
}

const KEYS = [
  ...["AKIA", "ASIA", "AROA", "AIDA"].map((start) => start + run(16, "A1")),
  ...["AIza", "ya29.", "AccountKey=", "SharedAccessKey=", "ATATT3", "sntrys_", "sntryu_", "ntn_", "whsec_"].map(
    (start) => start + run(40),
  ),
  ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "xoxb-", "xapp-", "npm_", "hf_", "pypi-AgE"].map(
    (start) => start + run(40),
  ),
  ...["pat", "rt", "dt", "cbt", "ptt", "oas", "soat", "ft", "imt", "agent"].map((word) => `gl${word}-${run(20)}`),
  ...["dckr_pat_", "dckr_oat_", "SG.", "hvs.", "hvb.", "hvr.", "lin_api_", "lin_oauth_", "gsk_", "r8_"].map(
    (start) => start + run(40),
  ),
  ...["dop_v1_", "doo_v1_", "dor_v1_", "shpat_", "shpss_", "shpca_", "shppa_", "xai-", "pplx-"].map(
    (start) => start + run(40),
  ),
  ...["sk_live_", "pk_test_", "rk_live_", "sk-", "sk-ant-", "x-sk-", "x-sk-proj-"].map((start) => start + run(40)),
  `AGE-SECRET-KEY-1${run(40, "A1")}`,
  `hooks.slack.com/services/${run(30)}`,
  `/api/webhooks/1/${run(40)}`,
  `eyJ${run(9)}.${run(9)}`,
];

const PLACES = [
  `-----BEGIN KEY-----\n${run(30)}\n-----END KEY-----`,
  "https://ann:pw@h",
  "ftp:\\/\\/ann:pw@h",
  ...["Bearer", "bearer", "BEARER", "Basic"].map((word) => `${word} ${run(20)}`),
  `Bearer%20${run(20)}`,
  "curl -u ann:pw",
  "curl --user=ann:pw",
  ...["x -u ann:pw", "x -u=ann:pw", "x -u\tann:pw", "x --user ann:pw", "x --user=ann:pw"],
  ...[
    "Cookie: s=1",
    "set-cookie: s=1",
    "machine h login a password p",
    "sshpass -p pw",
    "mysql -u a -pw",
    "zip -P pw a",
  ],
  ...["a --pass x", "pass: hunter2", "PASS=hunter2", "Pass: hunter2", "PW=x", "pw: hunter2", '"PW": "hunter2"'],
  ...['\\"pw\\": \\"hunter2\\"', "**pw**: hunter2"],
  ...[
    "redis-cli -a pw",
    "docker login -p pw",
    "--from-literal=a=b",
    `_auth ${run(9)}`,
    "password is hunter2!",
    "Passwort ist hunter2!",
  ],
  ..."DB_PASS,Password,passwort,PASSWD,passphrase,kennwort,SENHA,contraseña,contrasena,mot de passe,пароль,ПАРОЛЬ"
    .split(",")
    .map((name) => `${name}=x1`),
  ..."密码,密碼,パスワード,비밀번호,pwd,secret,Token,api-key,access_key,private key,accountkey,auth-key"
    .split(",")
    .map((name) => `${name.replace(" ", "_")}: x1`),
  ...["client_key", "encryption-key", "credential", "CREDENTIALS", "authorization"].map((name) => `${name}=x1`),
  "--api-key x1",
  ...["mariadb -u a -pw", "mongosh -u a -p pw", "sqlcmd -S h -P pw", "ldapsearch -D x -w pw", "curl -su ann:pw"],
  ...[
    "curl -uann:pw",
    "curl -U ann:pw",
    "echo pw | sudo -S x",
    "echo pw | sudo \t-S x",
    "echo pw | x --password-stdin",
    "echo a:pw | chpasswd",
  ],
  ...["secret set X --body pw", "-passin pass:pw", 'ConvertTo-SecureString "pw"', "jdbc:oracle:thin:ann/pw@h"],
  ...["IDENTIFIED BY pw", "identified by 'pw1'", "redis-cli --pass pw", `_auth=${run(9)}`],
  "default login a password p",
  '{"name":"token","value":"x1"}',
  "| token | a1b2c3 |",
  "ENV A_TOKEN x1",
  "export A_TOKEN a1b2c3",
  'f("token", "a1b2c3")',
];

describe("a text without a sign of a secret", () => {
  it.each(TOKENS)("was looked for by an example of each known key: $kind, $hint", ({ pattern }) => {
    expect(KEYS.filter((key) => key.search(pattern) !== -1)).not.toEqual([]);
  });

  it.each([...KEYS, ...PLACES])("is not one that holds %j", (secret) => {
    expect(redact(` ${secret}`)).not.toBe(` ${secret}`);
    for (const text of [secret, `\n${secret}`, ` "${secret}"`, JSON.stringify({ a: ` ${secret}\n` })])
      expect(mayHoldSecret(text) || redact(text) === text).toBe(true);
  });

  it("is one that is redacted to itself, whatever stands in it", () => {
    const parts = [...KEYS, ...PLACES].flatMap((text) => [text, text.slice(0, 6), text.slice(-9)]);
    const text = fc
      .array(fc.oneof(fc.constantFrom(...parts, " ", "\n", "=", ": ", '"', "\\"), fc.string()))
      .map((all) => all.join(""));
    fc.assert(
      fc.property(text, (text) => mayHoldSecret(text) || redact(text) === text),
      { numRuns: 2_000 },
    );
  });

  it("is what most of a program's source is", () => {
    for (const text of [
      "for (const [path, size] of files) if (size > limit) out.push(files);",
      "src/thread/event.ts:12",
    ])
      expect(mayHoldSecret(text)).toBe(false);
  });

  it.each([":", "://", "-", "_.-", "://a@", "pass", "Bearer "])(
    "is told in linear time from %j, over and over",
    (part) => {
      expect(typeof mayHoldSecret(part.repeat(200_000))).toBe("boolean");
    },
  );
});
