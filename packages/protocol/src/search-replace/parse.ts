import type { Edit } from "../edits/types.ts";
import { DIVIDER, looksLikeMarker, REPLACE, SEARCH } from "./markers.ts";
import type {
  SearchReplaceLimits,
  SearchReplaceReader,
  SearchReplaceReaderOptions,
  SearchReplaceResult,
} from "./types.ts";

/** The limits of the SEARCH/REPLACE reader where none are given. */
export const SEARCH_REPLACE_LIMITS: SearchReplaceLimits = {
  // A block over this is a whole file, and would better be written as one.
  blockCharacters: 8_388_608,
};

/** A last line that the message was cut in. */
const CUT_REPLACE = /^(?:\+{3,}|>{3,})(?: R?E?P?L?A?C?)?$/;
/** Lines of a block that may divide it: which one does, the file tells. */
const DIVIDERS = 8;
/**
 * Some models are told to say where the lines stand, and say it of both halves, or without a line break behind the dashes;
 * the lines themselves are enough.
 */
const HINT = /^(?::(?:start|end)_line: ?\d+[ \t]*\n)+(?:-{3,}\n?)?/;

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
export function createSearchReplaceReader({
  onEdit,
  limits,
}: SearchReplaceReaderOptions): SearchReplaceReader {
  const { blockCharacters } = { ...SEARCH_REPLACE_LIMITS, ...limits };
  let line = "";
  /** Lines of the open block; undefined between blocks. */
  let block: string[] | undefined;
  let length = 0;
  let blocks = 0;
  let number = 0;
  let error: string | undefined;

  return {
    write(chunk) {
      let from = 0;
      for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", from)) {
        take(line + chunk.slice(from, end));
        line = "";
        from = end + 1;
      }
      line += chunk.slice(from);
      if (line.length > blockCharacters) {
        fail("a line is too long");
        line = "";
      }
    },
    end() {
      const cut = block?.some((one) => DIVIDER.test(one)) && CUT_REPLACE.test(line.trimEnd());
      if (line !== "" && !cut) take(line);
      line = "";
      if (block) close(block);
      if (blocks === 0) fail("there is no complete SEARCH block");
      return error === undefined ? { ok: true } : { ok: false, error };
    },
  };

  function take(written: string): void {
    number++;
    if (error !== undefined) return;
    const text = written.endsWith("\r") ? written.slice(0, -1) : written;
    if (SEARCH.test(text)) {
      if (block) fail("a SEARCH marker stands inside a block");
      else {
        block = [];
        length = 0;
      }
    } else if (REPLACE.test(text)) {
      if (block) close(block);
      else fail("a REPLACE marker has no SEARCH marker before it");
    } else if (block) {
      length += text.length + 1;
      if (length > blockCharacters) fail("a block is too long");
      else block.push(text);
    }
  }

  function close(lines: readonly string[]): void {
    block = undefined;
    let dividers = [...lines.keys()].filter((index) => DIVIDER.test(lines[index]!));
    // Content may underline a heading with "=": then the divider is one of the usual length.
    if (dividers.length > 1) dividers = dividers.filter((index) => lines[index] === "=======");
    if (dividers.length === 0 || dividers.length > DIVIDERS) {
      fail("a block needs one line of ======= between its search and its replacement");
      return;
    }
    blocks++;
    const [edit, ...or] = dividers.map((divider) => ({
      old: joinLines(lines.slice(0, divider)),
      new: joinLines(lines.slice(divider + 1)),
    }));
    onEdit(or.length > 0 ? { ...edit!, or } : edit!);
  }

  function fail(problem: string): void {
    error ??= `Line ${Math.max(1, number)}: ${problem}.`;
    block = undefined;
  }
}

function joinLines(lines: readonly string[]): string {
  let text = "";
  for (const line of lines)
    text += `${line.startsWith("\\") && looksLikeMarker(line.slice(1)) ? line.slice(1) : line}\n`;
  return text.replace(HINT, "");
}
