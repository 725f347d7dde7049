import type { Edit } from "../edits/types.ts";
import { DIVIDER, looksLikeMarker, REPLACE, SEARCH } from "./markers.ts";
import type {
  SearchReplaceLimits,
  SearchReplaceReader,
  SearchReplaceReaderOptions,
  SearchReplaceResult,
} from "./types.ts";

/** The default limits of the SEARCH/REPLACE reader. */
export const SEARCH_REPLACE_LIMITS: SearchReplaceLimits = {
  // A larger block would better be written as a complete file.
  blockCharacters: 8_388_608,
};

/** An incomplete last line of a cut message. */
const CUT_REPLACE = /^(?:\+{3,}|>{3,})(?: R?E?P?L?A?C?)?$/;
/** The usual divider. */
const DIVIDER_MARK = "=======";
/** Maximum number of lines that may divide a block; the file decides which one does. */
const DIVIDERS = 8;
/**
 * Some models are told to state line numbers, and do so in both halves, or without a line break
 * after the dashes. The number only decides between several matches.
 */
const HINT = /^(?::(?:start|end)_line: ?\d+[ \t]*\n)+(?:-{3,}\n?)?/;
const START_LINE = /^(?::end_line:.*\n)?:start_line: ?(\d{1,9})/;

/**
 * Parses SEARCH/REPLACE blocks with the usual markers (`------- SEARCH`, `<<<<<<< SEARCH`). Text
 * between the blocks is skipped. Only the last block may lack its end. The lines of an edit end in
 * line breaks.
 */
export function parseSearchReplace(text: string): SearchReplaceResult {
  const edits: Edit[] = [];
  const reader = createSearchReplaceReader({ onEdit: (edit) => edits.push(edit) });
  reader.write(text);
  const result = reader.end();
  return result.ok ? { ...result, edits } : result;
}

/** Like `parseSearchReplace`, block by block while the text streams. */
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
  let endGuessed = false;

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
      if (block) close(withoutLastDivider(block));
      if (blocks === 0) fail("there is no complete SEARCH block");
      if (error !== undefined) return { ok: false, error };
      return endGuessed ? { ok: true, endGuessed } : { ok: true };
    },
  };

  function take(written: string): void {
    number++;
    if (error !== undefined) return;
    const text = written.endsWith("\r") ? written.slice(0, -1) : written;
    if (SEARCH.test(text)) {
      const content = block && withoutLastDivider(block);
      if (content && content !== block) close(content);
      else if (block) return fail("a SEARCH marker stands inside a block");
      block = [];
      length = 0;
    } else if (REPLACE.test(text)) {
      if (block) close(block);
      else fail("a REPLACE marker has no SEARCH marker before it");
    } else if (block) {
      length += text.length + 1;
      if (length > blockCharacters) fail("a block is too long");
      else block.push(text);
    }
  }

  /** A second divider in place of the end mark ends the block. */
  function withoutLastDivider(lines: string[]): string[] {
    const last = lines.findLastIndex((one) => one.trim() !== "");
    const isEnd = last > 0 && lines[last] === DIVIDER_MARK && lines.indexOf(DIVIDER_MARK) < last;
    if (isEnd) endGuessed = true;
    return isEnd ? lines.slice(0, last) : lines;
  }

  function close(lines: readonly string[]): void {
    block = undefined;
    let dividers = [...lines.keys()].filter((index) => DIVIDER.test(lines[index]!));
    // Content may underline a heading with "=": the divider is then the one of the usual length.
    if (dividers.length > 1) dividers = dividers.filter((index) => lines[index] === DIVIDER_MARK);
    if (dividers.length === 0 || dividers.length > DIVIDERS) {
      fail("a block needs one line of ======= between its search and its replacement");
      return;
    }
    blocks++;
    const [edit, ...or] = dividers.map((divider): Edit => ({
      old: joinLines(lines.slice(0, divider)),
      new: joinLines(lines.slice(divider + 1)),
    }));
    if (lines[0]!.startsWith(":")) {
      const [, line] = START_LINE.exec(`${lines[0]}\n${lines[1]}`) ?? [];
      if (line !== undefined) edit!.line = Number(line);
    }
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
