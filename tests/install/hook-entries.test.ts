import { expect, test } from "vitest";
import { commandEntries } from "../../src/install/hook-entries.ts";
import { parsed } from "../../src/install/settings-document.ts";

/** What makes the client go on without a hook's answer, in an entry that has such members. */
function unheard(members: string): readonly (string | null)[] {
  const entry = `{ "type": "command", "command": "context session-start", "timeout": 10${members} }`;
  return commandEntries(parsed(`{ "hooks": { "SessionStart": [ { "hooks": [${entry}] } ] } }`)).map(
    (found) => found.unheard,
  );
}

test.each([
  [', "async": true', "async"],
  [', "asyncRewake": true', "asyncRewake"],
  [', "if": "Bash(git *)"', "if"],
  [', "shell": "powershell"', "shell"],
  [', "async": false, "if": "", "shell": "bash", "once": true, "statusMessage": "…"', null],
  ["", null],
])("an entry with%s is one whose answer the client goes on without: %s", (members, name) => {
  expect(unheard(members)).toEqual([name]);
});
