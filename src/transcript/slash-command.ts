export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly args: string;
  /** One of the client's own, such as `/compact`: it says nothing about the work in hand. */
  readonly builtIn: boolean;
}

/** The slash command that a user text stands for: the client writes it as `<command-name>`, order of the tags varies. */
export function parseSlashCommand(text: string): SlashCommand | null {
  const named = tagText(text, "command-name");
  if (named === null) return null;
  const name = named.trim().replace(/^\//, "");
  if (name === "") return null;
  return { name, args: (tagText(text, "command-args") ?? "").trim(), builtIn: isBuiltIn(name) };
}

/** The text between `<tag>` and `</tag>`, first of them; null where either is missing. */
export function tagText(text: string, tag: string): string | null {
  const open = text.indexOf(`<${tag}>`);
  if (open === -1) return null;
  const from = open + tag.length + 2;
  const close = text.indexOf(`</${tag}>`, from);
  return close === -1 ? null : text.slice(from, close);
}

// The client's commands in 2.0.76 and 2.1.332, those of older versions included. A name that is missing here is taken for
// a custom command, which at worst ends a resumption; a custom command taken for the client's own would go unseen.
const BUILT_IN =
  "add-dir agents allowed-tools app bashes branch btw bug chrome clear color compact config context copy cost desktop diff " +
  "doctor effort exit export extra-usage fast feedback files fork heapdump help hooks ide init insights install-github-app " +
  "install-slack-app keybindings login logout mcp memory migrate-installer mobile model new output-style passes permissions " +
  "plan plugin plugins pr-comments privacy-settings quit rate-limit-options release-notes reload-plugins remote-control " +
  "remote-env rename reset resume continue review rewind checkpoint sandbox security-review settings skills stats status " +
  "statusline stickers tag tasks terminal-setup theme think-back todos upgrade usage vim voice";

/** By its text, of which no name is a part but a whole word: a set would be made at each start, for a command now and then. */
function isBuiltIn(name: string): boolean {
  return !name.includes(" ") && ` ${BUILT_IN} `.includes(` ${name} `);
}
