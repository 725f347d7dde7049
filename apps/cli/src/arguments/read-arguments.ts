import { parseArgs, type ParseArgsConfig } from "node:util";
import { COMMANDS, type CommandLine } from "./commands.ts";
import { oneOf, readValue } from "./option.ts";

/** The validated command line, or a sentence about what is wrong with it. */
export type Command =
  | CommandLine
  | { kind: "help"; command?: string }
  | { kind: "version" }
  | { kind: "wrong"; message: string; command?: string | undefined };

/**
 * Options of all commands for Node's parser: whether a command accepts them is checked afterwards.
 */
const PARSED: NonNullable<ParseArgsConfig["options"]> = {
  ...Object.fromEntries(
    COMMANDS.flatMap(({ options }) => Object.entries(options)).map(([name, { kind, short }]) => [
      name,
      {
        type: kind === "flag" ? "boolean" : "string",
        multiple: kind === "texts",
        ...(short ? { short } : {}),
      },
    ]),
  ),
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
};

/** @param command the command whose help explains the right usage */
const wrong = (message: string, command?: string): Command => ({ kind: "wrong", message, command });

/** Parses the arguments after `treadle`. Never throws. */
export function readArguments(words: string[]): Command {
  let parsed;
  try {
    parsed = parseArgs({ args: words, options: PARSED, allowPositionals: true, strict: true });
  } catch (error) {
    return wrong(
      misread((error as Error).message),
      COMMANDS.find(({ name }) => name === words[0])?.name,
    );
  }
  const { help, version, ...given } = parsed.values;
  const [name = "serve", ...rest] = parsed.positionals;
  if (name === "help") return { kind: "help", command: rest[0] };
  if (help) return { kind: "help", command: parsed.positionals[0] };
  if (version || name === "version") return { kind: "version" };
  const command = COMMANDS.find((one) => one.name === name);
  if (!command) {
    const names = COMMANDS.map((one) => one.name);
    return wrong(`There is no command “${name}”. The commands are ${oneOf(names, "and")}.`);
  }
  const values: Record<string, unknown> = {};
  for (const [option, value] of Object.entries(given)) {
    const shape = command.options[option];
    // An option of another command is rejected rather than ignored.
    if (!shape) return wrong(`“${name}” takes no option --${option}.`, name);
    const read = readValue(option, shape, value);
    if ("wrong" in read) return wrong(read.wrong, name);
    values[option] = read.value;
  }
  const read = command.read(values, rest);
  return "wrong" in read
    ? wrong(String(read.wrong), name)
    : ({ kind: name, ...read } as CommandLine);
}

/** Node's message: its first sentence, and a hint for a value that begins with a dash. */
function misread(message: string): string {
  const option = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument is ambiguous/.exec(message)?.[1];
  if (option) return `${option} takes a value; one that begins with a dash is written ${option}=….`;
  return `${message.split(/\.\s/)[0]?.replace(/\.$/, "")}.`;
}
