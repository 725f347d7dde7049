import { isWhite } from "../artifact/tags.ts";
import { ProseScanner } from "../prose/scanner.ts";
import { resolveParam, resolveTool } from "./aliases.ts";
import { TOOL_TAG_LIMITS } from "./limits.ts";
import { readTag, type Tag } from "./tags.ts";
import type {
  ToolAlias,
  ToolTagErrorCode,
  ToolTagEvent,
  ToolTagLimits,
  ToolTagParser,
  ToolTagParserOptions,
} from "./types.ts";
import { ParamValue } from "./value.ts";

/**
 * An incremental parser of the tool-tag dialect, in both its spellings. Each character is looked at a bounded number of
 * times, whatever the size of the pieces. No input makes it throw.
 */
export function createToolTagParser(options: ToolTagParserOptions): ToolTagParser {
  return new Parser(options);
}

type State = "prose" | "thinking" | "opened" | "between" | "param" | "after" | "unknown";

interface OpenTool {
  ordinal: number;
  alias: ToolAlias;
  /** Tags that count inside it: its parameters, its own end, and every tool that may begin. */
  tags: ReadonlySet<string>;
  close: string;
  params: Map<string, string>;
  /** A parameter was cut at the limit: the tool must not be run. */
  overflowed: boolean;
}

const WRAPPERS = ["invoke", "function_calls", "/function_calls"];
const UNKNOWN_END = new Set(["/invoke", "/function_calls"]);

class Parser implements ToolTagParser {
  readonly #tools: ReadonlyMap<string, readonly string[]>;
  readonly #aliases: ReadonlyMap<string, ToolAlias>;
  readonly #emit: (event: ToolTagEvent) => void;
  readonly #limits: ToolTagLimits;
  readonly #prose: ProseScanner;
  /** Tags that begin something in prose. */
  readonly #starts: ReadonlySet<string>;
  readonly #tagsOf = new Map<string, ReadonlySet<string>>();
  #state: State = "prose";
  #ended = false;
  #chunk = "";
  #at = 0;
  #held = "";
  #thinkEnd: ReadonlySet<string> = new Set();
  #count = 0;
  #tool: OpenTool | undefined;
  /** The opening tag and the white space behind it: text after all, unless a parameter or the tool's end follows. */
  #opening = "";
  #param: { name: string; close: ReadonlySet<string>; value: ParamValue } | undefined;
  /** The parameter's closing tag and what came behind it, while it is not clear whether it was content. */
  #doubt: string[] = [];
  #doubtLength = 0;
  #doubtTag = "";
  /** Something other than white space came behind the closing tag. */
  #doubtful = false;
  #lineBlank = false;

  constructor({ tools, aliases, onEvent, limits }: ToolTagParserOptions) {
    this.#tools = new Map(Object.entries(tools));
    this.#aliases = new Map(Object.entries(aliases ?? {}));
    this.#emit = onEvent;
    this.#limits = { ...TOOL_TAG_LIMITS, ...limits };
    this.#starts = new Set([...this.#tools.keys(), ...WRAPPERS, "think", "thinking"]);
    this.#prose = new ProseScanner({ onText: (text) => this.#emit({ type: "text", text }) });
  }

