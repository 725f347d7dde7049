import type { TextIndex } from "../engine.ts";
import type { FoundMessage, SearchStore } from "../types.ts";
import { excerptOf } from "./excerpt.ts";

/**
 * Maximum number of the index's candidates that one search compares with its words, and how many of
 * them are in memory at once.
 */
const [LOOKED, PAGE] = [1_000, 50];

/** Searches messages, newest first. */
export function createSearchStore(index: TextIndex): SearchStore {
  return {
    async messages(text, limit) {
      // SQLite's index ends the query at a NUL character (A107).
      const terms = text.normalize("NFC").toLowerCase().replaceAll("\0", " ").split(/\s+/).filter(Boolean); // prettier-ignore
      if (terms.length === 0) return { found: [], more: false };
      const found: FoundMessage[] = [];
      let last = Number.MAX_SAFE_INTEGER;
      for (let looked = 0; looked < LOOKED; looked += PAGE) {
        const rows = await index.candidates(terms, last, PAGE);
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
