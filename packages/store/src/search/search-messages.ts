import { sql, type Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import type { FoundMessage, SearchStore } from "../types.ts";
import { excerptOf } from "./excerpt.ts";

/** Letters that the index holds together. */
const PIECE = 3;
/** Pieces that begin with a word that is shorter. */
const PIECES = 300;
/** Messages that are looked through for what the index does not tell. */
const LOOKED = 1_000;

/** Finds what was said, the newest first. */
export function createSearchStore(db: Kysely<Schema>): SearchStore {
  return {
    async messages(text, limit) {
      const wanted = text.normalize("NFC").toLowerCase().split(/\s+/).filter(Boolean);
      const match = await matchOf(db, wanted);
      if (match === undefined) return { found: [], more: false };
      const { rows } = await sql<{ project: string; said: string | null; text: string }>`
        select project, said, message_texts.text as text
        from message_search join message_texts on message_texts.id = message_search.rowid
        where message_search match ${match}
        order by message_search.rowid desc limit ${LOOKED}
      `.execute(db);
      const found: FoundMessage[] = [];
      for (const { project, said, text: whole } of rows) {
        const folded = whole.toLowerCase();
        if (!wanted.every((word) => folded.includes(word))) continue;
        if (found.length === limit) return { found, more: true };
        found.push({ project, message: said ?? "", ...excerptOf(whole, wanted) });
      }
      return { found, more: rows.length === LOOKED };
    },
  };
}

/** The words in the index's own language; undefined where nothing can hold them. */
async function matchOf(db: Kysely<Schema>, wanted: readonly string[]): Promise<string | undefined> {
  const long = wanted.filter((word) => [...word].length >= PIECE);
  if (long.length > 0) return long.map(quoted).join(" AND ");
  const [longest] = wanted.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return undefined;
  // One or two letters, which in Chinese or Japanese are a word: the pieces that begin so.
  const { rows } = await sql<{ term: string }>`
    select term from message_pieces
    where term >= ${longest} and term < ${`${longest}\u{10ffff}`} limit ${PIECES}
  `.execute(db);
  return rows.length === 0 ? undefined : rows.map(({ term }) => quoted(term)).join(" OR ");
}

const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;
