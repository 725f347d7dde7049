import { Content } from "../text/content.ts";
import { resolveParam, resolveTool } from "./aliases.ts";
import type { Tag } from "./tags.ts";
import type {
  ToolAlias,
  ToolTagErrorCode,
  ToolTagEvent,
  ToolTagLimits,
  ToolTagParserOptions,
} from "./types.ts";

const NONE: readonly string[] = [];

/** Turns what the parser finds into events that balance, and keeps the tool that is open. */
export class Calls {
  /** Tags that count inside the tool: its parameters, its own end, and every tool that may begin. */
  tags = NONE;
  /** The closing tag of the tool and that of the parameter. */
  close = "";
  paramClose = NONE;
  #tool = -1;
  #alias: ToolAlias = { tool: "" };
  /** Parameters of the tool, as it knows them. */
  #known = NONE;
  #params: Record<string, string> = {};
  #param = "";
  /** A parameter was cut at the limit: the tool must not be run. */
  #overflowed = false;
  readonly #tools: ReadonlyMap<string, readonly string[]>;
  readonly #aliases: ReadonlyMap<string, ToolAlias>;
  readonly #tagsOf = new Map<string, readonly string[]>();
  readonly #content: Content;
  readonly #limit: number;
  readonly #emit: (event: ToolTagEvent) => void;

  constructor({ tools, aliases, onEvent }: ToolTagParserOptions, limits: ToolTagLimits) {
    this.#tools = new Map(Object.entries(tools));
    this.#aliases = new Map(Object.entries(aliases ?? {}));
    this.#emit = onEvent;
    this.#limit = limits.valueCharacters;
    this.#content = new Content(this.#limit, (text) =>
      onEvent({ type: "param-delta", tool: this.#tool, name: this.#param, text }),
    );
  }

  /** Whether the tag calls a tool; it is told by `open`, once it is clear that it does. */
  knows(tag: Tag): boolean {
    const isInvoke = tag.name === "invoke";
    const called = isInvoke ? (tag.attribute ?? "") : tag.name;
    const alias = resolveTool(called, this.#tools, this.#aliases);
    if (!alias) {
      this.#error("unknown-tool", `There is no tool ${JSON.stringify(called)}.`);
      return false;
    }
    this.#alias = alias;
    this.#known = this.#tools.get(alias.tool) ?? NONE;
    this.close = `/${tag.name}`;
    let tags = this.#tagsOf.get(tag.name);
    if (!tags) {
      const params = isInvoke ? ["parameter"] : this.#known;
      tags = [...this.#tools.keys(), "invoke", "/function_calls", this.close, ...params];
      this.#tagsOf.set(tag.name, tags);
    }
    this.tags = tags;
    return true;
  }

  /** Whether the tag begins a parameter of the tool. */
  isParam({ name, attribute }: Tag): boolean {
    return this.close === "/invoke"
      ? name === "parameter" && attribute !== undefined
      : this.#known.includes(name);
  }

  open(): void {
    this.#tool++;
    this.#params = {};
    this.#overflowed = false;
    this.#emit({ type: "tool-open", tool: this.#tool, name: this.#alias.tool });
  }

  openParam({ name, attribute }: Tag): void {
    this.#param = resolveParam(attribute ?? name, this.#alias, this.#known);
    this.paramClose = [`/${name}`];
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
      this.error("value-too-long", `A parameter is longer than ${this.#limit} characters.`);
    }
    // Assigned, that name would be the object's prototype.
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
    const { tool: name, defaults } = this.#alias;
    if (complete && defaults)
      for (const [param, value] of Object.entries(defaults))
        if (this.#known.includes(param) && !Object.hasOwn(this.#params, param))
          this.#params[param] = value;
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
    this.#emit({ type: "error", code, message, ...(tool !== undefined && { tool }) });
  }

  tagCut(): void {
    this.#error("tag-cut", "The message ended inside a tag.");
  }
}
