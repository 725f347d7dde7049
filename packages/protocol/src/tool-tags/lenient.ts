import { TOOL_TAG_LIMITS } from "./limits.ts";
import { createToolTagParser } from "./parse.ts";
import { mentionedCall, shownCall } from "./shown-call.ts";
import { plainName, spelledCall, spelledParam, type Spelled, toolsByName } from "./spelling.ts";
import type { ToolTagParser, ToolTagParserOptions } from "./types.ts";
import { behindEnd } from "./value-end.ts";

const USUAL_PATHS = ["file_path", "filePath", "filename"];
/** The parameter that stands between a tool's tags where the others are attributes. */
const BODIES = ["content", "command"];
/** Tags around what is only thought, besides those that the parser knows. */
const ASIDE = /^<(reasoning|thoughts?|reflection|scratchpad|antthinking|seed:think)>/i;
const MAY_BE_ASIDE = /^<[a-z:]{0,11}$/i;
const BLANK = /^[\s\u200b\u2060]*/;
const NOT_ASCII = /[^\t\n\r ]/g;
const COMMENT_LIMIT = 4_096;
/** Characters of a call that are compared with those of the one that begins in it. */
const SO_FAR_LIMIT = 1_024;
const CLOSING = /^<\/\s*((?:\w+:|[|｜]\w+[|｜])?[\w-]{1,64})\s*>/;
const MAY_CLOSE = /^<(?:\/\s*(?:(?:\w+:|[|｜]\w{0,64}[|｜]?)[\w-]*\s*|[\w-]+\s*)?)?$/;
/** The end of a text in a value that may become a tag. */
const MAY_BE_END = /<(?:\/?\s{0,32}(?:\w{1,64}:|[|｜]\w{0,64}[|｜]?)?[\w-]{0,64}\s{0,32})?$/;

export interface LenientParser {
  write(text: string): void;
  end(): void;
  /** Whether what comes next is read as prose, and nothing is held. */
  inProse(): boolean;
}

/**
 * As `createToolTagParser`, for calls whose tags are written otherwise: attributes as parameters, names in other letters,
 * white space and prefixes in tags, a parameter's end that is left out, a value with whole calls in it.
 * @param inFence a closing fence behind a call ends what is held of it
 */
