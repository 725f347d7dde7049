import type { MatchedStructure } from "./types.ts";

/** A table of the app's database. */
export interface NamedTable {
  /** With its schema, unless that is `public`. */
  name: string;
  columns: readonly string[];
}

/** Shorter words are ignored, such as `of` and `per`. */
const LEAST = 3;
/**
 * Length of the common beginning that makes two words related, such as `register` and
 * `registration`.
 */
const FAMILY = 5;

/**
 * Finds the tables for each thing that the database must contain, by table and column names only. A
 * model as a judge also reads rows and knows synonyms: where this finds a table the model nearly
 * always agrees, where this finds none it may not. A word in most of the task's structures says
 * little about one of them: it counts only if no other word is found.
 */
export function matchTables(
  structures: readonly string[],
  tables: readonly NamedTable[],
): MatchedStructure[] {
  const words = structures.map(wordsOf);
  const isCommon = (word: string) =>
    structures.length > 2 &&
    words.filter((others) => others.includes(word)).length > structures.length / 2;
  return structures.map((structure, index) => {
    const all = words[index]!;
    const own = all.filter((word) => !isCommon(word));
    const [found = []] = [tablesNamed(own), tablesNamed(all), tablesWith(own)].filter(
      (some) => some.length > 0,
    );
    return { structure, tables: found.map(({ name }) => name) };
  });

  function tablesNamed(words: readonly string[]) {
    return tables.filter(({ name }) => wordsOf(name).some((word) => hasFamily(words, word)));
  }

  /** A single column of such a name may belong to anything. */
  function tablesWith(words: readonly string[]) {
    return tables.filter(
      ({ columns }) =>
        columns.filter((column) => wordsOf(column).some((word) => hasFamily(words, word))).length >
        1,
    );
  }
}

/** The words of a name or a sentence, in lower case and without plural endings. */
function wordsOf(text: string): string[] {
  const words = text
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length >= LEAST);
  return [...new Set(words.map(singular))];
}

const singular = (word: string): string =>
  word
    .replace(/ies$/, "y")
    .replace(/(?<=[sxz]|ch|sh)es$/, "")
    .replace(/(?<=[^su])s$/, "");

const hasFamily = (words: readonly string[], word: string): boolean =>
  words.some(
    (other) =>
      other === word ||
      (Math.min(other.length, word.length) >= FAMILY &&
        other.slice(0, FAMILY) === word.slice(0, FAMILY)),
  );
