import { sql, type Kysely } from "kysely";
import type { TextIndex, TextRow } from "../engine.ts";
import type { Schema } from "../schema.ts";

/** Number of letters in a piece of the index. */
const PIECE = 3;
/** Maximum number of pieces that are searched for a word that is shorter. */
const PIECES = 300;

/** SQLite's FTS5 with pieces of three letters; triggers keep it in step with `message_texts`. */
export function createTrigramIndex(db: Kysely<Schema>): TextIndex {
  return {
    columnsOf: () => ({}),
    async candidates(words, before, limit) {
      const match = await matchOf(db, words);
      if (match === undefined) return [];
      const { rows } = await sql<TextRow>`
        select message_texts.id as id, project, said, message_texts.text as text
        from message_search join message_texts on message_texts.id = message_search.rowid
        where message_search match ${match} and message_search.rowid < ${before}
        order by message_search.rowid desc limit ${limit}
      `.execute(db);
      return rows;
    },
  };
}

/** The words as a query of the index; undefined if no text can contain them. */
async function matchOf(db: Kysely<Schema>, words: readonly string[]): Promise<string | undefined> {
  const long = words.filter((word) => [...word].length >= PIECE);
  if (long.length > 0) return long.map(quoted).join(" AND ");
  const [longest = ""] = words.toSorted((a, b) => b.length - a.length);
  // One or two letters, which in Chinese or Japanese are a word: all pieces that begin with them are searched.
  const { rows } = await sql<{ term: string }>`
    select term from message_pieces
    where term >= ${longest} and term < ${`${longest}\u{10ffff}`} limit ${PIECES}
  `.execute(db);
  return rows.length === 0 ? undefined : rows.map(({ term }) => quoted(term)).join(" OR ");
}

const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;
