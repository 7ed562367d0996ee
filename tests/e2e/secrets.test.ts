import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeAcme, preCompactPayload } from "../helpers/acme-project.ts";
import { SessionLog } from "../helpers/session-log.ts";
import type { Workspace } from "../helpers/workspace.ts";

/** Random-looking characters, the same in each run, and none twice the same. */
function core(
  seed: number,
  length: number,
  alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789",
): string {
  let state = seed * 7919 + 17;
  let text = "";
  while (text.length < length) {
    state = (state * 48_271) % 2_147_483_647;
    text += alphabet[state % alphabet.length];
  }
  return text;
}

interface Secret {
  readonly kind: string;
  /** As it stands in a text. */
  readonly text: string;
  /** What must not be seen of it. */
  readonly core: string;
  /** Known for a secret by itself, so that it can stand in a path or a name. */
  readonly bare: boolean;
}

const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const bare = (kind: string, before: string, seed: number, length: number, alphabet?: string): Secret => {
  const text = core(seed, length, alphabet);
  return { kind, text: before + text, core: text, bare: true };
};
const assigned = (kind: string, seed: number, write: (value: string) => string): Secret => {
  const value = core(seed, 20);
  return { kind, text: write(value), core: value, bare: false };
};

const SECRETS: readonly Secret[] = [
  bare("an AWS key", "AKIA", 1, 16, CAPITALS),
  bare("a temporary AWS key", "ASIA", 2, 16, CAPITALS),
  bare("a Google key", "AIza", 3, 35),
  bare("a Google token", "ya29.", 4, 60),
  bare("an Anthropic key", "sk-ant-api03-", 5, 60),
  bare("an OpenAI key", "sk-proj-", 6, 48),
  bare("an old OpenAI key", "sk-", 7, 48),
  bare("a GitHub token", "ghp_", 8, 36),
  bare("a GitHub server token", "ghs_", 9, 36),
  bare("a fine-grained GitHub token", "github_pat_", 10, 60),
  bare("a Slack bot token", "xoxb-1234567890-", 11, 24),
  bare("a Slack user token", "xoxp-1234567890-", 12, 24),
  bare("an npm token", "npm_", 13, 36),
  bare("a GitLab token", "glpat-", 14, 20),
  bare("a Stripe key", "sk_live_", 15, 24),
  { kind: "a JWT", text: `eyJhbGciOiJIUzI1NiJ9.eyJ${core(16, 30)}.${core(17, 43)}`, core: core(17, 43), bare: true },
  assigned("a shell export", 20, (value) => `export FOO_TOKEN=${value}`),
  assigned("a quoted shell variable", 21, (value) => `DB_PASSWORD='${value}'`),
  assigned("a JSON value", 22, (value) => `{"user":"me","password": "${value}"}`),
  assigned("a YAML value", 23, (value) => `database:\n  password: ${value}\n  host: db`),
  assigned("a TOML value", 24, (value) => `client_secret = "${value}"`),
  assigned("a query string", 25, (value) => `https://example.com/x?user=me&access_token=${value}&y=1`),
  assigned("a flag", 26, (value) => `deploy --api-key ${value} --now`),
  assigned("a bearer header", 27, (value) => `Authorization: Bearer ${value}`),
  assigned("basic credentials", 28, (value) => `curl -u admin:${value} https://example.com`),
  assigned("a URL's user", 29, (value) => `git clone https://me:${value}@example.com/a.git`),
  assigned("a database URL", 30, (value) => `postgres://app:${value}@db.example.com:5432/app`),
  assigned("an Azure key", 31, (value) => `DefaultEndpointsProtocol=https;AccountKey=${value}==;EndpointSuffix=x`),
  ...["\u001b[31m", "\\u001b[1;31m"].map((colour, index) => {
    const text = core(43 + index, 48);
    return {
      kind: `a key behind ${JSON.stringify(colour)}`,
      text: `${colour}sk-proj-${text}`,
      core: text,
      bare: false,
    };
  }),
  assigned("a cookie in colour", 46, (value) => `\u001b[1mCookie: session=${value}\u001b[0m`),
  {
    kind: "a PEM block",
    text: `-----BEGIN RSA PRIVATE KEY-----\n${core(40, 64)}\n${core(41, 64)}\n-----END RSA PRIVATE KEY-----`,
    core: core(41, 64),
    bare: false,
  },
  {
    kind: "a PEM block in a JSON text",
    text: `{"private_key":"-----BEGIN PRIVATE KEY-----\\n${core(42, 64)}\\n-----END PRIVATE KEY-----\\n"}`,
    core: core(42, 64),
    bare: false,
  },
];

