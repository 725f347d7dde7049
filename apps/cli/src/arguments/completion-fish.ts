import { COMMANDS } from "./commands.ts";
import type { CommandShape } from "./command-shape.ts";
import type { Option } from "./option.ts";
import { takes } from "./option-takes.ts";

/** The completion script for fish, one line for each command, word and option. */
export function fishCompletion(): string {
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
      ...Object.entries(options).map(([option, shape]) => {
        const named = `-l ${option}${shape.short ? ` -s ${shape.short}` : ""}`;
        return `complete -c treadle ${seen} ${named}${valueInFish(shape)} -d ${quoted(shape.help)}`;
      }),
    ];
  });
  lines.push(
    `complete -c treadle -n __fish_use_subcommand -f -l version -d ${quoted("which Treadle this is")}`,
    `complete -c treadle -l help -s h -d ${quoted("what may be typed here")}`,
  );
  return `${lines.join("\n")}\n`;
}

function valueInFish(option: Option): string {
  switch (takes(option)) {
    case "nothing":
      return "";
    case "words":
      return ` -x -a ${quoted(option.choices!.join(" "))}`;
    case "folders":
      return " -x -a '(__fish_complete_directories)'";
    case "files":
      return " -r -F";
    case "text":
      return " -x";
  }
}

function wordsOf({ completes }: CommandShape): string {
  return typeof completes === "object" ? completes.join(" ") : "";
}

/** Quotes a text as one word for the shell. */
const quoted = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
