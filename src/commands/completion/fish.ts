import { type CompletionCommand, type CompletionOption, type CompletionTable, groupsOf, type Kind } from "./table.ts";

/** Completion for fish 3 and later. */
export function fishCompletion(table: CompletionTable): string {
  const { commands, globals } = table;
  const names = commands.map(({ name }) => name);
  const groups = [...groupsOf(table)];
  const lines = [
    ...commands.map(({ name, summary }) => complete(`-n '__context_at ""' -a ${quoted(name)} -d ${quoted(summary)}`)),
    ...groups.map(([group, next]) => complete(`-n '__context_after ${group}' -a ${quoted(next.join(" "))}`)),
    ...globals.map((option) => complete(optionWords(option))),
    complete("-n '__context_at \"\"' -l version -d 'print the version'"),
    ...commands.flatMap(commandLines),
  ];
  return `# fish completion for context. Made by "context completion fish".
function __context_list
    set -l tokens (commandline -opc)
    set -l root
    for i in (seq 2 (count $tokens))
        if contains -- $tokens[$i] -C --root; and test $i -lt (count $tokens)
            set root -C $tokens[(math $i + 1)]
        end
    end
    $tokens[1] $root completion $argv[1] </dev/null 2>/dev/null
end
# The command that the line names so far, or the first parts of one.
function __context_command
    set -l command
    set -l found
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case -C --root
                set skip 1
            case '-*'
            case '*'
                set -l joined (string join . $command $word)
                contains -- $joined ${[...names, ...groups.map(([group]) => group)].join(" ")}; or begin
                    test -n "$found"; or set command -
                    break
                end
                set command $joined
                contains -- $joined ${names.join(" ")}; and set found $joined
        end
    end
    echo $command
end
function __context_at
    test (__context_command | string collect; or true) = "$argv[1]"
end
# Behind the first parts of a command's name, and nothing else behind them.
function __context_after
    __context_at $argv[1]; and string match -q -- "*."(commandline -opc)[-1] ".$argv[1]"
end
complete -c context -f
${lines.join("\n")}
`;

  function commandLines({ name, argument, options }: CompletionCommand): readonly string[] {
    const at = `-n '__context_at ${name}'`;
    const words = wordsOf(argument);
    return [
      ...(words === "" ? [] : [complete(`${at} ${words}`)]),
      ...options.map((option) => complete(`${at} ${optionWords(option)}`)),
    ];
  }

  function optionWords({ long, short, value, summary }: CompletionOption): string {
    const taken =
      value === null ? "" : ` -r ${value === "files" || value === "roles-and-files" ? "" : "-f "}${wordsOf(value)}`;
    return `${short === null ? "" : `-s ${short} `}-l ${long}${taken} -d ${quoted(summary)}`;
  }

  function wordsOf(kind: Kind | readonly string[]): string {
    if (typeof kind !== "string") return `-a ${quoted(kind.join(" "))}`;
    switch (kind) {
      case "roles":
      case "projects":
        return `-a '(__context_list ${kind})'`;
      case "roles-and-files":
        return "-F -a '(__context_list roles)'";
      case "files":
        return "-F";
      case "folders":
        return "-a '(__fish_complete_directories)'";
      case "commands":
        return `-a ${quoted(names.join(" "))}`;
      case "nothing":
        return "";
      default:
        return kind satisfies never;
    }
  }
}

function complete(rest: string): string {
  return `complete -c context ${rest}`.trimEnd();
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
