import { COMMANDS } from "./commands.ts";
import type { CommandShape } from "./command-shape.ts";
import type { Option } from "./option.ts";
import { takes } from "./option-takes.ts";
import { shellWord as quoted } from "./shell-word.ts";

/**
 * The completion script that zsh reads after `compinit`. It is zsh's own, because its emulation of bash completion loses
 * names with escaped characters.
 */
export function zshCompletion(): string {
  const commands = COMMANDS.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  return `_treadle() {
  local -a commands=(
${commands.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands && return
    compadd -- --help --version
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${COMMANDS.map(ofCommand).join("\n")}
  esac
}
compdef _treadle treadle
`;
}

function ofCommand({ name, options, completes }: CommandShape): string {
  const specs = Object.entries(options).flatMap(([option, shape]) => ofOption(option, shape));
  const help = `--help[${inBrackets("what may be typed here")}]`;
  const all = [...specs, help, ...wordsOf(completes)].map(quoted);
  return `    ${name}) _arguments ${all.join(" ")} ;;`;
}

function ofOption(name: string, option: Option): string[] {
  const { kind, short, help } = option;
  const again = kind === "texts" ? "*" : "";
  const names = [`--${name}`, ...(short ? [`-${short}`] : [])];
  return names.map((typed) => `${again}${typed}[${inBrackets(help)}]${valueOf(option)}`);
}

function valueOf(option: Option): string {
  switch (takes(option)) {
    case "nothing":
      return "";
    case "words":
      return `: :(${option.choices!.join(" ")})`;
    case "folders":
      return ": :_files -/";
    case "files":
      return ": :_files";
    case "text":
      return ": : ";
  }
}

function wordsOf(completes: CommandShape["completes"]): string[] {
  // Free text is declared as well: after an undeclared argument, zsh offers no options.
  if (completes === undefined) return ["*: : "];
  if (completes === "files") return ["*: :_files"];
  return [completes === "folders" ? "*: :_files -/" : `1: :(${completes.join(" ")})`];
}

/** Escapes a description, which ends at `]`. */
const inBrackets = (text: string) => text.replaceAll(/[\\[\]:]/g, "\\$&");
