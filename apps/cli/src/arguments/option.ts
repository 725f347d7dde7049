/**
 * The type of an option: `texts` may be repeated, `count` is an integer above 0, a `folder` is
 * never empty.
 */
export interface Option {
  kind: "text" | "texts" | "flag" | "number" | "count" | "port" | "folder";
  help: string;
  /** One letter, as in `-f`. */
  short?: string;
  /** The name of the value in the help. Defaults to the `choices`, or nothing. */
  value?: string;
  /** The permitted values. */
  choices?: readonly string[];
}

export type Options = Record<string, Option>;

type ValueOf<O extends Option> = O extends { choices: readonly (infer Name)[] }
  ? Name
  : O["kind"] extends "text" | "folder"
    ? string
    : O["kind"] extends "texts"
      ? string[]
      : O["kind"] extends "flag"
        ? boolean
        : number;

/** The given values by the options' names; options that were not given are absent. */
export type Values<O extends Options> = { [Name in keyof O]?: ValueOf<O[Name]> | undefined };

/** Parses a value of an option, or returns a message about what is wrong. */
export function readValue(
  name: string,
  option: Option,
  given: unknown,
): { value: unknown } | { wrong: string } {
  if (option.kind === "flag" || option.kind === "texts") return { value: given };
  const text = String(given);
  if (option.choices && !option.choices.includes(text))
    return { wrong: `--${name} is ${oneOf(option.choices)}, not “${text}”.` };
  // An unset variable must not become the current folder.
  if (option.kind === "folder" && text === "")
    return { wrong: `--${name} takes a folder; “.” is the current one.` };
  if (option.kind === "text" || option.kind === "folder") return { value: text };
  const number = text.trim() === "" ? Number.NaN : Number(text);
  const port = option.kind === "port";
  const least = port ? 0 : Number.MIN_VALUE;
  const most = port ? 65_535 : Number.MAX_SAFE_INTEGER;
  const isWholeNumber = option.kind === "number" || Number.isInteger(number);
  if (number >= least && number <= most && isWholeNumber) return { value: number };
  return {
    wrong: `--${name} takes a number${port ? " from 0 to 65535" : " above 0"}, not “${text}”.`,
  };
}

/** “a, b or c”. */
export function oneOf(names: readonly string[], or = "or"): string {
  return names.length < 2
    ? names.join("")
    : `${names.slice(0, -1).join(", ")} ${or} ${names.at(-1)!}`;
}
