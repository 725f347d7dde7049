import type { Edit } from "../edits/types.ts";

/** The blocks as edits, or a sentence that names the line of the error. */
export type SearchReplaceResult =
  | {
      ok: true;
      edits: Edit[];
      /** A divider stood in the place of an end mark. */ endGuessed?: true;
    }
  | { ok: false; error: string };

/** Options of `createSearchReplaceReader`. */
export interface SearchReplaceReaderOptions {
  /** Called for each block as soon as it is closed, in order. */
  onEdit: (edit: Edit) => void;
  limits?: Partial<SearchReplaceLimits>;
}

/** Limits on what is held of a text. */
export interface SearchReplaceLimits {
  /** Maximum length of one block, in characters. */
  blockCharacters: number;
}

/** Parses one text. Never throws. */
export interface SearchReplaceReader {
  /** Takes only new text, in chunks of any size. */
  write(chunk: string): void;
  /** The error in the text, if any; the blocks before it were output. */
  end(): { ok: true; endGuessed?: true } | { ok: false; error: string };
}
