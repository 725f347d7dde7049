import type { Options, Values } from "./option.ts";

type Wrong = { wrong: string };

/** What one command takes. The help, the completion of shells and the reading are all made from it. */
export interface CommandShape {
  name: string;
  /** The arguments after the name: `"PROMPT"`, `[DIR]`. */
  words?: string | undefined;
  /** One line of the list of commands. */
  summary: string;
  /** What else its own help says. */
  help?: string | undefined;
  options: Options;
  /** What its words are, where a shell may complete them; or the words. */
  completes?: "files" | "folders" | readonly string[] | undefined;
  read(values: Record<string, unknown>, words: string[]): object;
}

export interface TypedShape<Name extends string, O extends Options, Fields> extends Omit<
  CommandShape,
  "read"
> {
  name: Name;
  options: O;
  read(values: Values<O>, words: string[]): Fields | Wrong;
}

/** Gives the values of `read` the types that the options say. */
export const commandShape = <const Name extends string, const O extends Options, Fields>(
  shape: TypedShape<Name, O, Fields>,
): TypedShape<Name, O, Fields> => shape;

/** The command that a shape reads: its fields, and its name as `kind`. */
export type CommandOf<Shape> =
  Shape extends TypedShape<infer Name, Options, infer Fields>
    ? { kind: Name } & Exclude<Fields, Wrong>
    : never;

/** For a command that takes no further words. */
export const noWords = (name: string, words: string[]): Wrong | undefined =>
  words.length === 0
    ? undefined
    : { wrong: `“${name}” takes no further words, but got “${words[0]}”.` };
