import { COMMANDS } from "./commands.ts";
import type { CommandShape } from "./command-shape.ts";
import type { Option } from "./option.ts";

const WIDTH = 100;
const COLUMN = 29;

/** The text of `treadle --help`, or of one command such as `treadle run --help`. */
export function helpText(name?: string): string {
  const command = COMMANDS.find((one) => one.name === name);
  return command ? ofOne(command) : overview();
}

function overview(): string {
  const lines = COMMANDS.map((command) => beside(`  treadle ${called(command)}`, command.summary));
  return `treadle: say what you want in one sentence, get a web app that was checked to work.

${lines.join("")}
treadle COMMAND --help has the options of each, treadle --version says which Treadle this is.
`;
}

function ofOne(command: CommandShape): string {
  const { summary, help, options } = command;
  const lines = Object.entries(options).map(([option, shape]) =>
    beside(`  ${shape.short ? `-${shape.short}, ` : ""}--${option}${valueOf(shape)}`, shape.help),
  );
  return [
    `treadle ${called(command)}\n`,
    `${wrapped(summary, WIDTH).join("\n")}\n`,
    help === undefined ? "" : `${wrapped(help, WIDTH).join("\n")}\n`,
    lines.join(""),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** The command's usage after `treadle`, with optional parts in brackets. */
function called({ name, words }: CommandShape): string {
  return [name === "serve" ? "[serve]" : name, words].filter(Boolean).join(" ");
}

function valueOf({ choices, value }: Option): string {
  if (choices) return ` ${choices.join("|")}`;
  return value ? ` ${value}` : "";
}

/** Two columns, at least two spaces apart; a text too long for the left one gets its own line. */
function beside(left: string, text: string): string {
  const lines = wrapped(text, WIDTH - COLUMN);
  const margin = " ".repeat(COLUMN);
  const first = left.length + 2 > COLUMN ? `${left}\n${margin}` : left.padEnd(COLUMN);
  return `${first}${lines.join(`\n${margin}`)}\n`;
}

function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}
