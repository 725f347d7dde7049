import type { Options, Values } from "./option.ts";

type Wrong = { wrong: string };

/**
 * The arguments and options of a command, from which help, shell completion and parsing are
 * derived.
 */
export interface CommandShape {
  name: string;
  /** The arguments after the name: `"PROMPT"`, `[DIR]`. */
  words?: string | undefined;
  /** One line of the list of commands. */
  summary: string;
  /** Additional text of its own help. */
  help?: string | undefined;
  options: Options;
  /** How a shell completes its arguments: files, folders, or fixed words. */
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

/** Gives the values of `read` the types implied by the options. */
export const commandShape = <const Name extends string, const O extends Options, Fields>(
  shape: TypedShape<Name, O, Fields>,
): TypedShape<Name, O, Fields> => shape;

/** The parsed command of a shape: its fields, and its name as `kind`. */
export type CommandOf<Shape> =
  Shape extends TypedShape<infer Name, Options, infer Fields>
    ? { kind: Name } & Exclude<Fields, Wrong>
    : never;

/** Rejects arguments of a command that has none. */
export const noWords = (name: string, words: string[]): Wrong | undefined =>
  words.length === 0
    ? undefined
    : { wrong: `“${name}” takes no further words, but got “${words[0]}”.` };