const OWN = "XK-48151623";

/** A session that holds a secret in every place that a transcript has. */
function leaky(workspace: Workspace, { text, bare }: Pick<Secret, "text" | "bare">): SessionLog {
  const inText = (log: SessionLog): SessionLog =>
    log
      .prompt(`For 24-demo use ${text} please`)
      .says(`Shall I use ${text}?`)
      .bash("cat .env", { says: text })
      .bash(text.replaceAll("\n", " "), { says: `ran ${text}` })
      .bash(`make x # ${text}`, { failed: true, says: `Exit code 1\nError: ${text} was refused\n${text}` })
      .call("Write", { file_path: "02-projects/24-demo/02-working/a.md", content: text }, { says: text })
      .call("Edit", { file_path: "src/b.ts", old_string: text, new_string: text }, { failed: true, says: `no ${text}` })
      .call("TodoWrite", { todos: [{ content: `rotate ${text}`, status: "in_progress", activeForm: text }] })
      .call("Agent", { description: `check ${text}`, prompt: `24-demo ${text}` }, { open: true })
      .call("AskUserQuestion", { questions: [{ question: `Is ${text} right?` }] }, { says: text })
      .call("Skill", { skill: "execute-project", args: `24-demo ${text}` })
      .slash("execute-project", `24-demo ${text}`)
      .bash(`git commit -m "add ${text.replaceAll("\n", " ")}"`, { says: `[main abc1234] add ${text}` })
      .bash("npm test", { failed: true, says: `Error: ${text}\n Tests  1 failed (1) ${text}` });
  // Behind a word's character the old form of a key is taken for a name, as in 2-sk-translation.
  const name = /^sk-(?!ant|proj)/.test(text) ? `a/${text}` : text;
  const inNames = (log: SessionLog): SessionLog =>
    log
      .edit(`02-projects/24-demo/${text}/a.md`, { record: { gitBranch: text, slug: text } })
      .read(`02-projects/99-${name}/x.md`)
      .write(`config/${text}.json`)
      .bash(`mv src/${text}.ts old-${name}.ts > ${text}.log`)
      .bash(`git checkout -b ${text}`, { says: `Switched to a new branch '${text}'` })
      .bash("git commit -m x", { says: `[${text} abc1234] x` })
      .call(`mcp__${name}__run`, { path: `02-projects/24-demo/${text}` }, { failed: true, says: "refused" })
      .call(text, {}, { failed: true, says: `no such tool ${text}` })
      .call("Skill", { skill: text }, { open: true })
      .slash(text, text);
  const log = inText(new SessionLog(workspace.root));
  if (bare) inNames(log);
  log.compacted(`Summary of 24-demo: ${text}`);
  inText(log);
  return bare ? inNames(log) : log;
}

/** Every byte that the commands printed or wrote, by where it stands. */
function everything(workspace: Workspace, transcript: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const payload = preCompactPayload(workspace, transcript);
  for (const words of [
    ["detect", "--transcript", transcript],
    ["detect", "--transcript", transcript, "--json"],
    ["trail", transcript, "--budget", "100000"],
    ["trail", transcript, "--budget", "100000", "--format", "xml", "--since-compaction"],
    ["trail", transcript, "--budget", "100000", "--json"],
    ["thread", transcript],
    ["thread", transcript, "--full"],
    ["pre-compact"],
    ["pre-compact", "--guidance"],
    ["recover", "oosh-expert", "--transcript", transcript],
    ["recover", "oosh-expert", "--transcript", transcript, "--json"],
  ]) {
    const env = words[0] === "pre-compact" ? { HIVEMIND_ROLE: "oosh-expert" } : {};
    const ran = workspace.context(words, { input: payload, env });
    expect(ran.code, words.join(" ")).toBe(0);
    found.set(words.filter((word) => word !== transcript).join(" "), `${ran.stdout}\n${ran.stderr}`);
  }
  for (const [path, text] of filesOf(workspace)) if (path !== transcript) found.set(path, text);
  return found;
}

function filesOf(workspace: Workspace): Map<string, string> {
  const files = readdirSync(workspace.root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [path, readFileSync(path, "latin1")]));
}

