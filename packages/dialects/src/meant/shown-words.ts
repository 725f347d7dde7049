import { MARKS } from "./marks.ts";

/**
 * Prose of a model for display: without the markup of calls, edits and files that were not
 * executed.
 */
export interface ShownWords {
  /** Takes a chunk; returns what can be shown of the text so far. */
  write(piece: string): string;
  /** Returns the held text. */
  end(): string;
}

const TAGS = MARKS.flatMap(({ tags, isCode }) => tags ? [{ name: new RegExp(`^(?:${tags.source})$`, "i"), isCode }] : []); // prettier-ignore
/**
 * Tags around the parts of a call, which are no marks by themselves and are not shown within one.
 */
const PARTS =
  /^(?:path|content|command|diff|args|file|search|replace|todos|regex|line_count|arg_key|arg_value|tool_sep|parameter|param|invoke|tool_name|name|arguments|parameters|input)$/;
const TAG = /^<(\/?)((?:[|｜]\w+[|｜]|[\w-]+:)?[\w-]+(?:=[\w-]*)?)(?:\s[^<>]*|\s*\/)?>/;
const TEMPLATE =
  /^(?:<[|｜][\w▁ ]{1,40}[|｜]>|\[\/?(?:TOOL_CALLS|TOOL_REQUEST|END_TOOL_REQUEST|tool_call)\])/;
/** An incomplete mark at the end of a chunk. */
const MAY_BE = /^(?:<[|｜]?[\w▁:/ =｜|-]{0,64}|<[\w:|｜-]{1,64}\s[^<>]{0,2000}|\[\/?[A-Za-z_]{0,20})$/; // prettier-ignore
/** Lines that only mark a patch or an edit. */
const LINE =
  /^(?:\*\*\* (?:Begin|End) Patch|(?:<{5,9}|-{5,9}) SEARCH>?|={5,9}|(?:>{5,9}|\+{5,9}) REPLACE>?)\s*$/;
const MAY_BE_LINE =
  /^(?:\*{1,3}|\*{3} (?:[A-Z][\w :./-]{0,200})?|(?:<{1,9}|-{1,9}) ?S?E?A?R?C?H?>?|={1,9}|(?:>{1,9}|\+{1,9}) ?R?E?P?L?A?C?E?>?)\s*$/;

const FENCE = "```\n";
/** Passes on the first pending characters, or a replacement for them. */
type Pass = (length: number, instead?: string) => void;

/**
 * Removes marks from a model's prose, outside of code. The text between the tags of a file is shown
 * as code.
 */
export function createShownWords(): ShownWords {
  let pending = "";
  let startsLine = true;
  /** The backticks or tildes of an open fence. */
  let fence = "";
  let isInline = false;
  /** The tag whose content is shown as code. */
  let open: string | undefined;
  let isMarked = false;

  const read = (isWhole: boolean): string => {
    let shown = "";
    const pass = (length: number, instead?: string) => {
      const text = pending.slice(0, length);
      pending = pending.slice(length);
      shown += instead ?? text;
      startsLine = (instead ?? text) === "" ? startsLine : (instead ?? text).endsWith("\n");
    };
    while (pending !== "") {
      const line = startsLine ? readLine(pass, isWhole) : "none";
      if (line === "wait") return shown;
      if (line === "taken") continue;
      const at = pending.search(fence === "" && !isInline ? /[\n`<[]/ : /[\n`]/);
      if (at !== 0) {
        pass(at === -1 ? pending.length : at);
        continue;
      }
      if (pending[0] === "\n") {
        isInline = false;
        pass(1);
      } else if (pending[0] === "`") {
        const [{ length }] = /^`+/.exec(pending)!;
        // More of the same run may follow; two parts would count as two runs.
        if (length === pending.length && !isWhole) return shown;
        if (fence === "") isInline = !isInline;
        pass(length);
      } else if (!readMark(pass, isWhole)) return shown;
    }
    return shown;
  };

  /** At the start of a line: handles fences, and drops lines that are marks. */
  const readLine = (pass: Pass, isWhole: boolean): "wait" | "taken" | "none" => {
    const end = pending.indexOf("\n");
    const line = end === -1 ? pending : pending.slice(0, end);
    const length = end === -1 ? pending.length : end + 1;
    const mayBe = /^ {0,12}[`~]{0,8}$/.test(line) || (fence === "" && MAY_BE_LINE.test(line));
    if (end === -1 && !isWhole && mayBe) return "wait";
    const [, marks] = /^ *(`{3,}|~{3,})/.exec(line) ?? [];
    if (marks !== undefined) {
      if (fence === "") fence = marks;
      else if (line.trim() === marks && marks.startsWith(fence)) fence = "";
      pass(length);
      return "taken";
    }
    if (fence !== "" || !LINE.test(line)) return "none";
    isMarked = true;
    pass(length, "");
    return "taken";
  };

  /**
   * Handles a possible mark at a `<` or a `[` outside of code.
   * @returns false to wait for more text
   */
  const readMark = (pass: Pass, isWhole: boolean): boolean => {
    const template = TEMPLATE.exec(pending);
    const [tag, slash = "", name = ""] = TAG.exec(pending) ?? [];
    if (template) pass(template[0].length, "");
    else if (tag === undefined) {
      if (!isWhole && MAY_BE.test(pending)) return false;
      pass(1);
    } else {
      const known = TAGS.find((one) => one.name.test(name));
      if (known) {
        isMarked = true;
        pass(tag.length, known.isCode ? around(slash, name, tag.endsWith("/>")) : "");
      } else pass(tag.length, isMarked && PARTS.test(name) ? "" : tag);
    }
    return true;
  };

  const around = (slash: string, name: string, closesItself: boolean): string => {
    if (closesItself) return "";
    if (slash === "" && open === undefined) {
      open = name;
      return `\n${FENCE}`;
    }
    if (slash === "" || open !== name) return "";
    open = undefined;
    return `\n${FENCE}`;
  };

  return {
    write(piece) {
      pending += piece;
      return read(false);
    },
    end() {
      const rest = read(true);
      const close = open === undefined ? "" : `\n${FENCE}`;
      open = undefined;
      return rest + close;
    },
  };
}
