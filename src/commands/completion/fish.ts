import {
  type CompletionCommand,
  type CompletionOption,
  type CompletionTable,
  groupsOf,
  type Kind,
  valuedWords,
} from "./table.ts";

/** Completion for fish 3 and later. */
export function fishCompletion(table: CompletionTable, program: string): string {
  const { commands, globals } = table;
  const names = commands.map(({ name }) => name);
  const groups = [...groupsOf(table)];
  const lines = [
    ...commands.map(({ name, summary }) => complete(`-n '__context_at ""' -a ${quoted(name)} -d ${quoted(summary)}`)),
    ...groups.map(([group, next]) => complete(`-n '__context_after ${group}' -a ${quoted(next.join(" "))}`)),
    ...globals.map((option) => complete(optionWords(option))),
    complete("-n '__context_at \"\"' -l version -d 'print the version'"),
    complete(`-n __context_helped ${wordsOf("commands")}`),
    ...commands.filter(({ name }) => name !== "help").flatMap(commandLines),
  ];
  return `# fish completion for context. Made by "context completion fish".
# Never asks the program on the line: a key in a stranger's folder would run what lies there.
function __context_list
    set -l program ${quoted(program)}
    test -x $program; or set program context
    set -l tokens (commandline -opc)
    set -l root
    for i in (seq 2 (count $tokens))
        if contains -- $tokens[$i] -C --root; and test $i -lt (count $tokens)
            set root -C (string replace -r '^~(?=/|$)' "$HOME" -- $tokens[(math $i + 1)])
        else if string match -q -- '--root=*' $tokens[$i]
            set root -C (string replace -- --root= '' $tokens[$i])
        end
    end
    $program $root completion $argv[1] </dev/null 2>/dev/null
end
# The command that the line names so far, or the first parts of one; how many arguments are behind it; 1 behind "help".
function __context_state
    set -l command
    set -l help
    set -l given 0
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case ${valuedWords(table).join(" ")}
                set skip 1
            case '-*'
            case '*'
                if test $word = help; and test -z "$help$command"
                    set help 1
                    continue
                end
                set -l joined (string join . $command $word)
                if test $given = 0; and contains -- $joined ${[...names, ...groups.map(([group]) => group)].join(" ")}
                    set command $joined
                else
                    set given (math $given + 1)
                    contains -- "$command" ${names.join(" ")}; or set command -
                end
        end
    end
    printf '%s\\n' "$command" $given "$help"
end
function __context_at
    set -l state (__context_state)
    test "$state[1]" = "$argv[1]"; and test -z "$state[3]"
end
# Behind a command that takes one argument, and has none yet.
function __context_free
    __context_at $argv[1]; and test (__context_state)[2] = 0
end
function __context_helped
    set -l state (__context_state)
    test -z "$state[1]"; and test -n "$state[3]"
end
# Behind the first parts of a command's name, and nothing else behind them.
function __context_after
    test (__context_state)[1] = $argv[1]; and string match -q -- "*."(commandline -opc)[-1] ".$argv[1]"
end
complete -c context -f
${lines.join("\n")}
`;

  function commandLines({ name, argument, variadic, options }: CompletionCommand): readonly string[] {
    const at = `-n '__context_at ${name}'`;
    const words = wordsOf(argument);
    return [
      ...(words === "" ? [] : [complete(`${variadic ? at : `-n '__context_free ${name}'`} ${words}`)]),
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
