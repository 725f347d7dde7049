import type { Edit } from "../edits/types.ts";

/** The blocks as edits, or one plain sentence that names the line where a block is wrong. */
export type SearchReplaceResult =
  | {
      ok: true;
      edits: Edit[];
      /** A divider stood in the place of an end mark. */ endGuessed?: true;
    }
  | { ok: false; error: string };

/** What `createSearchReplaceReader` takes. */
export interface SearchReplaceReaderOptions {
  /** Called for each block as soon as it is closed, in order. */
  onEdit: (edit: Edit) => void;
  limits?: Partial<SearchReplaceLimits>;
}

/** What is held of a text at most. */
export interface SearchReplaceLimits {
  /** Characters of one block. */
  blockCharacters: number;
}

/** Reads one text. Never throws. */
export interface SearchReplaceReader {
  /** Takes only what is new, in pieces of any size. */
  write(chunk: string): void;
  /** What is wrong with the text, if anything; the blocks before it were given out. */
  end(): { ok: true; endGuessed?: true } | { ok: false; error: string };
}