  write(chunk: string): void {
    if (this.#ended || chunk === "") return;
    this.#chunk = this.#held === "" ? chunk : this.#held + chunk;
    this.#held = "";
    this.#at = 0;
    this.#prose.begin(this.#chunk);
    while (this.#at < this.#chunk.length) {
      if (!this.#step()) break;
    }
    if (this.#at < this.#chunk.length) this.#held = this.#chunk.slice(this.#at);
    this.#prose.finish(this.#at);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const held = this.#held;
    this.#held = "";
    switch (this.#state) {
      case "prose":
        this.#prose.end();
        if (held !== "") this.#error("tag-cut", "The message ended inside a tag.");
        this.#text(held);
        break;
      case "thinking":
        this.#text(held);
        break;
      case "opened":
        this.#startTool();
        this.#closeTool(false);
        break;
      case "param":
        this.#param!.value.write(held);
        this.#closeParam(false);
        this.#closeTool(false);
        break;
      case "after": {
        const rest = this.#doubt.join("") + held;
        this.#closeParam(true);
        this.#closeTool(false);
        if (this.#doubtful) this.#text(rest);
        break;
      }
      case "between":
        this.#closeTool(false);
        break;
      case "unknown":
    }
  }

  #step(): boolean {
    switch (this.#state) {
      case "prose":
        return this.#readProse();
      case "thinking":
        return this.#readThinking();
      case "opened":
        return this.#readOpened();
      case "between":
        return this.#readBetween();
      case "param":
        return this.#readParam();
      case "after":
        return this.#readAfter();
      case "unknown":
        return this.#readUnknown();
    }
  }

  #readProse(): boolean {
    const less = this.#prose.read(this.#at);
    this.#at = less;
    if (less === this.#chunk.length) return true;
    const tag = readTag(this.#chunk, less, this.#starts);
    if (tag === "more") return false;
    if (!tag) {
      this.#prose.pass(less, less + 1);
      this.#at = less + 1;
    } else if (tag.name === "think" || tag.name === "thinking") {
      this.#thinkEnd = new Set([`/${tag.name}`]);
      this.#prose.pass(less, tag.end);
      this.#at = tag.end;
      this.#state = "thinking";
    } else if (tag.name.endsWith("function_calls")) this.#at = tag.end;
    else this.#openTool(tag);
    return true;
  }

  #readThinking(): boolean {
    const from = this.#at;
    const less = this.#chunk.indexOf("<", from);
    const tag = less === -1 ? undefined : readTag(this.#chunk, less, this.#thinkEnd);
    const to = less === -1 ? this.#chunk.length : tag === "more" ? less : tag ? tag.end : less + 1;
    this.#prose.pass(from, to);
    this.#at = to;
    if (tag === "more") return false;
    if (tag) this.#state = "prose";
    return true;
  }

  #openTool(tag: Tag): void {
    const isInvoke = tag.name === "invoke";
    const called = isInvoke ? (tag.attribute ?? "") : tag.name;
    const alias = resolveTool(called, this.#tools, this.#aliases);
    if (!alias) {
      this.#error("unknown-tool", `There is no tool ${JSON.stringify(called)}.`);
      this.#at = tag.end;
      this.#state = "unknown";
      return;
    }
    this.#opening = this.#chunk.slice(this.#at, tag.end);
    this.#at = tag.end;
    const close = isInvoke ? "/invoke" : `/${alias.tool}`;
    const tags = this.#tagsIn(isInvoke ? "invoke" : alias.tool);
    this.#tool = { ordinal: this.#count, alias, tags, close, params: new Map(), overflowed: false };
    this.#state = "opened";
  }

  #tagsIn(key: string): ReadonlySet<string> {
    let tags = this.#tagsOf.get(key);
    if (!tags) {
      const params = key === "invoke" ? ["parameter"] : (this.#tools.get(key) ?? []);
      tags = new Set([...this.#tools.keys(), "invoke", "/function_calls", `/${key}`, ...params]);
      this.#tagsOf.set(key, tags);
    }
    return tags;
  }

  /** Behind an opening tag: prose that only names the tool goes on with something else than its parameters. */
  #readOpened(): boolean {
    const from = this.#at;
    let at = from;
    while (at < this.#chunk.length && isWhite(this.#chunk.charCodeAt(at))) at++;
    this.#opening += this.#chunk.slice(from, at);
    this.#at = at;
    if (at === this.#chunk.length) return true;
    const tool = this.#tool!;
    const tag = this.#chunk.charCodeAt(at) === 60 ? readTag(this.#chunk, at, tool.tags) : undefined;
    if (tag === "more") return false;
    if (tag && (tag.name === tool.close || this.#isParam(tag))) {
      this.#startTool();
      return true;
    }
    this.#tool = undefined;
    this.#state = "prose";
    const text = this.#opening;
    this.#opening = "";
    this.#text(text);
    return true;
  }

  #startTool(): void {
    this.#count++;
    this.#opening = "";
    this.#state = "between";
    this.#emit({ type: "tool-open", tool: this.#tool!.ordinal, name: this.#tool!.alias.tool });
  }

  #isParam(tag: Tag): boolean {
    const { close, alias } = this.#tool!;
    if (close === "/invoke") return tag.name === "parameter" && tag.attribute !== undefined;
    return this.#tools.get(alias.tool)?.includes(tag.name) ?? false;
  }

  #readBetween(): boolean {
    const tool = this.#tool!;
    const less = this.#chunk.indexOf("<", this.#at);
    this.#at = less === -1 ? this.#chunk.length : less;
    if (less === -1) return true;
    const tag = readTag(this.#chunk, less, tool.tags);
    if (tag === "more") return false;
    if (!tag) this.#at = less + 1;
    else if (tag.name === tool.close) {
      this.#at = tag.end;
      this.#closeTool(true);
    } else if (this.#isParam(tag)) this.#openParam(tag);
    else if (tag.name === "parameter") this.#at = tag.end;
    // The tag is read again, as what it is in prose.
    else this.#abandonTool();
    return true;
  }

  #openParam(tag: Tag): void {
    const { ordinal, alias, close } = this.#tool!;
    const written = close === "/invoke" ? tag.attribute! : tag.name;
    const name = resolveParam(written, alias, this.#tools.get(alias.tool) ?? []);
    const value = new ParamValue(this.#limits.valueCharacters, (text) =>
      this.#emit({ type: "param-delta", tool: ordinal, name, text }),
    );
    this.#param = { name, close: new Set([`/${tag.name}`]), value };
    this.#at = tag.end;
    this.#state = "param";
    this.#emit({ type: "param-open", tool: ordinal, name });
  }

  #readParam(): boolean {
    const chunk = this.#chunk;
    const from = this.#at;
    const { close, value } = this.#param!;
    for (let less = chunk.indexOf("<", from); less !== -1; less = chunk.indexOf("<", less + 1)) {
      const next = chunk.charCodeAt(less + 1);
      if (next !== 47 && less + 1 < chunk.length) continue;
      const tag = readTag(chunk, less, close);
      if (!tag) continue;
      if (less > from) value.write(chunk.slice(from, less));
      this.#at = less;
      if (tag === "more") return false;
      this.#startDoubt(tag);
      return true;
    }
    value.write(from === 0 ? chunk : chunk.slice(from));
    this.#at = chunk.length;
    return true;
  }

  #startDoubt(tag: Tag): void {
    this.#doubtTag = this.#chunk.slice(this.#at, tag.end);
    this.#doubt = [];
    this.#doubtLength = 0;
    this.#doubtful = false;
    this.#lineBlank = false;
    this.#at = tag.end;
    this.#state = "after";
  }

  /**
   * Behind a parameter's closing tag. It was content, unless another parameter, the tool's end or another tool follows;
   * what comes in between is held until that is clear.
   */
  #readAfter(): boolean {
    const chunk = this.#chunk;
    const tool = this.#tool!;
    const param = this.#param!;
    const from = this.#at;
    for (let at = from; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (code === 60) {
        const own = this.#doubtful ? readTag(chunk, at, param.close) : undefined;
        const tag = own ?? readTag(chunk, at, tool.tags);
        if (tag === "more") return this.#holdDoubt(from, at, false);
        if (own) {
          // One more closing tag: the one before it was content.
          this.#holdDoubt(from, at, true);
          this.#releaseDoubt();
          this.#startDoubt(own as Tag);
          return true;
        }
        if (tag && this.#settlesDoubt(tag)) {
          this.#holdDoubt(from, at, true);
          this.#settleDoubt(tag);
          return true;
        }
      }
      if (code === 10) this.#lineBlank = true;
      else if (!isWhite(code)) {
        this.#doubtful = true;
        this.#lineBlank = false;
      }
    }
    this.#holdDoubt(from, chunk.length, true);
    if (this.#doubtLength > this.#limits.heldCharacters) this.#releaseDoubt();
    return true;
  }

  #holdDoubt(from: number, to: number, goesOn: boolean): boolean {
    if (to > from) {
      this.#doubt.push(this.#chunk.slice(from, to));
      this.#doubtLength += to - from;
    }
    this.#at = to;
    return goesOn;
  }

  #releaseDoubt(): void {
    this.#param!.value.write(this.#doubtTag + this.#doubt.join(""));
    this.#doubt = [];
    this.#state = "param";
  }

  #settlesDoubt(tag: Tag): boolean {
    if (!this.#doubtful || tag.name === this.#tool!.close) return true;
    return this.#lineBlank && !this.#isParam(tag) && tag.name !== "parameter";
  }

  #settleDoubt(tag: Tag): void {
    const tool = this.#tool!;
    const between = this.#doubt.join("");
    this.#closeParam(true);
    this.#state = "between";
    if (!this.#doubtful) return;
    if (tag.name === tool.close) {
      this.#error("param-not-closed", "Text stands between a parameter and its tool's end.");
      this.#at = tag.end;
      this.#closeTool(false);
    } else {
      this.#abandonTool();
      this.#text(between);
    }
  }

  #closeParam(complete: boolean): void {
    const { name, value } = this.#param!;
    const tool = this.#tool!;
    this.#param = undefined;
    this.#doubt = [];
    const whole = complete ? value.close() : value.cut();
    if (value.overflowed) {
      const limit = this.#limits.valueCharacters;
      this.#error("value-too-long", `A parameter is longer than ${limit} characters.`);
      tool.overflowed = true;
    }
    tool.params.set(name, whole);
    this.#emit({ type: "param-close", tool: tool.ordinal, name, value: whole });
  }

  #abandonTool(): void {
    this.#error("tool-not-closed", "A tool was not closed before the next one.");
    this.#closeTool(false);
  }

  #closeTool(complete: boolean): void {
    const { ordinal, alias, params, overflowed } = this.#tool!;
    const known = this.#tools.get(alias.tool) ?? [];
    if (complete) {
      for (const [name, value] of Object.entries(alias.defaults ?? {}))
        if (known.includes(name) && !params.has(name)) params.set(name, value);
    }
    this.#tool = undefined;
    this.#state = "prose";
    this.#emit({
      type: "tool-close",
      tool: ordinal,
      name: alias.tool,
      params: Object.fromEntries(params),
      complete: complete && !overflowed,
    });
  }

  #readUnknown(): boolean {
    const less = this.#chunk.indexOf("<", this.#at);
    this.#at = less === -1 ? this.#chunk.length : less;
    if (less === -1) return true;
    const tag = readTag(this.#chunk, less, UNKNOWN_END);
    if (tag === "more") return false;
    this.#at = tag ? tag.end : less + 1;
    if (tag) this.#state = "prose";
    return true;
  }

  #text(text: string): void {
    if (text !== "") this.#emit({ type: "text", text });
  }

  #error(code: ToolTagErrorCode, message: string): void {
    if (this.#tool && code !== "unknown-tool")
      this.#emit({ type: "error", code, message, tool: this.#tool.ordinal });
    else this.#emit({ type: "error", code, message });
  }
}
