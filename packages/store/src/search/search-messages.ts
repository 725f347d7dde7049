import { sql, type Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import type { FoundMessage, SearchStore } from "../types.ts";
import { excerptOf } from "./excerpt.ts";

/** Letters that the index holds together. */
const PIECE = 3;
/** Pieces that begin with a word that is shorter. */
const PIECES = 300;
/** Messages that are looked through for what the index does not tell, and how many of them are held at once. */
const [LOOKED, PAGE] = [1_000, 50];

interface Row {
  id: number;
  project: string;
  said: string | null;
  text: string;
}

/** Searches messages, newest first. */
export function createSearchStore(db: Kysely<Schema>): SearchStore {
  return {
    async messages(text, limit) {
      // SQLite's index ends the query at a NUL character (A107).
      const terms = text.normalize("NFC").toLowerCase().replaceAll("\0", " ").split(/\s+/).filter(Boolean); // prettier-ignore
      const match = await matchOf(db, terms);
      if (match === undefined) return { found: [], more: false };
      const found: FoundMessage[] = [];
      let last = Number.MAX_SAFE_INTEGER;
      for (let looked = 0; looked < LOOKED; looked += PAGE) {
        const { rows } = await sql<Row>`
          select message_texts.id as id, project, said, message_texts.text as text
          from message_search join message_texts on message_texts.id = message_search.rowid
          where message_search match ${match} and message_search.rowid < ${last}
          order by message_search.rowid desc limit ${PAGE}
        `.execute(db);
        for (const { id, project, said: ownText, text: fullText } of rows) {
          last = id;
          const folded = fullText.toLowerCase();
          if (!terms.every((word) => folded.includes(word))) continue;
          if (found.length === limit) return { found, more: true };
          found.push({ project, message: ownText ?? "", ...excerptOf(fullText, terms) });
        }
        if (rows.length < PAGE) return { found, more: false };
      }
      return { found, more: true };
    },
  };
}

/** The words in the index's own language; undefined where nothing can hold them. */
async function matchOf(db: Kysely<Schema>, terms: readonly string[]): Promise<string | undefined> {
  const long = terms.filter((word) => [...word].length >= PIECE);
  if (long.length > 0) return long.map(quoted).join(" AND ");
  const [longest] = terms.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return undefined;
  // One or two letters, which in Chinese or Japanese are a word: the pieces that begin so.
  const { rows } = await sql<{ term: string }>`
    select term from message_pieces
    where term >= ${longest} and term < ${`${longest}\u{10ffff}`} limit ${PIECES}
  `.execute(db);
  return rows.length === 0 ? undefined : rows.map(({ term }) => quoted(term)).join(" OR ");
}

const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;
