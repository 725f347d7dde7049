import { isLeftOut, LEFT_OUT } from "../prose/example.ts";
import { createContent } from "../text/content.ts";
import { resolveParam, resolveTool, withUsualParams } from "./aliases.ts";
import type { Tag } from "./tags.ts";
import type { ToolAlias, ToolTagErrorCode, ToolTagLimits, ToolTagParserOptions } from "./types.ts";

/** A tool as called by a tag. */
interface Called {
  alias: ToolAlias;
  /** The names of its parameters. */
  known: readonly string[];
  /** Tags that count inside it: its parameters, its own end, and the start of any tool. */
  tags: readonly string[];
  close: string;
}

/** Maximum number of unknown parameters reported per message. */
const TOLD_LIMIT = 64;

/** Turns the parser's findings into balanced events, and tracks the open tool. */
export interface Calls {
  /** Tags that call a tool. */
  readonly names: readonly string[];
  /** The open tool, or the one that will be once the tag is known to call it. */
  called: Called;
  /** The closing tag of the open parameter. */
  paramClose: readonly string[];
  /** Whether the tag calls a tool, which `open` reports once that is certain. */
  knows(tag: Tag): boolean;
  /** Whether the tag begins a parameter of the tool. */
  isParam(tag: Tag): boolean;
  /** Reports a tag inside the tool that is not one of its parameters. */
  unknown(name: string): void;
  open(): void;
  openParam(tag: Tag): void;
  write(text: string): void;
  closeParam(complete: boolean): void;
  closeTool(complete: boolean): void;
  /** Reports an error in the open tool. */
  error(code: ToolTagErrorCode, message: string): void;
  tagCut(): void;
}

export function createCalls(
  { tools, aliases, onEvent }: ToolTagParserOptions,
  { valueCharacters }: ToolTagLimits,
): Calls {
  const toolsByName = new Map(Object.entries(tools));
  const aliasesByName = new Map(Object.entries(aliases ?? {}));
  let tool = -1;
  let params: Record<string, string>;
  let name: string;
  /** A parameter was cut at the limit, so the tool must not be run. */
  let overflowed: boolean;
  /** Unknown tags already reported. */
  const reported = new Set<string>();
  /** By the tag's name and its attribute; only existing tools, so that it stays small. */
  const calledBy = new Map<string, Called>();
  const closeOf = new Map<string, readonly string[]>();
  const content = createContent(valueCharacters, (text) =>
    onEvent({ type: "param-delta", tool, name, text }),
  );

  const error = (code: ToolTagErrorCode, message: string, about?: number) =>
    onEvent({ type: "error", code, message, tool: about });

  const calls: Calls = {
    names: [
      ...toolsByName.keys(),
      ...[...aliasesByName].flatMap(([alias, to]) => (toolsByName.has(to.tool) ? [alias] : [])),
    ],
    called: { alias: { tool: "" }, known: [], tags: [], close: "" },
    paramClose: [],
    knows(tag) {
      const isInvoke = tag.name === "invoke";
      const name = isInvoke ? (tag.attribute ?? "") : tag.name;
      const key = isInvoke ? `invoke ${name}` : name;
      let called = calledBy.get(key);
      if (!called) {
        let alias = resolveTool(name, toolsByName, aliasesByName);
        if (!alias) {
          error("unknown-tool", `There is no tool ${JSON.stringify(name)}.`);
          return false;
        }
        const own = toolsByName.get(alias.tool)!;
        alias = withUsualParams(alias, own);
        const known = isInvoke ? own : [...own, ...Object.keys(alias.params ?? {})];
        const close = `/${tag.name}`;
        const inside = isInvoke ? ["parameter"] : known;
        const tags = [...inside, close, ...calls.names, "invoke", "/function_calls"];
        called = { alias, known, tags, close };
        calledBy.set(key, called);
      }
      calls.called = called;
      return true;
    },
    isParam: (tag) =>
      calls.called.close === "/invoke"
        ? tag.name === "parameter" && tag.attribute !== undefined
        : calls.called.known.includes(tag.name),
    unknown(param) {
      const called = calls.called.alias.tool;
      const key = `${called} ${param}`;
      if (reported.has(key) || reported.size >= TOLD_LIMIT) return;
      reported.add(key);
      calls.error("unknown-param", `${called} has no parameter ${param}: it was passed over.`);
    },
    open() {
      tool++;
      params = {};
      overflowed = false;
      onEvent({ type: "tool-open", tool, name: calls.called.alias.tool });
    },
    openParam(tag) {
      name = resolveParam(tag.attribute ?? tag.name, calls.called.alias);
      let close = closeOf.get(tag.name);
      if (!close) closeOf.set(tag.name, (close = [`/${tag.name}`]));
      calls.paramClose = close;
      content.open("value");
      onEvent({ type: "param-open", tool, name });
    },
    write: content.write,
    closeParam(complete) {
      const value = content.close(complete);
      if (content.overflowed()) {
        overflowed = true;
        calls.error("value-too-long", `A parameter is over ${valueCharacters} characters.`);
      }
      // An assignment to that name would set the prototype; a Map would make messages of small
      // calls a fifth slower.
      if (name === "__proto__")
        Object.defineProperty(params, name, { value, enumerable: true, configurable: true });
      else params[name] = value;
      onEvent({ type: "param-close", tool, name, value });
    },
    closeTool(complete) {
      const { alias, known } = calls.called;
      if (complete && alias.defaults)
        for (const [param, value] of Object.entries(alias.defaults))
          if (known.includes(param) && !Object.hasOwn(params, param)) params[param] = value;
      // Without an intermediate array, as a message may have thousands of small calls.
      for (const param in params)
        if (complete && isLeftOut(params[param]!)) {
          complete = false;
          calls.error("placeholder", LEFT_OUT);
        }
      onEvent({
        type: "tool-close",
        tool,
        name: alias.tool,
        params,
        complete: complete && !overflowed,
      });
    },
    error: (code, message) => error(code, message, tool),
    tagCut: () => error("tag-cut", "The message ended inside a tag."),
  };
  return calls;
}
