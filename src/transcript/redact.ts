import { redactArguments, redactLater } from "./redact-arguments.ts";
import { redactAssignments } from "./redact-assignments.ts";
import { redactPem } from "./redact-pem.ts";

/**
 * A text with what looks like a secret replaced by `[REDACTED:kind]`: keys with a vendor's prefix, JWTs, PEM blocks,
 * credentials in URLs and headers, values given to names such as `password`, arguments of programs. Commit ids, UUIDs, integrity hashes and
 * paths stay. Time is linear in the text; `extra` patterns must be so too (see `compileRedactPatterns`).
 */
export function redact(text: string, extra: readonly RegExp[] = []): string {
  // A colour ends in a letter, and words begin behind it: the text keeps its colours where it holds no secret.
  const plain = text.replace(COLOUR, "");
  let clean = SHORT_WORD.test(plain) ? plain : redactKnown(plain);
  for (const pattern of extra) clean = clean.replace(pattern, "[REDACTED:custom]");
  return clean === plain ? text : clean;
}

/** A terminal's colour, also as JSON spells it. */
export const COLOUR = /(?:\u001b|\\{1,8}u001b)\[[0-9;]{0,32}[A-Za-z]/g;

/** Shorter than any key that is known, and with nothing in it that could stand before one: most branches' names. */
const SHORT_WORD = /^[A-Za-z0-9/-]{0,14}$/;

function redactKnown(text: string): string {
  let clean = redactPem(text);
  for (const { kind, hint, pattern, unless } of TOKENS) {
    if (!clean.includes(hint)) continue;
    clean = clean.replace(pattern, (found: string) => (unless?.(found) ? found : `[REDACTED:${kind}]`));
  }
  return redactLater(redactAssignments(redactArguments(redactHeaders(redactUrls(clean)))));
}

interface Token {
  readonly kind: string;
  /** A text without it is not searched. */
  readonly hint: string;
  readonly pattern: RegExp;
  readonly unless?: (found: string) => boolean;
}

// Each pattern is a literal prefix and one class that either fails within its minimum or takes all there is: no text makes
// it look at a character more than a fixed number of times. No boundary is asked for in front of a prefix that no word
// holds, since `\n` in a JSON text puts a letter there.
// `secret-sign.ts` knows what each begins with, and its test holds a key of each kind.
export const TOKENS: readonly Token[] = [
  { kind: "aws-key", hint: "A", pattern: /(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16,}/g },
  { kind: "gcp-key", hint: "AIza", pattern: /AIza[A-Za-z0-9_-]{30,}/g },
  { kind: "gcp-token", hint: "ya29.", pattern: /ya29\.[A-Za-z0-9_-]{20,}/g },
  { kind: "azure-key", hint: "Key=", pattern: /(?<=AccountKey=|SharedAccessKey=)[A-Za-z0-9+/=]{16,}/g },
  { kind: "github-token", hint: "gh", pattern: /gh[pousr]_[A-Za-z0-9]{16,}/g },
  { kind: "github-token", hint: "github_pat_", pattern: /github_pat_[A-Za-z0-9_]{16,}/g },
  { kind: "slack-token", hint: "xox", pattern: /xox[a-z]-[A-Za-z0-9-]{10,}/g },
  { kind: "slack-token", hint: "xapp-", pattern: /xapp-[A-Za-z0-9-]{16,}/g },
  { kind: "npm-token", hint: "npm_", pattern: /npm_[A-Za-z0-9]{20,}/g },
  { kind: "gitlab-token", hint: "gl", pattern: /gl(?:pat|rt|dt|cbt|ptt|oas|soat|ft|imt|agent)-[A-Za-z0-9_-]{16,}/g },
  { kind: "hugging-face-token", hint: "hf_", pattern: /hf_[A-Za-z0-9]{24,}/g },
  { kind: "pypi-token", hint: "pypi-AgE", pattern: /pypi-AgE[A-Za-z0-9_-]{20,}/g },
  { kind: "docker-token", hint: "dckr_", pattern: /dckr_(?:pat|oat)_[A-Za-z0-9_-]{16,}/g },
  { kind: "sendgrid-key", hint: "SG.", pattern: /SG\.[A-Za-z0-9_.-]{40,}/g },
  { kind: "digitalocean-token", hint: "do", pattern: /do[opr]_v1_[a-f0-9]{32,}/g },
  { kind: "shopify-token", hint: "shp", pattern: /shp(?:at|ss|ca|pa)_[A-Fa-f0-9]{24,}/g },
  { kind: "vault-token", hint: "hv", pattern: /hv[sbr]\.[A-Za-z0-9_-]{20,}/g },
  { kind: "atlassian-token", hint: "ATATT3", pattern: /ATATT3[A-Za-z0-9_=-]{20,}/g },
  { kind: "sentry-token", hint: "sntry", pattern: /sntry[su]_[A-Za-z0-9_=-]{20,}/g },
  { kind: "linear-key", hint: "lin_", pattern: /lin_(?:api|oauth)_[A-Za-z0-9]{20,}/g },
  { kind: "notion-token", hint: "ntn_", pattern: /ntn_[A-Za-z0-9]{30,}/g },
  { kind: "age-key", hint: "AGE-SECRET-KEY-1", pattern: /AGE-SECRET-KEY-1[A-Z0-9]{30,}/g },
  { kind: "webhook-secret", hint: "whsec_", pattern: /whsec_[A-Za-z0-9+/]{20,}/g },
  {
    kind: "webhook",
    hint: "hooks.slack.com/",
    pattern: /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/]{20,}/g,
  },
  { kind: "webhook", hint: "/api/webhooks/", pattern: /(?<=\/api\/webhooks\/)[A-Za-z0-9_/-]{40,}/g },
  // Groq, xAI, Replicate, Perplexity
  { kind: "api-key", hint: "_", pattern: /(?:gsk|r8)_[A-Za-z0-9]{32,}/g },
  { kind: "api-key", hint: "-", pattern: /(?:xai|pplx)-[A-Za-z0-9]{40,}/g },
  { kind: "stripe-key", hint: "_live_", pattern: /[spr]k_live_[A-Za-z0-9]{16,}/g },
  { kind: "stripe-key", hint: "_test_", pattern: /[spr]k_test_[A-Za-z0-9]{16,}/g },
  // With the vendor's second word it is a key whatever stands in front, but for a letter: `risk-proj-…` is a name.
  { kind: "api-key", hint: "sk-", pattern: /(?<![A-Za-z0-9])sk-(?:ant|proj|svcacct|or)-[A-Za-z0-9_-]{16,}/g },
  // `task-…` and `2-sk-…` are names; behind an escape (`\nsk-…`) it is a key.
  { kind: "api-key", hint: "sk-", pattern: /(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))sk-[A-Za-z0-9_-]{16,}/g },
  // Older keys are one run of letters and digits, which no name behind a hyphen is for so long.
  { kind: "api-key", hint: "sk-", pattern: /(?<=[-_])sk-[A-Za-z0-9]{32,}/g },
  // Takes the whole run whether or not dots follow, so that a run of `eyJ` is read once.
  {
    kind: "jwt",
    hint: "eyJ",
    pattern: /eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]+){0,4}/g,
    unless: (found) => !found.includes("."),
  },
];

