import { withoutFence } from "../meant/fence.ts";
import { readLiteral, readPythonCalls } from "./read-literal.ts";
import type { ToolCallText } from "./serialize.ts";

const OPENED =
  /^(?:<(?:tool_calls?|function_call|tool_use|tools?|TOOLCALL|invoke)>|\[(?:tool_call|TOOL_CALL|TOOL_REQUEST)\]|<[|｜]tool[▁_]call[▁_]begin[|｜]>|<\|(?:python_tag|python_start|tool_call|tool_call_start|action_start|START_ACTION|tools_prefix)\|>(?:<\|plugin\|>)?|functools(?=\[))/;
/** End marks of chat templates after an answer, and how much of the end is searched for them. */
const ENDED = /(?:<\|\w+\|>|<\/s>)$/;
/** gpt-oss: the recipient of the message, its type, and the JSON. */
const ADDRESSED = /^[^{]{0,60}to=(?:functions\.)?([\w-]+)[^{]{0,80}(\{[^]*)$/;
/** An unclosed call before the next one. */
const NEXT = /\n\s*<tool_call>\s*/;
/** A name, a template's mark, and arguments as JSON. */
const MARKED =
  /^(?:function<｜tool▁sep｜>)?(?:functions\.)?([\w-]+)(?::\d+)?\s*(?:<\|tool_call_argument_begin\|>|<｜tool▁sep｜>|<tool_sep>|(?:\[CALL_ID\][\w-]*)?\[ARGS\]|\n|(?=\{))\s*([^]*)$/;
const PYTHON = /^(?:\[\s*)?(?:print\()?[A-Za-z_][\w.]*\(/;
const IN_TAGS = /^<(?:tool_)?name>\s*([\w-]+)\s*<\/(?:tool_)?name>(?:\s*<(arguments|args|parameters|params|input)>([^]*)<\/\2>)?$/; // prettier-ignore
/**
 * Parses a text in another template's spelling as calls; undefined if it is none, or calls an
 * unknown tool.
 * @param isBare whether nothing around it marks it as a call, so that its arguments must
 */
export function callsIn(
  text: string,
  names: readonly string[],
  isBare = false,
): ToolCallText[] | undefined {
  let body = text.replace(OPENED, "").trim();
  for (let end = ENDED.exec(body.slice(-40)); end; end = ENDED.exec(body.slice(-40)))
    body = body.slice(0, -end[0].length).trimEnd();
  const pieces = NEXT.test(body) ? body.split(NEXT).filter((piece) => piece.trim() !== "") : [];
  return allCalls([body], names, isBare) ?? (pieces.length > 0 ? allCalls(pieces, names, isBare) : undefined); // prettier-ignore
}

function allCalls(bodies: readonly string[], names: readonly string[], isBare: boolean): ToolCallText[] | undefined {
  try {
    const parsed = bodies.flatMap((body) => read(body.trim(), !isBare));
    const calls = parsed.map((call) => toCall(call, names, isBare));
    return calls.every((call) => call !== undefined) && calls.length > 0 ? calls : undefined;
  } catch {
    return undefined;
  }
} // prettier-ignore

/** Parses the text of calls as values. Throws if it cannot be parsed. */
function read(body: string, isMarked: boolean): unknown[] {
  if (body.startsWith("<function="))
    return body
      .split("<function=")
      .slice(1)
      .map((call) => {
        const [inside] = call.slice(call.indexOf(">") + 1).split("</function>");
        const isJson = inside!.trim().startsWith("{");
        const name = /^[\w-]+(?=>)/.exec(call)?.[0];
        return { name, input: isJson ? parse(inside!, isMarked) : parametersOf(inside!) };
      });
  if (body.startsWith("[TOOL_CALLS]"))
    return body
      .split("[TOOL_CALLS]")
      .slice(1)
      .flatMap((call) => read(call.trim(), isMarked));
  const [, addressed, json = ""] = ADDRESSED.exec(body) ?? [];
  if (addressed !== undefined) return [{ name: addressed, input: parse(json, isMarked) }];
  const [, marked, args = ""] = MARKED.exec(body) ?? [];
  if (marked !== undefined && /^(?:`{3}|\{)/.test(args))
    return [{ name: marked, input: parse(args, isMarked) }];
  const [, named] = /^([\w-]+)\s*(?:<tool_sep>\s*(?:<arg_key>|$)|<arg_key>)/.exec(body) ?? [];
  if (named !== undefined) return [{ name: named, input: argumentsOf(body) }];
  const [, name, , inside = ""] = IN_TAGS.exec(body) ?? [];
  if (name !== undefined)
    return [{ name, input: inside.trim().startsWith("{") ? parse(inside, isMarked) : taggedOf(inside) }]; // prettier-ignore
  if (PYTHON.test(body)) return readPythonCalls(body);
  return [parse(body, isMarked)].flat();
}

const plain = (value: string) => value.replace(/^\r?\n/, "").replace(/\r?\n$/, "");

/**
 * The parameters of a `<function=…>`, each of which ends where the next begins. A single pattern over all of them would
 * take quadratic time on unclosed ones (A78).
 */
function parametersOf(text: string): Record<string, string> {
  const pieces = text.split(/<parameter=(?=[\w-]+>)/).slice(1);
  const params: [string, string][] = [];
  let open = "";
  for (const [at, piece] of pieces.entries()) {
    open += open === "" ? piece : `<parameter=${piece}`;
    const isClosed = piece.trimEnd().endsWith("</parameter>");
    // An unclosed one ends where the next begins a line, or at the end.
    if (!isClosed && at < pieces.length - 1 && !piece.endsWith("\n")) continue;
    const end = isClosed ? open.trimEnd().length - "</parameter>".length : open.length;
    const name = open.slice(0, open.indexOf(">"));
    params.push([name, plain(open.slice(name.length + 1, end))]);
    open = "";
  }
  return Object.fromEntries(params);
}

function argumentsOf(text: string): Record<string, string> {
  const pieces = text.split("<arg_key>").slice(1);
  return Object.fromEntries(
    pieces.map((piece) => {
      const [key = "", behind = ""] = piece.split("</arg_key>");
      const value = piece.slice(key.length + "</arg_key>".length).trim();
      if (!behind.trimStart().startsWith("<arg_value>")) throw new SyntaxError("no value");
      const end = value.endsWith("</arg_value>") ? -"</arg_value>".length : undefined;
      return [key.trim(), plain(value.slice("<arg_value>".length, end))];
    }),
  );
}

function taggedOf(text: string): Record<string, string> {
  const params: [string, string][] = [];
  for (let at = 0; at < text.length;) {
    const name = /^\s*<([\w-]{1,64})>/.exec(text.slice(at, at + 1_024));
    if (!name) break;
    const from = at + name[0].length;
    const end = text.indexOf(`</${name[1]!}>`, from);
    if (end === -1) throw new SyntaxError("no end");
    params.push([name[1]!, plain(text.slice(from, end))]);
    at = end + name[1]!.length + 3;
  }
  return Object.fromEntries(params);
}

/**
 * Parses JSON as models write it: in a fence, several values in a row; at a mark, brackets may be
 * missing or superfluous.
 */
function parse(written: string, isMarked: boolean): unknown {
  const text = withoutFence(`${written.trim()}\n`).trim();
  const escaped = text.replaceAll(/"(?:[^"\\]|\\(?:[^]|$))*(?:"|$)/g, (string) =>
    string.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t"),
  );
  try {
    return JSON.parse(escaped);
  } catch {
    return readLiteral(text, isMarked);
  }
}

function toCall(
  read: unknown,
  names: readonly string[],
  isBare: boolean,
): ToolCallText | undefined {
  const call = read as Record<string, unknown>;
  const nested = call["function"];
  if (typeof nested === "object" && nested !== null) return toCall(nested, names, isBare);
  const action = call["action_input"] === undefined ? undefined : call["action"];
  const written = call["name"] ?? call["tool"] ?? call["tool_name"] ?? action ?? nested;
  const name = typeof written === "string" ? written.replace(/^functions\./, "") : undefined;
  const given =
    call["arguments"] ??
    call["args"] ??
    call["parameters"] ??
    call["params"] ??
    call["input"] ??
    call["action_input"] ??
    (isBare ? undefined : {});
  const values: unknown = typeof given === "string" ? parse(given, false) : given;
  if (name === undefined || !names.includes(name)) return undefined;
  if (typeof values !== "object" || values === null || Array.isArray(values)) return undefined;
  const params = Object.entries(values).map(
    ([param, value]) => [param, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  if (!params.every(([param]) => /^[\w-]+$/.test(param))) return undefined;
  return { name, params: Object.fromEntries(params) };
}
