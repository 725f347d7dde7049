import { createProseScanner, THINKING } from "../prose/scanner.ts";
import { Input, readPieces } from "../text/input.ts";
import { readUntil } from "../text/read-until.ts";
import { endOfName } from "../text/match-name.ts";
import { skipWhite } from "../text/white.ts";
import { createCalls } from "./calls.ts";
import { createDoubt } from "./doubt.ts";
import { OPENING_LIMIT, TOOL_TAG_LIMITS } from "./limits.ts";
import { readTag, type Tag } from "./tags.ts";
import type { ToolTagParser, ToolTagParserOptions } from "./types.ts";

const UNKNOWN_END = ["/invoke", "/function_calls"];

/**
 * Creates an incremental parser of the tool-tag dialect, in both its spellings. Each character is
 * examined a limited number of times, whatever the chunk sizes. Never throws on any input.
 */
export function createToolTagParser(options: ToolTagParserOptions): ToolTagParser {
  const limits = { ...TOOL_TAG_LIMITS, ...options.limits };
  const input = new Input();
  const calls = createCalls(options, limits);
  /** Tags that begin something in prose. */
  const starts = [...calls.names, "invoke", "function_calls", "/function_calls", ...THINKING];
  const doubt = createDoubt(input, calls, limits.heldCharacters);
  const writeContent = (text: string) => calls.write(text);
  const prose = createProseScanner({ input, match: readTag, onText });
  /**
   * An opening tag and the white space after it: text, unless a parameter or the tool's end
   * follows.
   */
  let opening = "";

  /** Reads on; false if the rest has to wait for more. */
  let step = readProse;
  return {
    ...readPieces(input, () => step(), finish),
    where: () =>
      step === readProse
        ? prose.isPlain()
          ? "prose"
          : "code"
        : step === readParam
          ? "value"
          : "call",
    value: writeContent,
  };

  function onText(text: string): void {
    if (text !== "") options.onEvent({ type: "text", text });
  }

  function readProse(): boolean {
    const tag = prose.next(starts);
    if (tag === "more") return false;
    if (!tag) return true;
    if (!tag.name.endsWith("function_calls")) {
      step = calls.knows(tag) ? readOpened : readUnknown;
      opening = input.take(tag.end);
    } else input.at = tag.end;
    return true;
  }

  function readUnknown(): boolean {
    const tag = readUntil(input, readTag, UNKNOWN_END, () => {});
    if (tag === "more") return false;
    if (tag) {
      input.at = tag.end;
      step = readProse;
    }
    return true;
  }

  /**
   * Decides after an opening tag whether it opens a call: if prose only mentions the tool, no parameters, or tags
   * around those, follow.
   */
  function readOpened(): boolean {
    const { chunk } = input;
    const at = skipWhite(chunk, input.at);
    opening += input.take(at);
    if (at === chunk.length) return true;
    const tag = chunk.charCodeAt(at) === 60 ? readTag(chunk, at, calls.called.tags) : undefined;
    if (tag === "more") return false;
    if (tag && (tag.name === calls.called.close || calls.isParam(tag))) {
      calls.open();
      follow(tag);
      return true;
    }
    const end = !tag && opening.length < OPENING_LIMIT ? endOfUnknown(chunk, at) : 0;
    if (end > chunk.length) return false;
    if (end > 0) {
      opening += input.take(end);
    } else {
      step = readProse;
      onText(opening);
    }
    return true;
  }

  function readBetween(): boolean {
    const { chunk } = input;
    const less = chunk.indexOf("<", input.at);
    input.at = less === -1 ? chunk.length : less;
    if (less === -1) return true;
    const tag = readTag(chunk, less, calls.called.tags);
    if (tag === "more") return false;
    const end = tag ? 0 : endOfUnknown(chunk, less);
    if (end > chunk.length) return false;
    if (tag) follow(tag);
    else if (end > 0) {
      if (calls.called.close !== "/invoke") calls.unknown(chunk.slice(less + 1, end - 1));
      input.at = end;
    } else input.at = less + 1;
    return true;
  }

  /** Handles a tag that counts between parameters. */
  function follow(tag: Tag): void {
    const opens = calls.isParam(tag);
    const closes = tag.name === calls.called.close;
    // The tag of another tool is read again as prose.
    if (!opens && !closes && tag.name !== "parameter") return abandon();
    input.at = tag.end;
    step = readBetween;
    if (opens) {
      calls.openParam(tag);
      step = readParam;
    } else if (closes) closeTool(true);
  }

  function readParam(): boolean {
    const tag = readUntil(input, readTag, calls.paramClose, writeContent);
    if (tag === "more") return false;
    if (tag) {
      doubt.start(tag.end);
      step = readBehind;
    }
    return true;
  }

  function readBehind(): boolean {
    const tag = doubt.read();
    if (tag === "more") return false;
    if (tag === "content") step = readParam;
    else if (tag) {
      calls.closeParam(true);
      if (!doubt.isText) follow(tag);
      else if (tag.name === calls.called.close) {
        // Words between the parameters are ignored, and more may follow.
        input.giveBack(doubt.text, false);
        step = readBetween;
      } else {
        abandon();
        onText(doubt.text);
      }
    }
    return true;
  }

  function abandon(): void {
    calls.error("tool-not-closed", "A tool was not closed before the next one.");
    closeTool(false);
  }

  function closeTool(complete: boolean): void {
    calls.closeTool(complete);
    step = readProse;
  }

  function finish(): void {
    const { rest } = input;
    if (step === readProse) {
      prose.end();
      if (rest !== "") calls.tagCut();
      onText(rest);
    } else if (step === readParam) {
      calls.write(rest);
      calls.closeParam(false);
      closeTool(false);
    } else if (step === readBehind) {
      calls.closeParam(true);
      closeTool(false);
      if (doubt.isText) onText(doubt.text + rest);
    } else if (step !== readUnknown) {
      if (step === readOpened) calls.open();
      closeTool(false);
    }
  }
}

/**
 * The end of a bare tag at the `<` at `at`; 0 if there is none, more than the text's length if it
 * is incomplete.
 */
function endOfUnknown(text: string, at: number): number {
  const end = endOfName(text, at + 1);
  if (end === text.length) return end + 1;
  return end > at + 1 && text.charCodeAt(end) === 62 ? end + 1 : 0;
}