/** `https://user:password@host`; a user alone only where it is long enough to be a token. */
function redactUrls(text: string): string {
  if (!text.includes("@")) return text;
  return text.replace(/:(?:\\?\/){2}([^\s/\\"'`<>?#]+)@/g, (found: string, userInfo: string) => {
    if (userInfo.includes("[REDACTED:") || !(userInfo.includes(":") || userInfo.length >= LONG_USER)) return found;
    return found.replace(userInfo, () => "[REDACTED:url-credentials]");
  });
}

const LONG_USER = 20;

/**
 * Each pattern is made where its word is there: a fresh process would take longer to make them than for all the rest. A plain
 * word is no secret: "Bearer authentication"; nor is a container's `-u 1000:1000`.
 */
function redactHeaders(text: string): string {
  let clean = text;
  if (clean.includes("earer") || clean.includes("BEARER"))
    clean = clean.replace(
      /\b([Bb]earer|BEARER)([ \t]{1,4}|%20)(?!\[REDACTED|[A-Za-z][a-z]{7,14}[.,]?(?![A-Za-z0-9._~+/=-]))[A-Za-z0-9._~+/=-]{8,}/g,
      "$1$2[REDACTED:bearer]",
    );
  if (clean.includes("Basic"))
    clean = clean.replace(
      /\b(Basic[ \t]{1,4})(?![A-Za-z][a-z]{11,14}(?![A-Za-z0-9+/=]))[A-Za-z0-9+/]{12,}={0,2}(?![A-Za-z])/g,
      "$1[REDACTED:basic-auth]",
    );
  if (clean.includes("-u"))
    clean = clean.replace(
      /((?:^|[ \t])(?:-u|--user)[ \t=]{1,4})(?![0-9]{1,10}:[0-9]{1,10}(?!\S)|\\{0,4}["']?\+%)(?:'[^'\n:[]{1,200}:[^'\n]{1,1000}'|"[^"\\\n:[]{1,200}:[^"\\\n]{1,1000}"|\\{1,4}"[^"\\\n:[]{1,200}:[^"\\\n]{1,1000}\\{1,4}"|(?:\[REDACTED:[a-z-]{1,24}\]|(?!\[REDACTED:)[^\s:]){1,200}:[^\s]{1,1000})/gm,
      "$1[REDACTED:credentials]",
    );
  return clean;
}
