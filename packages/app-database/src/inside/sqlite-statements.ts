import type { DatabaseSync, StatementSync } from "node:sqlite";
import { splitSql, type Statement } from "./split-sql.ts";
import { SqlFailure } from "./types.ts";

/** One statement of a longer text. */
export interface Prepared extends Statement {
  statement: StatementSync;
  /** Whether no other statement follows. */
  isLast: boolean;
}

const LEADING = /^(?:[\s;]+|--[^\n]*(?:\n|$)|\/\*[^]*?(?:\*\/|$))+/;
/** Maximum number of occurrences of the word in SQLite's error that are checked. */
const MOST_PLACES = 200;

/**
 * Yields the statements of a text, each prepared after the previous ones have run. SQLite itself
 * determines where each ends: keywords are ambiguous, since a trigger's column may be called
 * `begin`, and an incomplete statement must never run.
 * @throws SqlFailure, from the iterator
 */
export function* prepareEach(database: DatabaseSync, text: string): Generator<Prepared> {
  let from = 0;
  let line = 1;
  let ends = endsOf(text);
  for (let next = 0; next < ends.length; next++) {
    const source = text.slice(from, ends[next]);
    const remarks = LEADING.exec(source)?.[0] ?? "";
    const stripped = { sql: source.slice(remarks.length), line: line + linesIn(remarks) };
    // SQLite would stop reading at a NUL.
    if (stripped.sql.startsWith("\0"))
      throw new SqlFailure("There is a NUL character in it: is it text in UTF-8?", stripped.line);
    let statement: StatementSync;
    try {
      statement = database.prepare(source);
    } catch (error) {
      if (stripped.sql === "" || (next + 1 < ends.length && goesOn(error as Error, source)))
        continue;
      throw new SqlFailure((error as Error).message, lineOf(database, error as Error, stripped));
    }
    const taken = statement.sourceSQL;
    const rest = text.slice(from + taken.length);
    yield {
      ...stripped,
      statement,
      isLast: (LEADING.exec(rest)?.[0] ?? "").length === rest.length,
    };
    from += taken.length;
    line += linesIn(taken);
    if (taken.length < source.length) {
      ends = endsOf(rest).map((end) => from + end);
      next = -1;
    }
  }
}

/** Possible ends of statements by their syntax, including the end of the text. */
const endsOf = (text: string): number[] => [
  ...splitSql(text, "sqlite").map(({ end }) => end),
  text.length,
];

/** Whether SQLite reports incomplete input: the text was cut inside a trigger or a name. */
function goesOn({ message }: Error, source: string): boolean {
  if (message === "incomplete input") return true;
  const token = /^unrecognized token: "([^]*)"$/.exec(message)?.[1];
  return token !== undefined && source.endsWith(token);
}

/**
 * The line of an error. SQLite names a word but no position: it is the first occurrence after which
 * a shortened text gives the same error instead of incomplete input.
 */
export function lineOf(
  database: DatabaseSync,
  { message }: Error,
  { sql, line }: Statement,
): number {
  const near = /^near "([^]*?)": syntax error$/.exec(message)?.[1];
  if (near === undefined || near === "") return line;
  let at = sql.indexOf(near);
  for (let tried = 0; at !== -1 && tried < MOST_PLACES; tried++) {
    try {
      database.prepare(sql.slice(0, at + near.length));
    } catch (error) {
      if ((error as Error).message === message) return line + linesIn(sql.slice(0, at));
    }
    at = sql.indexOf(near, at + 1);
  }
  return line;
}

const linesIn = (text: string) => text.split("\n").length - 1;