function expectUnseen(found: ReadonlyMap<string, string>, { kind, core: secret }: Pick<Secret, "kind" | "core">): void {
  for (const [where, text] of found) {
    // A half is as bad as the whole.
    for (let at = 0; at + 10 <= secret.length; at += 5) {
      const at10 = secret.slice(at, at + 10);
      if (text.includes(at10))
        expect.fail(`${kind} in ${where}: ${text.split("\n").find((line) => line.includes(at10))}`);
    }
  }
}

describe("what the commands print and write holds nothing of a secret", () => {
  test("where one session holds them all", () => {
    const workspace = makeAcme();
    workspace.role("oosh-expert");
    let log = "";
    for (const secret of SECRETS)
      log += leaky(workspace, secret)
        .text()
        .replaceAll("toolu_", `toolu_${secret.core.slice(0, 4)}_`);
    const transcript = workspace.write("client/s.jsonl", log);
    for (const { kind, core: secret } of SECRETS) expect(log, kind).toContain(secret);
    const found = everything(workspace, transcript);
    for (const secret of SECRETS) expectUnseen(found, secret);
    expect(found.get("trail --budget 100000")).toContain("[REDACTED:");
    expect(found.get("recover oosh-expert --transcript")).toContain("[REDACTED:");
  });

  test.each(SECRETS.filter(({ kind }) => /JWT|YAML|PEM block$/.test(kind)))(
    "where there is room to show all of it: $kind",
    (secret) => {
      const workspace = makeAcme();
      workspace.role("oosh-expert");
      const found = everything(workspace, workspace.write("client/s.jsonl", leaky(workspace, secret).text()));
      expectUnseen(found, secret);
      expect(found.get("pre-compact --guidance")).toContain("[REDACTED:");
      const state: unknown = JSON.parse(found.get(workspace.path("00-system/.cache/precompact_state.json")) ?? "");
      expect(state).toMatchObject({ active_project_id: "24-demo" });
    },
  );
});

describe("redact: of context.yaml", () => {
  test("is honoured wherever a transcript or a steps file is shown", () => {
    const workspace = makeAcme();
    workspace.role("oosh-expert");
    workspace.write("context.yaml", 'redact: ["XK-[0-9]{8}"]\n');
    const steps = "02-projects/24-demo/01-planning/04-steps.md";
    workspace.write(steps, `## Phase 2: Build\n- [ ] Use ${OWN} for it\n`);
    const log = leaky(workspace, { text: OWN, bare: true });
    const found = new Map(everything(workspace, workspace.write("client/s.jsonl", log.text())));
    found.delete(workspace.path(steps));
    expectUnseen(found, { kind: "their own", core: OWN });
    for (const [where, text] of found) {
      if (/^(?:detect|trail|recover|pre-compact --)/.test(where)) expect(text, where).toContain("[REDACTED:custom]");
    }
    expect(found.get("pre-compact --guidance")).toContain(
      "Current task, word for word: Use [REDACTED:custom] for it\n",
    );
  });

  test("says which pattern is none, and the others hold", () => {
    const workspace = makeAcme();
    workspace.role("oosh-expert");
    workspace.write("context.yaml", 'redact: ["(a+)+x", "XK-[0-9]{8}"]\n');
    const transcript = workspace.write("client/s.jsonl", new SessionLog(workspace.root).prompt(`use ${OWN}`).text());
    for (const words of [
      ["detect", "--transcript", transcript],
      ["trail", transcript],
      ["thread", transcript],
      ["pre-compact", "--guidance"],
      ["recover", "oosh-expert", "--transcript", transcript],
    ]) {
      const ran = workspace.context(words, { input: preCompactPayload(workspace, transcript) });
      expect(ran.code, words[0]).toBe(0);
      expect(ran.stderr, words[0]).toMatch(/context\.yaml: redact: \(a\+\)\+x: .*\.$/m);
      expect(ran.stdout + ran.stderr, words[0]).not.toContain(OWN);
    }
  });
});

test("a branch that is named after a secret is written down and shown without it", () => {
  const workspace = makeAcme();
  workspace.role("oosh-expert");
  const named = SECRETS.filter(({ bare }) => bare);
  expect(named.length).toBeGreaterThan(10);
  for (const secret of named) {
    workspace.write(".git/HEAD", `ref: refs/heads/feature/${secret.text}\n`);
    expect(workspace.context(["lifecycle.save", "oosh-expert"]).code).toBe(0);
    const shown = workspace.context(["recover", "oosh-expert"]).stdout;
    expect(shown).toContain("on branch feature/[REDACTED:");
    const found = filesOf(workspace).set("recover", shown);
    found.delete(workspace.path(".git/HEAD"));
    expectUnseen(found, secret);
  }
});
