import { findStrayEnd, judgeStrayEnd, marksPart, mayBeStrayFrom, type Around, type StrayEnd } from "../prose/stray-end.ts"; // prettier-ignore
import { TOOL_TAG_LIMITS } from "./limits.ts";
import { createToolTagParser } from "./parse.ts";
import { mentionedCall, shownCall } from "./shown-call.ts";
import { plainName, spelledCall, spelledParam, type Spelled, toolsByName } from "./spelling.ts";
import type { ToolTagEvent, ToolTagParser, ToolTagParserOptions } from "./types.ts";
import { behindEnd } from "./value-end.ts";

const USUAL_PATHS = ["file_path", "filePath", "filename"];
/** Parameters written as the tag's content while the others are attributes. */
const BODIES = ["content", "command"];
/** Reasoning tags, besides those that the parser knows. */
const ASIDE = /^<(reasoning|thoughts?|reflection|scratchpad|antthinking|seed:think)>/i;
const MAY_BE_ASIDE = /^<[a-z:]{0,11}$/i;
const BLANK = /^[\s\u200b\u2060]*/;
const NOT_ASCII = /[^\t\n\r ]/g;
const COMMENT_LIMIT = 4_096;
/** Number of characters of a call that are compared with a call that begins in it. */
const SO_FAR_LIMIT = 1_024;
const CLOSING = /^<\/\s*((?:\w+:|[|｜]\w+[|｜])?[\w-]{1,64})\s*>/;
/** A closing tag without its `>`, at the end of its line. */
const CUT_CLOSING = /^<\/\s{0,32}((?:\w+:|[|｜]\w+[|｜])?[\w-]{1,64})[ \t]{0,32}\r?(?=\n\s*[^\s>])/;
/** A meaningless tag around several calls, in any spelling. */
const LIST = /^<(\/?)(\w+:|[|｜]\w+[|｜])?(?:function_calls?|tool_calls?|tool_uses?|invocations?|calls)\s{0,32}>/; // prettier-ignore
const MAY_BE_LIST = /^<\/?(?:\w+:?|[|｜]\w{0,64}[|｜]?)?[a-z_]{0,16}\s{0,32}$/;
const CALL_BEHIND = /^\s{0,400}<(?:\w+:|[|｜]\w+[|｜])?(\w{1,64})/;
/** A tag that only encloses parameters. */
const WRAPPER = /^<([A-Za-z_][\w-]{0,63})>\s*/;
/** An indented first line of a value on the line of its tag, with another line after it. */
const INDENTED = /^[ \t]+\S[^\n]*\n\s*(?!<\/)\S/;
const MAY_BE_INDENTED = /^[ \t]+(?:\S[^\n]*(?:\n\s*<?)?)?$/;
const OPENINGS = /<([A-Za-z_][\w:-]{0,63})/g;
const MAY_CLOSE = /^<(?:\/\s*(?:(?:\w+:|[|｜]\w{0,64}[|｜]?)[\w-]*\s*|[\w-]+\s*)?)?$/;
/** An incomplete tag at the end of a text in a value. */
const MAY_BE_END = /<(?:\/?\s{0,32}(?:\w{1,64}:|[|｜]\w{0,64}[|｜]?)?[\w-]{0,64}\s{0,32})?$/;

export interface LenientParser {
  write(text: string): void;
  end(): void;
  /** Whether the next text is read as prose, and nothing is held. */
  inProse(): boolean;
}

/**
 * Like `createToolTagParser`, for calls in other spellings: attributes as parameters, names in
 * another case, white space and prefixes in tags, a missing end of a parameter, complete calls
 * within a value.
 * @param inFence whether a closing fence after a call ends what is held of it
 */
