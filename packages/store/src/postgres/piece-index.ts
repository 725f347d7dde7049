import { sql, type Kysely } from "kysely";
import type { TextIndex, TextRow } from "../engine.ts";
import type { Schema } from "../schema.ts";

/** Letters of a piece, as in SQLite's index: languages without spaces between words are found too. */
const PIECE = 3;
/** Maximum bytes of a text's pieces; PostgreSQL accepts 1 MB. A text with more is a candidate in every search. */
const MOST_BYTES = 1_000_000;
/** Maximum number of a word's pieces in a query: the texts found are compared with the whole word anyway. */
const ASKED = 64;

/**
 * PostgreSQL's full text search over pieces of three letters as its words. They are made here, as its own parsers know
 * no Chinese or Japanese, and `pg_trgm` knows only the letters of the database's locale and is not on every server.
 */
export function createPieceIndex(db: Kysely<Schema>): TextIndex {
  return {
    columnsOf(text) {
      const pieces = piecesOf(text);
      return { pieces: pieces ? sql`array_to_tsvector(${pieces}::text[])` : sql`null` };
    },
    async candidates(words, before, limit) {
      const { rows } = await sql<TextRow>`
        select id, project, said, text from message_texts
        where (pieces @@ ${queryOf(words)}::tsquery or pieces is null) and id < ${before}
        order by id desc limit ${limit}
      `.execute(db);
      return rows;
    },
  };
}

/** Every piece of a text, once each: up to three letters from each letter on, within a word. Undefined if too many. */
export function piecesOf(text: string): string[] | undefined {
  const pieces = new Set<string>();
  let bytes = 0;
  for (const word of text.toLowerCase().split(/\s+/)) {
    const letters = [...word];
    for (let from = 0; from < letters.length; from++) {
      const piece = letters.slice(from, from + PIECE).join("");
      if (pieces.has(piece)) continue;
      pieces.add(piece);
      bytes += Buffer.byteLength(piece);
      if (bytes > MOST_BYTES) return undefined;
    }
  }
  return [...pieces];
}

/** A query for texts with all of these words; a word that is shorter than a piece begins one. */
const queryOf = (words: readonly string[]): string =>
  words
    .flatMap((word) => {
      const letters = [...word];
      if (letters.length < PIECE) return [`${quoted(word)}:*`];
      const last = Math.min(letters.length - PIECE, ASKED);
      return Array.from({ length: last + 1 }, (_, from) =>
        quoted(letters.slice(from, from + PIECE).join("")),
      );
    })
    .join(" & ");

const quoted = (piece: string) => `'${piece.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
