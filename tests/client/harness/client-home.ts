import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { removeFolder } from "../../helpers/remove-folder.ts";

/** Not a key: the stand-in asks for none, and the client does not start without one. */
export const MADE_UP_KEY = "no-key-but-a-word-in-its-place";

/** A home folder of the client's own, in which it has asked all that it asks once; gone with the test. */
export interface ClientHome {
  readonly root: string;
  /** The transcripts of every session, sub-agents' among them. */
  readonly transcripts: () => readonly string[];
}

export function makeHome(project: string): ClientHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "client-home-")));
  onTestFinished(() => removeFolder(root));
  const answered = {
    hasCompletedOnboarding: true,
    theme: "dark",
    // It asks about a key by the last 20 characters.
    customApiKeyResponses: { approved: [MADE_UP_KEY.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  writeFileSync(join(root, ".claude.json"), JSON.stringify(answered));
  const sessions = join(root, ".claude", "projects");
  mkdirSync(sessions, { recursive: true });
  return {
    root,
    transcripts: () =>
      readdirSync(sessions, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => join(sessions, name)),
  };
}