export function createLenientToolTagParser(
  options: ToolTagParserOptions,
  inFence = false,
): LenientParser {
  const { heldCharacters } = { ...TOOL_TAG_LIMITS, ...options.limits };
  /** Whether a missing end of the open call was guessed, and whether the call restarts. */
  let endGuessed = false;
  let isRestart = false;
  let path = "";
  const parser: ToolTagParser = createToolTagParser({
    ...options,
    onEvent(event) {
      if (event.type === "tool-open") path = "";
      if (event.type === "param-close" && event.name === "path") path = event.value;
      if (event.type !== "tool-close") return options.onEvent(event);
      const reported: ToolTagEvent = { ...event };
      if (endGuessed) reported.endGuessed = true;
      if (isRestart && !event.complete) reported.isRestart = true;
      endGuessed = isRestart = false;
      return options.onEvent(reported);
    },
  });
  const aliases = options.aliases ?? {};
  const names = [...Object.keys(options.tools), ...Object.keys(aliases)];
  const tools = toolsByName(names);
  let pending = "";
  let startsLine = true;
  /** The end of a comment or of reasoning. */
  let aside: string | undefined;
  let call: Spelled | undefined;
  let param: Spelled | undefined;
  /** The beginning of the open call from its opening tag on, as long as it is short. */
  let soFar = "";
  /** The parameter that follows if no tag does. */
  let body: string | undefined;
  /** Number of nested tags of the open parameter in its value. */
  let depth = 0;
  /**
   * How far the pending text was searched, if it begins with a tag that only further text can
   * interpret.
   */
  let looked = 0;
  /** Names of tags opened in the value. */
  let opened = new Set<string>();
  /** A closing tag in the value that may be meant as its own. */
  let stray: StrayEnd | undefined;
  /** Whether its own closing tag was found, so that no other one is its end. */
  let isEnded = false;
  /** Whether the value has just begun. */
  let isFresh = false;
  /** Open tags around parameters, and closed ones. */
  let wrappers: string[] = [];
  let wrapped = new Set<string>();
  /**
   * Whether a tag around several calls was dropped, or a call has ended: the closing tag of such a list is dropped
   * then, too.
   */
  let isList = false;
  /** Whether the held text may be the tag of a list, after which prose continues. */
  let holdsList = false;
  /** Whether words follow the last parameter, so that its closing tag may have been content. */
  let hasWords = false;

  return {
    write(text) {
      pending += text;
      read(text, false);
    },
    end() {
      read("", true);
      parser.end();
    },
    inProse: () =>
      (pending === "" || holdsList) && aside === undefined && parser.where() === "prose",
  };

  function read(fresh: string, isWhole: boolean): void {
    while (pending !== "") {
      const where = parser.where();
      const goesOn = aside
        ? readAside(isWhole)
        : where === "value"
          ? readValue(fresh, isWhole)
          : where === "call"
            ? readCall(isWhole)
            : readProse(isWhole);
      if (!goesOn) return;
      // Text held after a tag was not searched as a value.
      if (where !== "value") fresh = pending;
    }
  }

  /** Passes on the first pending characters, as `instead` if given. */
  function give(length: number, instead?: string): true {
    const text = pending.slice(0, length);
    if (length > 0 && parser.where() === "value")
      for (const [, name] of text.matchAll(OPENINGS)) opened.add(name!);
    pending = pending.slice(length);
    looked = Math.max(0, looked - length);
    parser.write(instead ?? text);
    if (soFar.length <= SO_FAR_LIMIT) soFar += text;
    const line = text.slice(text.lastIndexOf("\n") + 1);
    startsLine = (startsLine || line.length < text.length) && line.trim() === "";
    return true;
  }

  /**
   * Passes on the text before the next tag.
   * @returns whether there was any
   */
  function giveUntilTag(): boolean {
    const less = pending.indexOf("<");
    return less !== 0 && give(less === -1 ? pending.length : less);
  }

  function emitText(length: number): true {
    const text = pending.slice(0, length);
    pending = pending.slice(length);
    startsLine = text.endsWith("\n");
    if (text !== "") options.onEvent({ type: "text", text });
    return true;
  }

  function readProse(isWhole: boolean): boolean {
    call = undefined;
    if (giveUntilTag()) return true;
    if (parser.where() === "code") return give(1);
    if (startsLine && ASIDE.test(pending)) {
      const [tag, name] = ASIDE.exec(pending)!;
      aside = `</${name!.toLowerCase()}>`;
      return emitText(tag.length);
    }
    if (pending.startsWith("<!--") || (!isWhole && "<!--".startsWith(pending))) {
      const end = pending.slice(0, COMMENT_LIMIT + 3).indexOf("-->", 4);
      if (end !== -1) return emitText(end + 3);
      return isWhole || pending.length > COMMENT_LIMIT ? give(4) : false;
    }
    if (!isWhole && startsLine && MAY_BE_ASIDE.test(pending)) return false;
    const list = readList(isWhole);
    holdsList = list === false;
    return list ?? readOpening(isWhole);
  }

  /** Drops a tag around several calls, and its end. Undefined if there is none. */
  function readList(isWhole: boolean): boolean | undefined {
    const [tag, slash, prefix] = LIST.exec(pending) ?? [];
    if (tag === undefined) return !isWhole && MAY_BE_LIST.test(pending) ? false : undefined;
    if (slash !== "") {
      if (!isList && prefix === undefined) return undefined;
    } else {
      const behind = pending.slice(tag.length);
      const [, name] = CALL_BEHIND.exec(behind) ?? [];
      if (!isWhole && (/^\s{0,400}$/.test(behind) || (name !== undefined && CALL_BEHIND.exec(behind)![0].length === behind.length))) return false; // prettier-ignore
      if (name === undefined || !(name === "invoke" || tools.has(name) || LIST.test(`<${name}>`))) return undefined; // prettier-ignore
      isList = true;
    }
    return give(tag.length, "");
  }

  function readOpening(isWhole: boolean): boolean {
    const spelled = spelledCall(pending, 0, startsLine, tools, paramsOf);
    if (spelled === "more") return isWhole && give(1);
    if (!spelled) return give(1);
    const shown = shownCall(pending, spelled.length, spelled.written);
    if (shown === "more" && !isWhole) return false;
    if (call === undefined && typeof shown === "number" && shown > 0) return emitText(shown);
    const mentioned =
      call || startsLine ? 0 : mentionedCall(pending, spelled.length, spelled.written);
    if (mentioned === "more" && !isWhole) return false;
    if (typeof mentioned === "number" && mentioned > 0) return emitText(mentioned);
    const again = call?.tool !== undefined && call.tool === spelled.tool && beginsAgain();
    if (again === "more" && !isWhole) return false;
    if (again === true) return give(spelled.length, "");
    call = spelled;
    isList = true;
    param = undefined;
    hasWords = false;
    wrappers = [];
    wrapped = new Set();
    soFar = "";
    const { closesItself, tool = "", given = [] } = spelled;
    const left = given.length > 0 && !closesItself ? paramsOf(tool) : [];
    body = BODIES.find((one) => left.includes(one) && !given.includes(one));
    return give(spelled.length, spelled.open + (closesItself ? spelled.close : ""));
  }

  /** Whether the open call restarts: an identical beginning, and nothing else, precedes. */
  function beginsAgain(): boolean | "more" {
    if (soFar.length > SO_FAR_LIMIT) return false;
    const texts = [soFar, pending.slice(0, SO_FAR_LIMIT * 2)];
    const [before, fresh] = texts.map((text) => text.replaceAll(/\s/g, ""));
    return fresh!.startsWith(before!) || (before!.startsWith(fresh!) && "more");
  }

  function readAside(isWhole: boolean): boolean {
    const end = pending.toLowerCase().indexOf(aside!);
    if (end === -1) {
      const less = isWhole ? -1 : pending.lastIndexOf("<");
      const to = less !== -1 && pending.length - less < aside!.length ? less : pending.length;
      return to > 0 && emitText(to);
    }
    const { length } = aside!;
    aside = undefined;
    return emitText(end + length);
  }

  function readCall(isWhole: boolean): boolean {
    if (body !== undefined) {
      const first = pending.search(/\S/);
      if (first === -1 && !isWhole && pending.length < COMMENT_LIMIT) return false;
      if (pending[first] !== "<") return openBody();
    } else if (pending[0] !== "<") {
      // Any white space may separate tags; before words it belongs to them.
      const { length } = BLANK.exec(pending)![0];
      if (length === pending.length && !isWhole && length < COMMENT_LIMIT) return false;
      if (pending[length] !== "<") {
        hasWords = true;
        return giveUntilTag();
      }
      return give(length, pending.slice(0, length).replace(NOT_ASCII, " "));
    }
    const at = pending.indexOf("<");
    const rest = pending.slice(at);
    const [tag, closed] = CLOSING.exec(rest) ?? CUT_CLOSING.exec(isWhole ? `${rest}\n.` : rest) ?? []; // prettier-ignore
    if (tag !== undefined) return readClosing(at, tag, closed!, isWhole);
    if (!isWhole && MAY_CLOSE.test(rest)) return false;
    const params = toolsByParam();
    const wrapper = readWrapper(at, params, isWhole);
    if (wrapper !== undefined) return wrapper;
    const spelled = call && spelledParam(pending, at, call.open.startsWith("<invoke"), params);
    if (spelled === "more") return isWhole && give(at + 1);
    if (!spelled) {
      if (body !== undefined) return openBody();
      return readOpening(isWhole);
    }
    body = undefined;
    param = spelled;
    const isDoubtful = hasWords;
    beginValue();
    give(at + spelled.length, pending.slice(0, at) + spelled.open);
    // After words no parameter begins: the one before may continue.
    hasWords = isDoubtful && parser.where() !== "value";
    return true;
  }

  function beginValue(): void {
    hasWords = false;
    depth = looked = 0;
    opened = new Set();
    stray = undefined;
    isEnded = false;
    isFresh = true;
  }

  /** Reads a closing tag between parameters: one of another name ends the call if no more of it follows. */
  function readClosing(at: number, tag: string, name: string, isWhole: boolean): boolean {
    body = undefined;
    const end = at + tag.length;
    const isCut = !tag.endsWith(">");
    const own = () => {
      if (isCut) endGuessed = true;
      return give(end, pending.slice(0, at) + call!.close);
    };
    if (!call || plainName(name) === plainName(call.written)) return call ? own() : give(end);
    if (name === param?.written) {
      // The earlier closing tag was content, and so were the words after it.
      hasWords = false;
      return give(end);
    }
    if (hasWords) return give(end);
    if (wrappers.includes(name)) {
      wrappers = wrappers.slice(0, wrappers.lastIndexOf(name));
      wrapped.add(name);
      return give(end, pending.slice(0, at));
    }
    const behind = pending.slice(end).trimStart();
    if (behind === "" && !isWhole) return false;
    const isTools = tools.has(plainName(name)) || tools.has(name) || NAMES.has(name);
    if (behind.startsWith("<")) {
      const [next] = /^<\/?[\w:|｜-]*/.exec(behind)!;
      if (!isWhole && next === behind) return false;
      const begins = next.slice(1);
      const params = toolsByParam();
      const isParam = begins === "parameter" || params.has(begins) || params.has(plainName(begins));
      const isCall = names.includes(begins) || NAMES.has(begins);
      const isOwn = plainName(begins) === `/${plainName(call.written)}`;
      // More of the call may follow, or its own closing tag.
      if (isParam || isOwn || (!isTools && !isCall)) return give(end, "");
    }
    endGuessed = true;
    return give(end, pending.slice(0, at) + call.close);
  }

  /**
   * Skips a tag around parameters. If one of the same name begins again after parameters, another
   * call of the tool begins. Undefined if there is none.
   */
  function readWrapper(
    at: number,
    params: ReadonlyMap<string, string>,
    isWhole: boolean,
  ): boolean | undefined {
    if (!call || hasWords || body !== undefined || call.open.startsWith("<invoke")) return undefined;
    const rest = pending.slice(at);
    const [tag, name = ""] = WRAPPER.exec(rest) ?? [];
    if (tag === undefined) return !isWhole && /^<[\w-]{0,64}$/.test(rest) ? false : undefined;
    if (params.has(name) || params.has(plainName(name)) || tools.has(name)) return undefined;
    if (tag.length === rest.length) return isWhole || tag.length > COMMENT_LIMIT ? undefined : false;
    if (rest[tag.length] !== "<" || rest.startsWith("</", tag.length)) return undefined;
    const isAgain = wrapped.delete(name);
    wrappers.push(name);
    return give(at + name.length + 2, pending.slice(0, at) + (isAgain ? call.close + call.open : ""));
  } // prettier-ignore

  /** Opens the parameter that is the tag's content. */
  function openBody(): true {
    param = { length: 0, written: "", open: `<${body!}>`, close: `</${body!}>` };
    body = undefined;
    beginValue();
    isFresh = false;
    return give(0, param.open);
  }

  /**
   * A first line on the line of its tag keeps its indentation if other lines follow.
   * @returns whether that is decided
   */
  function keepIndentation(isWhole: boolean): boolean {
    if (INDENTED.test(pending)) parser.write("\n");
    else if (!isWhole && pending.length < COMMENT_LIMIT && MAY_BE_INDENTED.test(pending)) return false; // prettier-ignore
    isFresh = false;
    return true;
  }

  function readValue(fresh: string, isWhole: boolean): boolean {
    if (isFresh && !keepIndentation(isWhole)) return false;
    const mayEnd = isWhole || fresh.includes(">") || fresh.includes("\n");
    if (looked > 0 && !mayEnd) return false;
    if (stray) return readStray(stray, isWhole);
    const found = call && param && mayEnd ? tagInValue() : undefined;
    const before = found ? pending.slice(0, found.index) : pending;
    if (mayEnd && !isEnded)
      stray = findStrayEnd(before, startsLine, isOpened, isWhole || found !== null);
    if (stray) {
      const { index } = stray;
      stray = { ...stray, index: 0, end: stray.end - index };
      return give(index);
    }
    if (!found) {
      const tail = isWhole ? -1 : pending.search(MAY_BE_END);
      const length = tail === -1 ? pending.length : tail;
      const to = isWhole || isEnded ? length : Math.min(length, mayBeStrayFrom(pending, startsLine)); // prettier-ignore
      return to !== 0 && give(to);
    }
    if (found.index > 0) return give(found.index);
    const [tag, slash, name] = found;
    const isParam = name === param!.written;
    if (slash === "") {
      if (isParam) depth++;
      const again = !isParam && restarts(pending.slice(tag.length));
      if (again === "more" && !isWhole) {
        looked = pending.length;
        return false;
      }
      looked = 0;
      if (again !== true) return give(tag.length);
      isRestart = true;
      return give(0, `${param!.close}\n`);
    }
    // Unchanged if the parser can read it, as it may still be content.
    const isPlain = tag.replace(/\s+>$/, ">") === param!.close;
    if (isParam && depth === 0) return give(tag.length, isPlain ? undefined : param!.close);
    const isLong = pending.length > heldCharacters;
    const behind =
      isLong && !isParam
        ? "content"
        : behindEnd(pending, {
            from: tag.length,
            looked,
            written: param!.written || call!.written,
            names,
            isWhole: isWhole || isLong,
            inFence: inFence && !isParam,
          });
    if (behind === "more") {
      looked = pending.length;
      return false;
    }
    if (behind === "end")
      return give(tag.length, isParam ? param!.close : param!.close + call!.close);
    if (isParam) depth--;
    parser.value(tag);
    return give(tag.length, "");
  }

  /** Whether a call of the same tool in a value restarts the open call: it has the same path. */
  function restarts(behind: string): boolean | "more" {
    const [tags, again] = /^\s*<path>([^<>]{0,400})<\/path>/.exec(behind) ?? [];
    if (tags !== undefined) return path !== "" && again!.trim() === path;
    return behind.length < SO_FAR_LIMIT && /^\s*(?:<(?:p(?:a(?:t(?:h(?:>[^<>]*(?:<\/?[path]*)?)?)?)?)?)?)?$/.test(behind) && "more"; // prettier-ignore
  }

  function isOpened(name: string, index: number): boolean {
    const own = [param?.written ?? "", call?.written ?? "", ...names].filter((one) => one !== "");
    if (!marksPart(name, own)) return true;
    return opened.has(name) || new RegExp(`<${name}[\\s>/]`).test(pending.slice(0, index));
  }

  /** Handles a closing tag that may be meant as the value's own. */
  function readStray({ end }: StrayEnd, isWhole: boolean): boolean {
    const isLong = pending.length > heldCharacters;
    const { written } = param!;
    const judged = isLong
      ? "content"
      : judgeStrayEnd(pending.slice(end), Math.max(0, looked - end), around(), isWhole);
    if (judged === "more") {
      looked = pending.length;
      return false;
    }
    stray = undefined;
    looked = 0;
    if (judged === "content") {
      isEnded = true;
      return give(end);
    }
    endGuessed = true;
    return give(end, param!.close + (judged === "all" || written === "" ? call!.close : ""));
  }

  function around(): Around {
    const own = escaped(param!.written || call!.written);
    const params = [...toolsByParam().keys()].join("|");
    const all = [...names, ...NAMES].join("|");
    return {
      own: new RegExp(`</\\s{0,32}${own}\\s{0,32}>`, "g"),
      ...(param!.written === "" ? {} : { outer: new RegExp(`</\\s{0,32}(?:${all}|${escaped(call!.written)})\\s{0,32}>`, "g") }),
      ...(params === "" ? {} : { sibling: new RegExp(`\\n[ \\t]{0,200}<(?:${params}|parameter\\s[^<>]{0,200})>`, "g") }),
      next: new RegExp(`\\n[ \\t]{0,200}<(?:${all})[\\s>]`, "g"),
    };
  } // prettier-ignore

  /** The next tag in a value that may count: of its parameter, or its tool's end. */
  function tagInValue(): RegExpExecArray | null {
    const written = [param!.written, call!.written].filter((name) => name !== "");
    return new RegExp(`<(/?)\\s{0,32}(${written.map(escaped).join("|")})\\s{0,32}>`).exec(pending);
  }

  function paramsOf(tool: string): readonly string[] {
    const alias = aliases[tool];
    const own = options.tools[alias?.tool ?? tool] ?? [];
    return [...own, ...Object.keys(alias?.params ?? {}), ...(own.includes("path") ? USUAL_PATHS : [])]; // prettier-ignore
  }

  /** Parameters of the open call's tool, in any case. */
  function toolsByParam(): ReadonlyMap<string, string> {
    const tool = call?.tool ?? /"(.*)"/.exec(call?.open ?? "")?.[1] ?? "";
    const params = paramsOf(tool);
    return new Map([...params.map((name) => [plainName(name), name] as const), ...params.map((name) => [name, name] as const)]); // prettier-ignore
  }
}

/** Tags of calls that belong to no tool. */
const NAMES = new Set(["invoke", "function_calls"]);

const escaped = (name: string) => name.replaceAll("|", "\\|");
