import { COMMANDS } from "./commands.ts";
import type { CommandShape } from "./command-shape.ts";

/** The lines that a shell reads, made from the list of commands. */
export function completionFor(shell: "bash" | "zsh" | "fish"): string {
  if (shell === "fish") return fish();
  // zsh reads what bash reads, once it is told to.
  const head = shell === "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
  return `${head}${bash()}`;
}

function bash(): string {
  const cases = COMMANDS.map((command) => {
    const values = Object.entries(command.options)
      .filter(([, { of }]) => of !== undefined)
      .map(([name, { of = [] }]) => `      ${command.name}:--${name}) words="${of.join(" ")}" ;;`);
    const options = Object.keys(command.options).map((name) => `--${name}`);
    return {
      values,
      one: `      ${command.name}) words="${[...options, "--help"].join(" ")}" ;;`,
      words: wordsOf(command),
    };
  });
  const files = COMMANDS.filter(({ completes }) => completes === "files");
  const folders = COMMANDS.filter(({ completes }) => completes === "folders");
  return `_treadle() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${COMMANDS.map(({ name }) => name).join(" ")} --help --version"
  else
    case "$command:$before" in
${cases.flatMap(({ values }) => values).join("\n")}
    esac
    if [ -z "$words" ]; then
      case "$before" in
        ${optionsOfKind(["folder"])}) COMPREPLY=($(compgen -d -- "$current")); return ;;
      esac
      case "$current" in
        -*) case "$command" in
${cases.map(({ one }) => `    ${one}`).join("\n")}
        esac ;;
        *) case "$command" in
          ${files.map(({ name }) => name).join("|")}) COMPREPLY=($(compgen -f -- "$current")); return ;;
          ${folders.map(({ name }) => name).join("|")}) COMPREPLY=($(compgen -d -- "$current")); return ;;
${cases
  .map(({ words }, n) => (words ? `          ${COMMANDS[n]!.name}) words="${words}" ;;` : ""))
  .filter(Boolean)
  .join("\n")}
        esac ;;
      esac
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _treadle treadle
`;
}

function optionsOfKind(kinds: string[]): string {
  const names = COMMANDS.flatMap(({ options }) =>
    Object.entries(options).flatMap(([name, { kind, value }]) =>
      kinds.includes(kind) || value === "DIR" ? [`--${name}`] : [],
    ),
  );
  return [...new Set(names)].join("|");
}

function fish(): string {
  const lines = COMMANDS.flatMap((command) => {
    const { name, summary, options, completes } = command;
    const seen = `-n '__fish_seen_subcommand_from ${name}'`;
    const words = wordsOf(command);
    return [
      `complete -c treadle -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
      ...(completes === "files" ? [] : [`complete -c treadle ${seen} -f`]),
      ...(completes === "folders"
        ? [`complete -c treadle ${seen} -a '(__fish_complete_directories)'`]
        : []),
      ...(words ? [`complete -c treadle ${seen} -a ${quoted(words)}`] : []),
      ...Object.entries(options).map(([option, { kind, of, value, help }]) => {
        const takes = of
          ? ` -x -a ${quoted(of.join(" "))}`
          : value === "DIR"
            ? " -x -a '(__fish_complete_directories)'"
            : kind === "flag"
              ? ""
              : " -x";
        return `complete -c treadle ${seen} -l ${option}${takes} -d ${quoted(help)}`;
      }),
    ];
  });
  return `${lines.join("\n")}\n`;
}

function wordsOf({ completes }: CommandShape): string {
  return typeof completes === "object" ? completes.join(" ") : "";
}

/** For the shell: one word, whatever is in it. */
const quoted = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
