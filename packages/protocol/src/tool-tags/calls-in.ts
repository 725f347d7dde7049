import { withoutFence } from "../meant/fence.ts";
import type { ToolCallText } from "./serialize.ts";

const OPENED = /^(?:<(?:tool_call|function_call|tool_use)>|<[|｜]tool[▁_]call[▁_]begin[|｜]>|<\|(?:python_tag|tool_call)\|>)/; // prettier-ignore
/** What a chat template writes behind an answer. */
const ENDED = /(?:\s*(?:<\|\w+\|>|<\/s>))+$/;
const FUNCTION = /<function=([\w-]+)>([^]*?)(?:<\/function>|(?=<function=)|$)/g;
const PARAMETER = /<parameter=([\w-]+)>([^]*?)(?:<\/parameter>\s*(?=<parameter=|$)|(?=\n<parameter=)|$)/g; // prettier-ignore
const ARGUMENT = /<arg_key>([^]*?)<\/arg_key>\s*<arg_value>([^]*?)<\/arg_value>\s*(?=<arg_key>|$)/g;
/** A name, a mark of a template, and arguments as JSON. */
const MARKED =
  /^(?:function<｜tool▁sep｜>)?(?:functions\.)?([\w-]+)(?::\d+)?\s*(?:<\|tool_call_argument_begin\|>|<｜tool▁sep｜>|\[ARGS\]|\n)\s*([^]*)$/;
const IN_TAGS = /^<(?:tool_)?name>\s*([\w-]+)\s*<\/(?:tool_)?name>\s*(?:<(arguments|args|parameters|params|input)>([^]*)<\/\2>)?\s*$/; // prettier-ignore
const TAGGED = /<([\w-]+)>([^]*?)<\/\1>/g;

/** The calls that a text in another template's spelling is; undefined where it is none, or calls a tool that there is not. */
export function callsIn(text: string, names: readonly string[]): ToolCallText[] | undefined {
  const body = text.replace(OPENED, "").trim().replace(ENDED, "");
  try {
    const calls = read(body).map((call) => toCall(call, names));
    return calls.every((call) => call !== undefined) && calls.length > 0 ? calls : undefined;
  } catch {
    return undefined;
  }
}

/** What the text says, as JSON has it. Throws where it says nothing. */
function read(body: string): unknown[] {
  if (body.startsWith("<function="))
    return [...body.matchAll(FUNCTION)].map(([, name, inside = ""]) => ({
      name,
      input: inside.trim().startsWith("{") ? parse(inside) : pairs(inside, PARAMETER),
    }));
  if (body.startsWith("[TOOL_CALLS]"))
    return body
      .split("[TOOL_CALLS]")
      .slice(1)
      .flatMap((call) => read(call.trim()));
  const [, marked, args = ""] = MARKED.exec(body) ?? [];
  if (marked !== undefined && /^(?:`{3}|\{)/.test(args))
    return [{ name: marked, input: parse(args) }];
  const [, named] = /^([\w-]+)\s*<arg_key>/.exec(body) ?? [];
  if (named !== undefined) return [{ name: named, input: pairs(body, ARGUMENT) }];
  const [, name, , inside = ""] = IN_TAGS.exec(body) ?? [];
  if (name !== undefined)
    return [{ name, input: inside.trim().startsWith("{") ? parse(inside) : pairs(inside, TAGGED) }];
  return [parse(body)].flat();
}

function pairs(text: string, pattern: RegExp): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(pattern)].map(([, name, value]) => [
      name!.trim(),
      value!.replace(/^\r?\n|\r?\n$/g, ""),
    ]),
  );
}

/** JSON, also with line breaks in its strings, in a fence, and one value behind the other. */
function parse(written: string): unknown {
  const text = withoutFence(`${written.trim()}\n`).trim();
  const escaped = text.replaceAll(/"(?:[^"\\]|\\[^])*"/g, (string) =>
    string.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t"),
  );
  try {
    return JSON.parse(escaped);
  } catch {
    return JSON.parse(`[${escaped.replaceAll(/\}\s*\n\s*\{/g, "},{")}]`);
  }
}

function toCall(read: unknown, names: readonly string[]): ToolCallText | undefined {
  const call = read as Record<string, unknown>;
  const nested = call["function"];
  if (typeof nested === "object" && nested !== null) return toCall(nested, names);
  const name = call["name"] ?? call["tool"] ?? call["tool_name"] ?? nested;
  const given =
    call["arguments"] ??
    call["args"] ??
    call["parameters"] ??
    call["params"] ??
    call["input"] ??
    {};
  const values: unknown = typeof given === "string" ? parse(given) : given;
  if (typeof name !== "string" || !names.includes(name)) return undefined;
  if (typeof values !== "object" || values === null || Array.isArray(values)) return undefined;
  const params = Object.entries(values).map(
    ([param, value]) => [param, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  if (!params.every(([param]) => /^[\w-]+$/.test(param))) return undefined;
  return { name, params: Object.fromEntries(params) };
}
