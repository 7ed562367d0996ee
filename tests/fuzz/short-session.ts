import { SessionLog } from "../helpers/session-log.ts";

const STEPS = "02-projects/24-demo/04-steps.md";

/**
 * A session in a few rows of all that a trail tells: recorded ones are long, and each input that is made of one takes as
 * many times longer.
 */
export function shortSession(): string {
  return new SessionLog("/home/dev/acme")
    .prompt("Work on 02-projects/24-demo: does it parse?")
    .slash("learn-projects", "24-demo")
    .read("02-projects/24-demo/01-overview.md")
    .call("Skill", { skill: "execute-project", args: "24-demo" })
    .call("Grep", { pattern: "a", path: "02-projects" })
    .write("src/new.ts")
    .edit(STEPS)
    .bash("cd 02-projects/24-demo && npx vitest run", { failed: true, says: "2 failed | 3 passed (5)\nAssertionError" })
    .bash("python3 -m pytest -q; cargo nextest run", { says: "5 passed in 0.12s" })
    .bash("git commit -m 'one; two' && git push", { says: "[main c2c326f] one; two\n 2 files changed" })
    .bash("mv a.md 02-projects/24-demo/b.md && rm -r old > out.txt 2>&1", { failed: true, says: "rm: old: none" })
    .bash("export FOO_TOKEN=abcdefgh12345678; curl -u a:b https://u:p@h/x", { says: "-----BEGIN RSA PRIVATE KEY-----" })
    .call("TodoWrite", { todos: [{ content: "One", status: "in_progress", activeForm: "Doing one" }] })
    .call("AskUserQuestion", { questions: [{ question: "Which?", header: "H", options: [{ label: "A" }] }] })
    .call("Agent", { description: "look", prompt: "Look at it.", subagent_type: "x" }, { open: true })
    .compacted()
    .says("Shall I go on?")
    .prompt("No, stop. Use the other file.")
    .edit(STEPS, { failed: true, says: "String to replace not found" })
    .text();
}
