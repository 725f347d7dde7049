import { parseAttributes } from "../artifact/attributes.ts";

/** A tag as written: its replacement for the parser, and the name of its closing tag. */
export interface Spelled {
  /** Its length in characters. */
  length: number;
  written: string;
  open: string;
  close: string;
  /** The tool whose first parameters are attributes, and these parameters. */
  tool?: string;
  given?: readonly string[];
  closesItself?: boolean;
}

/** A prefix, such as `x:` or `｜DSML｜`, is not part of a name. */
const TAG =
  /^<((?:\w+:|[|｜]\w+[|｜])?[\w-]{1,64})((?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>/]+))*)\s*(\/?)>/;
const PREFIX = /^(?:\w+:|[|｜]\w+[|｜])/;
/**
 * An incomplete tag: a part of a name, or a complete one with attributes, which contain a path or a
 * command.
 */
const MAY_BE_NAME = /^<(?:\w+:|[|｜]\w{0,64}[|｜]?)?[\w-]*$/;
const MAY_BE_TAG = /^<((?:\w+:|[|｜]\w+[|｜])?[\w-]{1,64})(?:\s[^]*|\/)$/;
const LONGEST_TAG = 2_048;
/** Tags that call the tool in their `name`. */
const NAMING = new Set(["invoke", "tool_call", "function_call", "tool_use", "tool", "function"]);
const PARAMETERS = new Set(["parameter", "param", "arg", "argument"]);

/** A name in any case, with or without separators between its words. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, "");

/**
 * Tools by name, and those of more than one word also by their plain form: `<Outline>` may be a
 * component.
 */
export function toolsByName(names: Iterable<string>): ReadonlyMap<string, string> {
  return new Map(
    [...names].flatMap((name) =>
      name.includes("_") ? [[name, name], [plainName(name), name]] : [[name, name]],
    ) as [string, string][],
  ); // prettier-ignore
}

interface Tag {
  length: number;
  /** With its prefix, and without. */
  written: string;
  name: string;
  attributes: Map<string, string>;
  closesItself: boolean;
}

/** The tag at the `<` at `at`, if `knows` its name; `"more"` if it is incomplete. */
function tagAt(text: string, at: number, knows: (name: string) => boolean): Tag | "more" | undefined {
  const rest = text.slice(at, at + LONGEST_TAG);
  const match = TAG.exec(rest);
  if (!match) {
    if (rest.length === LONGEST_TAG) return undefined;
    const name = MAY_BE_TAG.exec(rest)?.[1]?.replace(PREFIX, "");
    return MAY_BE_NAME.test(rest) || (name !== undefined && knows(name)) ? "more" : undefined;
  }
  const [{ length }, written = "", attributes = "", slash] = match;
  const name = written.replace(PREFIX, "");
  if (!knows(name)) return undefined;
  return { length, written, name, attributes: parseAttributes(attributes), closesItself: slash === "/" };
} // prettier-ignore

/** How to read a tag that calls a tool; undefined if it calls none, or is already correct. */
export function spelledCall(
  text: string,
  at: number,
  startsLine: boolean,
  tools: ReadonlyMap<string, string>,
  paramsOf: (tool: string) => readonly string[],
): Spelled | "more" | undefined {
  const toolOf = (name: string) => tools.get(name) ?? tools.get(plainName(name));
  const tag = tagAt(text, at, (name) => NAMING.has(name) || toolOf(name) !== undefined);
  if (!tag || tag === "more") return tag;
  const { length, written, name, attributes, closesItself } = tag;
  const named = attributes.get("name") ?? "";
  if (NAMING.has(name) && (name === "invoke" ? named !== "" : toolOf(named) !== undefined)) {
    const tool = toolOf(named) ?? named;
    return { length, written, open: `<invoke name="${tool}">`, close: "</invoke>" };
  }
  const tool = toolOf(name);
  if (tool === undefined) return undefined;
  const params = paramsOf(tool);
  const given = [...attributes].flatMap(([key, value]) => {
    const param = params.find((one) => plainName(one) === plainName(key));
    return param === undefined ? [] : ([[param, value]] as const);
  });
  // A tag in a sentence may have an attribute as well, but a call begins a line.
  if (given.length > 0 && !startsLine) return undefined;
  if (closesItself && given.length === 0) return undefined;
  const values = given.map(([param, value]) => `<${param}>${value}</${param}>`).join("");
  return {
    length,
    written,
    open: `<${tool}>${values}`,
    close: `</${tool}>`,
    tool,
    given: given.map(([param]) => param),
    closesItself,
  };
}

/** How to read a tag in a call that begins a parameter; undefined if it begins none. */
export function spelledParam(
  text: string,
  at: number,
  isInvoke: boolean,
  params: ReadonlyMap<string, string>,
): Spelled | "more" | undefined {
  const paramOf = (name: string) => params.get(name) ?? params.get(plainName(name));
  const tag = tagAt(text, at, (name) => PARAMETERS.has(name) || paramOf(name) !== undefined);
  if (!tag || tag === "more" || tag.closesItself) return tag === "more" ? tag : undefined;
  const { length, written, name, attributes } = tag;
  const named = attributes.get("name");
  const isNamed = PARAMETERS.has(name) && named !== undefined;
  const param = isNamed ? (paramOf(named) ?? named) : paramOf(name);
  if (param === undefined || !/^[\w-]+$/.test(param)) return undefined;
  if (isInvoke) return { length, written, open: `<parameter name="${param}">`, close: "</parameter>" };
  return { length, written, open: `<${param}>`, close: `</${param}>` };
} // prettier-ignore
