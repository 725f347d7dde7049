import { isLeftOut } from "../prose/example.ts";
import { Content } from "../text/content.ts";
import { resolveParam, resolveTool, withUsualParams } from "./aliases.ts";
import type { Tag } from "./tags.ts";
import type {
  ToolAlias,
  ToolTagErrorCode,
  ToolTagEvent,
  ToolTagLimits,
  ToolTagParserOptions,
} from "./types.ts";

/** A tool as a tag calls it. */
interface Called {
  alias: ToolAlias;
  /** Its parameters, as it knows them. */
  known: readonly string[];
  /** Tags that count inside it: its parameters, its own end, and every tool that may begin. */
  tags: readonly string[];
  close: string;
}

/** Unknown parameters that are told of a message. */
const TOLD_LIMIT = 64;

/** Turns what the parser finds into events that balance, and keeps the tool that is open. */
export class Calls {
  /** The tool that is open, or will be when it is clear that the tag calls it. */
  called: Called = { alias: { tool: "" }, known: [], tags: [], close: "" };
  /** The closing tag of the parameter that is open. */
  paramClose: readonly string[] = [];
  #tool = -1;
  #params: Record<string, string> = {};
  #param = "";
  /** A parameter was cut at the limit: the tool must not be run. */
  #overflowed = false;
  /** Tags that call a tool. */
  readonly names: readonly string[];
  /** What was told of tags that are no parameters. */
  readonly #told = new Set<string>();
  readonly #tools: ReadonlyMap<string, readonly string[]>;
  readonly #aliases: ReadonlyMap<string, ToolAlias>;
  /** By the tag's name and its attribute; only of tools that there are, so that it stays small. */
  readonly #calledBy = new Map<string, Called>();
  readonly #closeOf = new Map<string, readonly string[]>();
  readonly #content: Content;
  readonly #limit: number;
  readonly #emit: (event: ToolTagEvent) => void;

  constructor({ tools, aliases, onEvent }: ToolTagParserOptions, limits: ToolTagLimits) {
    this.#tools = new Map(Object.entries(tools));
    this.#aliases = new Map(Object.entries(aliases ?? {}));
    this.names = [
      ...this.#tools.keys(),
      ...[...this.#aliases].flatMap(([name, { tool }]) => (this.#tools.has(tool) ? [name] : [])),
    ];
    this.#emit = onEvent;
    this.#limit = limits.valueCharacters;
    this.#content = new Content(this.#limit, (text) =>
      onEvent({ type: "param-delta", tool: this.#tool, name: this.#param, text }),
    );
  }

  /** Whether the tag calls a tool; it is told by `open`, once it is clear that it does. */
  knows({ name, attribute }: Tag): boolean {
    const isInvoke = name === "invoke";
    const wanted = isInvoke ? (attribute ?? "") : name;
    const key = isInvoke ? `invoke ${wanted}` : name;
    let called = this.#calledBy.get(key);
    if (!called) {
      let alias = resolveTool(wanted, this.#tools, this.#aliases);
      if (!alias) {
        this.#error("unknown-tool", `There is no tool ${JSON.stringify(wanted)}.`);
        return false;
      }
      const own = this.#tools.get(alias.tool) ?? [];
      alias = withUsualParams(alias, own);
      const known = isInvoke ? own : [...own, ...Object.keys(alias.params ?? {})];
      const close = `/${name}`;
      const params = isInvoke ? ["parameter"] : known;
      const tags = [...params, close, ...this.names, "invoke", "/function_calls"];
      called = { alias, known, tags, close };
      this.#calledBy.set(key, called);
    }
    this.called = called;
    return true;
  }

  /** Whether the tag begins a parameter of the tool. */
  isParam({ name, attribute }: Tag): boolean {
    return this.called.close === "/invoke"
      ? name === "parameter" && attribute !== undefined
      : this.called.known.includes(name);
  }

  /** A tag stands in the tool that is none of its parameters. */
  unknown(name: string): void {
    const { tool } = this.called.alias;
    const key = `${tool} ${name}`;
    if (this.#told.has(key) || this.#told.size >= TOLD_LIMIT) return;
    this.#told.add(key);
    this.error("unknown-param", `${tool} has no parameter ${name}: it was passed over.`);
  }

  open(): void {
    this.#tool++;
    this.#params = {};
    this.#overflowed = false;
    this.#emit({ type: "tool-open", tool: this.#tool, name: this.called.alias.tool });
  }

  openParam({ name, attribute }: Tag): void {
    this.#param = resolveParam(attribute ?? name, this.called.alias);
    let close = this.#closeOf.get(name);
    if (!close) this.#closeOf.set(name, (close = [`/${name}`]));
    this.paramClose = close;
    this.#content.open("value");
    this.#emit({ type: "param-open", tool: this.#tool, name: this.#param });
  }

  write(text: string): void {
    this.#content.write(text);
  }

  closeParam(complete: boolean): void {
    const value = this.#content.close(complete);
    if (this.#content.overflowed) {
      this.#overflowed = true;
      this.error("value-too-long", `A parameter is over ${this.#limit} characters.`);
    }
    // Assigned, that name would be the object's prototype; in a Map, a message of small calls takes a fifth longer.
    if (this.#param === "__proto__")
      Object.defineProperty(this.#params, "__proto__", {
        value,
        enumerable: true,
        configurable: true,
      });
    else this.#params[this.#param] = value;
    this.#emit({ type: "param-close", tool: this.#tool, name: this.#param, value });
  }

  closeTool(complete: boolean): void {
    const { alias, known } = this.called;
    const { tool: name, defaults } = alias;
    if (complete && defaults)
      for (const [param, value] of Object.entries(defaults))
        if (known.includes(param) && !Object.hasOwn(this.#params, param))
          this.#params[param] = value;
    if (complete && Object.values(this.#params).some(isLeftOut)) {
      complete = false;
      this.error("placeholder", "It says only “…”. Write it whole.");
    }
    this.#emit({
      type: "tool-close",
      tool: this.#tool,
      name,
      params: this.#params,
      complete: complete && !this.#overflowed,
    });
  }

  /** What is wrong with the tool that is open. */
  error(code: ToolTagErrorCode, message: string): void {
    this.#error(code, message, this.#tool);
  }

  /** What is wrong with the message. */
  #error(code: ToolTagErrorCode, message: string, tool?: number): void {
    this.#emit({ type: "error", code, message, tool });
  }

  tagCut(): void {
    this.#error("tag-cut", "The message ended inside a tag.");
  }
}
