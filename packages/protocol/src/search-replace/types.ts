import type { Edit } from "../edits/types.ts";

export type SearchReplaceResult = { ok: true; edits: Edit[] } | { ok: false; error: string };

export interface SearchReplaceReaderOptions {
  /** Called for each block as soon as it is closed, in order. */
  onEdit: (edit: Edit) => void;
  limits?: Partial<SearchReplaceLimits>;
}

export interface SearchReplaceLimits {
  /** Characters of one block. */
  blockCharacters: number;
}

export interface SearchReplaceReader {
  /** Takes only what is new, in pieces of any size. */
  write(chunk: string): void;
  /** What is wrong with the text, if anything; the blocks before it were given out. */
  end(): { ok: true } | { ok: false; error: string };
}
