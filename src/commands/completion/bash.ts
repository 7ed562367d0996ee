import { shellWord } from "../../base/shell-word.ts";
import {
  type CompletionCommand,
  type CompletionOption,
  type CompletionTable,
  groupsOf,
  type Kind,
  optionWords,
  valuedWords,
} from "./table.ts";

/** Completion for bash 3.2 and later. Roles and projects are asked of this program. */
export function bashCompletion(table: CompletionTable, program: string): string {
  const { commands, globals } = table;
  const names = commands.map(({ name }) => name);
  const groups = [...groupsOf(table)];
  return `# bash completion for context. Made by "context completion bash".
_context_add() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@" -- "$cur")
}
# Never asks the program on the line: a key in a stranger's folder would run what lies there.
_context_list() {
  local program=${shellWord(program)} folder=\${root//[\\\\\\"\\']/}
  [[ -x $program ]] || program=context
  [[ $folder != \\~ && $folder != \\~/* ]] || folder=$HOME\${folder#\\~}
  _context_add -W "$("$program" \${folder:+-C} \${folder:+"$folder"} completion "$1" </dev/null 2>/dev/null)"
}
_context_is_command() {
  case $1 in
  ${names.join(" | ")}) return 0 ;;
  esac
  return 1
}
_context_is_group() {
  case $1 in
  ${groups.map(([group]) => group).join(" | ")}) return 0 ;;
  esac
  return 1
}
_context_takes_value() {
  case $1 in
  ${valuedWords(table).join(" | ")}) return 0 ;;
  esac
  return 1
}
_context() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command= found= group= help= given=0 root= word i
  COMPREPLY=()
  if [[ $cur = = ]]; then
    cur=
  elif [[ $prev = = ]] && ((COMP_CWORD > 1)); then
    prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
    -*)
      group=
      _context_takes_value "$word" || continue
      [[ \${COMP_WORDS[i + 1]} != = ]] || ((i++))
      case $word in
      -C | --root) ((i + 1 < COMP_CWORD)) && root=\${COMP_WORDS[i + 1]} ;;
      esac
      ((i++))
      ;;
    *)
      if [[ $word = help && -z $help$command ]]; then
        help=1
        continue
      fi
      word=\${command:+$command.}$word group=
      if _context_is_command "$word"; then
        found=$word
      elif ! _context_is_group "$word"; then
        command=- given=$((given + 1))
        continue
      fi
      command=$word
      ! _context_is_group "$word" || group=$word
      ;;
    esac
  done
  case $prev in
${optionCases(globals)}  esac
  if [[ -n $help ]]; then
    found=help
    [[ -z $command ]] || given=1
  fi
  case $found in
${commands.map(commandCase).join("")}  *)
    case $cur in
    -*) _context_add -W "${globals.flatMap(optionWords).join(" ")} --version" ;;
    *) [[ -n $command ]] || _context_add -W "${names.join(" ")}" ;;
    esac
    ;;
  esac
  case $group in
${groups.map(([group, next]) => `  ${group}) _context_add -W "${next.join(" ")}" ;;\n`).join("")}  esac
}
complete -F _context context
`;

  function commandCase({ name, argument, variadic, options }: CompletionCommand): string {
    const values = optionCases(options, "    ");
    const words = [...options, ...globals].flatMap(optionWords).join(" ");
    const offered = wordsOf(argument, names);
    return `  ${name})
${values === "" ? "" : `    case $prev in\n${values}    esac\n`}    case $cur in
    -*) _context_add -W "${words}" ;;
    *) ${variadic || offered === ":" ? offered : `((given > 0)) || { ${offered}; }`} ;;
    esac
    ;;
`;
  }

  function optionCases(options: readonly CompletionOption[], indent = "  "): string {
    return options
      .filter(({ value }) => value !== null)
      .map(
        (option) =>
          `${indent}${optionWords(option).join(" | ")})\n${indent}  ${wordsOf(option.value ?? [], names)}\n${indent}  return\n${indent}  ;;\n`,
      )
      .join("");
  }
}

function wordsOf(kind: Kind | readonly string[], names: readonly string[]): string {
  if (typeof kind !== "string") return `_context_add -W "${kind.join(" ")}"`;
  switch (kind) {
    case "roles":
    case "projects":
      return `_context_list ${kind}`;
    case "roles-and-files":
      return "_context_list roles; compopt -o filenames 2>/dev/null; _context_add -f";
    case "files":
      return "compopt -o filenames 2>/dev/null; _context_add -f";
    case "folders":
      return "compopt -o filenames 2>/dev/null; _context_add -d";
    case "commands":
      return `_context_add -W "${names.join(" ")}"`;
    case "nothing":
      return ":";
    default:
      return kind satisfies never;
  }
}