export function createLenientToolTagParser(
  options: ToolTagParserOptions,
  inFence = false,
): LenientParser {
  const { heldCharacters } = { ...TOOL_TAG_LIMITS, ...options.limits };
  const parser: ToolTagParser = createToolTagParser(options);
  const aliases = options.aliases ?? {};
  const names = [...Object.keys(options.tools), ...Object.keys(aliases)];
  const tools = toolsByName(names);
  let pending = "";
  let startsLine = true;
  /** The end of what is only shown: a comment, or thoughts. */
  let aside: string | undefined;
  let call: Spelled | undefined;
  let param: Spelled | undefined;
  /** What stands of the open call, from its opening tag on, as far as that is short. */
  let soFar = "";
  /** The parameter that comes next if no tag does. */
  let body: string | undefined;
  /** How many tags of the open parameter were opened in its value. */
  let depth = 0;
  /**
   * How far what is pending was looked through, where it begins with a tag of which only what follows tells whether the call
   * ends there.
   */
  let looked = 0;

  return {
    write(text) {
      pending += text;
      read(text, false);
    },
    end() {
      read("", true);
      parser.end();
    },
    inProse: () => pending === "" && aside === undefined && parser.where() === "prose",
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
      // What was held behind a tag was not looked through as a value.
      if (where !== "value") fresh = pending;
    }
  }

  /** Passes on the first characters of what is pending, as `instead` where that is given. */
  function give(length: number, instead?: string): true {
    const text = pending.slice(0, length);
    pending = pending.slice(length);
    looked = Math.max(0, looked - length);
    parser.write(instead ?? text);
    if (soFar.length <= SO_FAR_LIMIT) soFar += text;
    const line = text.slice(text.lastIndexOf("\n") + 1);
    startsLine = (startsLine || line.length < text.length) && line.trim() === "";
    return true;
  }

  /** Passes on what stands before the next tag. @returns whether there was something */
  function giveUntilTag(): boolean {
    const less = pending.indexOf("<");
    return less !== 0 && give(less === -1 ? pending.length : less);
  }

  function say(length: number): true {
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
      return say(tag.length);
    }
    if (pending.startsWith("<!--") || (!isWhole && "<!--".startsWith(pending))) {
      const end = pending.slice(0, COMMENT_LIMIT + 3).indexOf("-->", 4);
      if (end !== -1) return say(end + 3);
      return isWhole || pending.length > COMMENT_LIMIT ? give(4) : false;
    }
    if (!isWhole && startsLine && MAY_BE_ASIDE.test(pending)) return false;
    return readOpening(isWhole);
  }

  function readOpening(isWhole: boolean): boolean {
    const spelled = spelledCall(pending, 0, startsLine, tools, paramsOf);
    if (spelled === "more") return isWhole && give(1);
    if (!spelled) return give(1);
    const shown = shownCall(pending, spelled.length, spelled.written);
    if (shown === "more" && !isWhole) return false;
    if (call === undefined && typeof shown === "number" && shown > 0) return say(shown);
    const mentioned =
      call || startsLine ? 0 : mentionedCall(pending, spelled.length, spelled.written);
    if (mentioned === "more" && !isWhole) return false;
    if (typeof mentioned === "number" && mentioned > 0) return say(mentioned);
    const again = call?.tool !== undefined && call.tool === spelled.tool && beginsAgain();
    if (again === "more" && !isWhole) return false;
    if (again === true) return give(spelled.length, "");
    call = spelled;
    soFar = "";
    const { closesItself, tool = "", given = [] } = spelled;
    const left = given.length > 0 && !closesItself ? paramsOf(tool) : [];
    body = BODIES.find((one) => left.includes(one) && !given.includes(one));
    return give(spelled.length, spelled.open + (closesItself ? spelled.close : ""));
  }

  /** Whether the open call is begun once more: the same stands in front of it, and nothing else. */
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
      return to > 0 && say(to);
    }
    const { length } = aside!;
    aside = undefined;
    return say(end + length);
  }

  function readCall(isWhole: boolean): boolean {
    if (body !== undefined) {
      const first = pending.search(/\S/);
      if (first === -1 && !isWhole && pending.length < COMMENT_LIMIT) return false;
      if (pending[first] !== "<") return openBody();
    } else if (pending[0] !== "<") {
      // Blanks of every kind may stand between tags; before words they are those words'.
      const { length } = BLANK.exec(pending)![0];
      if (length === pending.length && !isWhole && length < COMMENT_LIMIT) return false;
      if (pending[length] !== "<") return giveUntilTag();
      return give(length, pending.slice(0, length).replace(NOT_ASCII, " "));
    }
    const at = pending.indexOf("<");
    const rest = pending.slice(at);
    const [tag, closed] = CLOSING.exec(rest) ?? [];
    if (tag !== undefined) {
      body = undefined;
      const isEnd = plainName(closed!) === plainName(call?.written ?? "");
      return give(at + tag.length, isEnd ? pending.slice(0, at) + call!.close : undefined);
    }
    if (!isWhole && MAY_CLOSE.test(rest)) return false;
    const params = toolsByParam();
    const spelled = call && spelledParam(pending, at, call.open.startsWith("<invoke"), params);
    if (spelled === "more") return isWhole && give(at + 1);
    if (!spelled) {
      if (body !== undefined) return openBody();
      return readOpening(isWhole);
    }
    body = undefined;
    param = spelled;
    depth = looked = 0;
    return give(at + spelled.length, pending.slice(0, at) + spelled.open);
  }

  /** What stands between the tags is the parameter itself. */
  function openBody(): true {
    param = { length: 0, written: "", open: `<${body!}>`, close: `</${body!}>` };
    body = undefined;
    depth = looked = 0;
    return give(0, param.open);
  }

  function readValue(fresh: string, isWhole: boolean): boolean {
    const mayEnd = isWhole || fresh.includes(">") || (inFence && fresh.includes("\n"));
    if (looked > 0 && !mayEnd) return false;
    const found = call && param && mayEnd ? tagInValue() : undefined;
    if (!found) {
      const tail = isWhole ? -1 : pending.search(MAY_BE_END);
      return tail !== 0 && give(tail === -1 ? pending.length : tail);
    }
    if (found.index > 0) return give(found.index);
    const [tag, slash, name] = found;
    const isParam = name === param!.written;
    if (slash === "") {
      if (isParam) depth++;
      return give(tag.length);
    }
    // As it is written where it can be read so: it may be content yet.
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

  /** Parameters of the open call's tool, in any letters. */
  function toolsByParam(): ReadonlyMap<string, string> {
    const tool = call?.tool ?? /"(.*)"/.exec(call?.open ?? "")?.[1] ?? "";
    const params = paramsOf(tool);
    return new Map([...params.map((name) => [plainName(name), name] as const), ...params.map((name) => [name, name] as const)]); // prettier-ignore
  }
}

const escaped = (name: string) => name.replaceAll("|", "\\|");
