import type { Edit } from "../edits/types.ts";
import type {
  SearchReplaceLimits,
  SearchReplaceReader,
  SearchReplaceReaderOptions,
  SearchReplaceResult,
} from "./types.ts";

export const SEARCH_REPLACE_LIMITS: SearchReplaceLimits = {
  // A block over this is a whole file, and would better be written as one.
  blockCharacters: 8_388_608,
};

/** At least three of one character, a blank, the word; some models close it with one more bracket. */
const SEARCH = /^(?:-{3,}|<{3,}) SEARCH>?[ \t]*$/;
const REPLACE = /^(?:\+{3,}|>{3,}) REPLACE>?[ \t]*$/;
const DIVIDER = /^={3,}$/;
/** A last line that the message was cut in. */
const CUT_REPLACE = /^(?:\+{3,}|>{3,})(?: R?E?P?L?A?C?)?$/;
const LINE_HINT = /^:(?:start|end)_line: ?\d+[ \t]*$/;
const HINT_END = /^-{3,}$/;
const ESCAPED = /^\\((?:-{3,}|<{3,}) SEARCH|={3,}$|(?:\+{3,}|>{3,}) REPLACE)/;

/**
 * Reads SEARCH/REPLACE blocks with the markers that models use (`------- SEARCH`, `<<<<<<< SEARCH`). Text between the
 * blocks is passed over. Only the last block may lack its end. The lines of an edit end in line breaks.
 */
export function parseSearchReplace(text: string): SearchReplaceResult {
  const edits: Edit[] = [];
  const reader = createSearchReplaceReader({ onEdit: (edit) => edits.push(edit) });
  reader.write(text);
  const result = reader.end();
  return result.ok ? { ok: true, edits } : result;
}

/** As `parseSearchReplace`, block by block while the text streams. */
export function createSearchReplaceReader(
  options: SearchReplaceReaderOptions,
): SearchReplaceReader {
  return new Reader(options);
}

class Reader implements SearchReplaceReader {
  readonly #onEdit: (edit: Edit) => void;
  readonly #limits: SearchReplaceLimits;
  #line = "";
  /** Lines of the open block; undefined between blocks. */
  #block: string[] | undefined;
  #blockLength = 0;
  #blocks = 0;
  #number = 0;
  #error: string | undefined;

  constructor({ onEdit, limits }: SearchReplaceReaderOptions) {
    this.#onEdit = onEdit;
    this.#limits = { ...SEARCH_REPLACE_LIMITS, ...limits };
  }

  write(chunk: string): void {
    let from = 0;
    for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", from)) {
      this.#take(this.#line + chunk.slice(from, end));
      this.#line = "";
      from = end + 1;
    }
    this.#line += chunk.slice(from);
    if (this.#line.length > this.#limits.blockCharacters) {
      this.#fail("a line is too long");
      this.#line = "";
    }
  }

  end(): { ok: true } | { ok: false; error: string } {
    const last = this.#line;
    this.#line = "";
    const cutMarker = this.#block?.some(isDivider) && CUT_REPLACE.test(last.trimEnd());
    if (last !== "" && !cutMarker) this.#take(last);
    if (this.#block) this.#close();
    if (this.#blocks === 0) this.#fail("there is no complete SEARCH block");
    return this.#error === undefined ? { ok: true } : { ok: false, error: this.#error };
  }

  #take(written: string): void {
    this.#number++;
    if (this.#error !== undefined) return;
    const line = written.endsWith("\r") ? written.slice(0, -1) : written;
    const isSearch = SEARCH.test(line);
    if (!this.#block) {
      if (isSearch) {
        this.#block = [];
        this.#blockLength = 0;
      } else if (REPLACE.test(line)) this.#fail("a REPLACE marker has no SEARCH marker before it");
      return;
    }
    if (isSearch) this.#fail("a SEARCH marker stands inside a block");
    else if (REPLACE.test(line)) this.#close();
    else {
      this.#blockLength += line.length + 1;
      if (this.#blockLength > this.#limits.blockCharacters) this.#fail("a block is too long");
      else this.#block.push(line);
    }
  }

  #close(): void {
    const lines = this.#block ?? [];
    this.#block = undefined;
    const dividers = lines.flatMap((line, index) => (isDivider(line) ? [index] : []));
    // Content may underline a heading with "=": then the divider is the one of the usual length.
    const usual = dividers.filter((index) => lines[index] === "=======");
    const divider = dividers.length === 1 ? dividers[0] : usual.length === 1 ? usual[0] : undefined;
    if (divider === undefined) {
      const what = dividers.length === 0 ? "no line of =======" : "more than one line of =======";
      this.#fail(`a block has ${what} between its search and its replacement`);
      return;
    }
    this.#blocks++;
    this.#onEdit({
      old: joinLines(withoutHints(lines.slice(0, divider))),
      new: joinLines(lines.slice(divider + 1)),
    });
  }

  #fail(problem: string): void {
    this.#error ??= `Line ${Math.max(1, this.#number)}: ${problem}.`;
    this.#block = undefined;
  }
}

function isDivider(line: string): boolean {
  return DIVIDER.test(line);
}

/** Some models are told to say where the lines stand; the lines themselves are enough. */
function withoutHints(lines: string[]): string[] {
  let from = 0;
  while (LINE_HINT.test(lines[from] ?? "")) from++;
  if (from > 0 && HINT_END.test(lines[from] ?? "")) from++;
  return lines.slice(from);
}

function joinLines(lines: string[]): string {
  return lines.map((line) => `${line.replace(ESCAPED, "$1")}\n`).join("");
}
