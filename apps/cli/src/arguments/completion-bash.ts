import { COMMANDS } from "./commands.ts";
import type { CommandShape } from "./command-shape.ts";
import { takes } from "./option-takes.ts";

/** The completion script for bash: a function, and the line that registers it. */
export function bashCompletion(): string {
  return `_treadle_paths() {
  local line
  # One name a line: whatever is in it, it is one name.
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$1" -- "$2")
}
_treadle() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words=""
  local typed="\${current//\\\\/}"
  typed="\${typed#[\\"\\']}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${COMMANDS.map(({ name }) => name).join(" ")} --help --version"
  else
    case "$command:$before" in
${COMMANDS.flatMap(valuesInBash).join("\n")}
    esac
    if [ -z "$words" ]; then
      case "$current" in
        -*) case "$command" in
${COMMANDS.map(({ name, options }) => `          ${name}) words="${[...Object.keys(options), "help"].map((one) => `--${one}`).join(" ")}" ;;`).join("\n")}
        esac ;;
        *) case "$command" in
${COMMANDS.flatMap(wordsInBash).join("\n")}
        esac ;;
      esac
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _treadle treadle
`;
}

const FOLDERS = '_treadle_paths -d "$typed"; return ;;';
const FILES = '_treadle_paths -f "$typed"; return ;;';

/** Possible values of each option that takes one. */
function valuesInBash({ name, options }: CommandShape): string[] {
  const kinds = Object.groupBy(Object.entries(options), ([, option]) => takes(option));
  const lines = (kinds.words ?? []).map(
    ([option, { choices = [] }]) => `      ${name}:--${option}) words="${choices.join(" ")}" ;;`,
  );
  const line = (kind: "folders" | "files" | "text", then: string) => {
    const named = (kinds[kind] ?? []).map(([option]) => `${name}:--${option}`);
    if (named.length > 0) lines.push(`      ${named.join("|")}) ${then}`);
  };
  line("folders", FOLDERS);
  line("files", FILES);
  line("text", "return ;;");
  return lines;
}

function wordsInBash({ name, completes }: CommandShape): string[] {
  if (completes === undefined) return [];
  const then =
    completes === "files"
      ? FILES
      : completes === "folders"
        ? FOLDERS
        : `words="${completes.join(" ")}" ;;`;
  return [`          ${name}) ${then}`];
}
