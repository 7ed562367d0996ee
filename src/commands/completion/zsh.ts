import { shellQuote, shellWord } from "../../base/shell-word.ts";
import {
  type CompletionCommand,
  type CompletionOption,
  type CompletionTable,
  groupsOf,
  type Kind,
  optionWords,
  valuedWords,
} from "./table.ts";

/** Completion for zsh, to be found on the `fpath` as `_context` or sourced after `compinit`. */
export function zshCompletion(table: CompletionTable, program: string): string {
  const { commands, globals } = table;
  const groups = [...groupsOf(table)];
  return `#compdef context
# zsh completion for context. Made by "context completion zsh".
# Never asks the program on the line: a key in a stranger's folder would run what lies there.
_context_list() {
  local program=${shellWord(program)}
  local -a found
  [[ -x $program ]] || program=context
  [[ \${root[2]-} != (\\~|\\~/*) ]] || root[2]=$HOME\${root[2]#\\~}
  found=("\${(@f)$("$program" $root completion $1 </dev/null 2>/dev/null)}")
  compadd -- \${found:#}
}
_context_names() {
  local -a names
  names=(
${commands.map(({ name, summary }) => `    ${described(name, summary)}\n`).join("")}  )
  _describe command names
}
_context() {
  local command= found= group= help= word prev=$words[CURRENT-1] i
  local -i given=0
  local -a root opts
  local -A known groups valued
  known=(${commands.map(({ name }) => `${name} 1`).join(" ")})
  groups=(${groups.map(([group]) => `${group} 1`).join(" ")})
  valued=(${valuedWords(table)
    .map((word) => `${word} 1`)
    .join(" ")})
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    case $word in
    --root=*) root=(-C "\${(Q)word#*=}") group= ;;
    -*)
      group=
      ((\${+valued[$word]})) || continue
      [[ $word != (-C|--root) ]] || ((i + 1 >= CURRENT)) || root=(-C "\${(Q)words[i+1]}")
      ((i++))
      ;;
    *)
      if [[ $word = help && -z $help$command ]]; then
        help=1
        continue
      fi
      word=\${command:+$command.}$word group=
      if ((\${+known[$word]})); then
        found=$word
      elif ((! \${+groups[$word]})); then
        command=- given+=1
        continue
      fi
      command=$word
      ((! \${+groups[$word]})) || group=$word
      ;;
    esac
  done
  if [[ $words[CURRENT] = --*=* ]]; then
    prev=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  case $prev in
${valueCases(globals, "  ")}  esac
  if [[ -n $help ]]; then
    found=help
    [[ -z $command ]] || given=1
  fi
  case $found in
${commands.map(commandCase).join("")}  *)
    if [[ $words[CURRENT] = -* ]]; then
      opts=(${globals.flatMap(describedOption).join(" ")} '--version:print the version')
      _describe option opts
    elif [[ -z $command ]]; then
      _context_names
    fi
    ;;
  esac
  case $group in
${groups.map(([group, next]) => `  ${group}) compadd -- ${next.join(" ")} ;;\n`).join("")}  esac
}
if [[ $funcstack[1] = _context ]]; then _context "$@"; else compdef _context context; fi
`;

  function commandCase({ name, argument, variadic, options }: CompletionCommand): string {
    const values = valueCases(options, "    ");
    const offered = wordsOf(argument);
    return `  ${name})
${values === "" ? "" : `    case $prev in\n${values}    esac\n`}    if [[ $words[CURRENT] = -* ]]; then
      opts=(${[...options, ...globals].flatMap(describedOption).join(" ")})
      _describe option opts
    else
      ${variadic || offered === ":" ? offered : `((given > 0)) || { ${offered}; }`}
    fi
    ;;
`;
  }
}

function valueCases(options: readonly CompletionOption[], indent: string): string {
  return options
    .filter(({ value }) => value !== null)
    .map(
      (option) =>
        `${indent}${optionWords(option).join(" | ")})\n${indent}  ${wordsOf(option.value ?? [])}\n${indent}  return\n${indent}  ;;\n`,
    )
    .join("");
}

function describedOption(option: CompletionOption): readonly string[] {
  return optionWords(option).map((word) => described(word, option.summary));
}

/** A word and its meaning as `_describe` parts them, in single quotes. */
function described(word: string, summary: string): string {
  return shellQuote(`${word}:${summary}`);
}

function wordsOf(kind: Kind | readonly string[]): string {
  if (typeof kind !== "string") return `compadd -- ${kind.join(" ")}`;
  switch (kind) {
    case "roles":
    case "projects":
      return `_context_list ${kind}`;
    case "roles-and-files":
      return "_context_list roles; _files";
    case "files":
      return "_files";
    case "folders":
      return "_files -/";
    case "commands":
      return "_context_names";
    case "nothing":
      return ":";
    default:
      return kind satisfies never;
  }
}
