import type { DatabaseSync, StatementSync } from "node:sqlite";
import { splitSql, type Statement } from "./split-sql.ts";
import { SqlFailure } from "./types.ts";

/** One statement of a longer text. */
export interface Prepared extends Statement {
  statement: StatementSync;
  /** Nothing that is run stands behind it. */
  isLast: boolean;
}

const LEADING = /^(?:[\s;]+|--[^\n]*(?:\n|$)|\/\*[^]*?(?:\*\/|$))+/;
/** Words like the one that SQLite names are looked at, the first ones. */
const MOST_PLACES = 200;

/**
 * The statements of a text, each prepared once those before it were run. SQLite itself says where each ends: words alone do not
 * tell, since a column of a trigger may be called `begin`, and what is taken for a part of a statement is never run.
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
    // SQLite reads no further.
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

/** Where statements may end, by their words; the end of the text among them. */
const endsOf = (text: string): number[] => [
  ...splitSql(text, "sqlite").map(({ end }) => end),
  text.length,
];

/** Whether SQLite wants more than it was given: it was cut in the midst of a trigger, or of a name. */
function goesOn({ message }: Error, source: string): boolean {
  if (message === "incomplete input") return true;
  const token = /^unrecognized token: "([^]*)"$/.exec(message)?.[1];
  return token !== undefined && source.endsWith(token);
}

/**
 * The line that SQL is refused at. SQLite names a word and no place: the one it means is the first after which it says the
 * same of a text that ends there, and not that there is more to come.
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
