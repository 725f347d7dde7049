import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/css";
import { childrenOf } from "./parse-sheets.ts";
import type { Span } from "./types.ts";

/** CSS functions that return a colour, according to CSS Color 5. */
const COLOUR_FUNCTION =
  /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|contrast-color|light-dark)$/i;
/** Colour functions whose arguments may also be a token that holds only the three numbers. */
const CHANNEL_FUNCTION = /^(?:rgb|hsl)a?$|^(?:ok)?l(?:ab|ch)$/i;
/** Generic font families, according to CSS Fonts 4. */
const GENERIC_FAMILY =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-(?:serif|sans-serif|monospace|rounded))$/i;

const calleeOf = (text: string, call: SyntaxNode): string => {
  const callee = call.getChild("Callee");
  return callee ? text.slice(callee.from, callee.to) : "";
};

/** A call's arguments, each with the nodes between two commas. */
function argumentsOf(call: SyntaxNode): SyntaxNode[][] {
  const list = call.getChild("ArgList");
  const found: SyntaxNode[][] = [[]];
  for (const node of list ? childrenOf(list) : []) {
    if (node.name === ",") found.push([]);
    else if (node.name !== "(" && node.name !== ")") found.at(-1)!.push(node);
  }
  return found;
}

/** Whether a value is written as a colour. Named colours are not recognised, as any word could be one. */
export function isColour(text: string, [first, ...others]: readonly SyntaxNode[]): boolean {
  if (!first || others.length > 0) return false;
  return (
    first.name === "ColorLiteral" ||
    (first.name === "CallExpression" && COLOUR_FUNCTION.test(calleeOf(text, first)))
  );
}

/** Whether a value is a list of font families: it contains a generic one, or begins with a quoted name. */
export const isFontFamily = (text: string, nodes: readonly SyntaxNode[]): boolean =>
  nodes.some(
    ({ name, from, to }) => name === "ValueName" && GENERIC_FAMILY.test(text.slice(from, to)),
  ) ||
  (nodes[0]?.name === "StringLiteral" && nodes[1]?.name === ",");

/** Whether a value is the three numbers of an HSL colour, two of them percentages, as in `222 47% 11%`. */
export function isHslChannels(text: string, nodes: readonly SyntaxNode[]): boolean {
  const units = nodes.map((node) =>
    node.name === "NumberLiteral"
      ? node.firstChild
        ? text.slice(node.firstChild.from, node.to)
        : ""
      : "?",
  );
  return (
    units.length === 3 &&
    (units[0] === "" || units[0] === "deg") &&
    units[1] === "%" &&
    units[2] === "%"
  );
}

/** The two values of `light-dark(a, b)`; undefined for any other value. */
export function lightAndDark(
  text: string,
  [first, ...others]: readonly SyntaxNode[],
): { light: Span; dark: Span } | undefined {
  if (first?.name !== "CallExpression" || others.length > 0) return undefined;
  if (calleeOf(text, first).toLowerCase() !== "light-dark") return undefined;
  const [light, dark, more] = argumentsOf(first).map((nodes) =>
    nodes.length === 0 ? undefined : { from: nodes[0]!.from, to: nodes.at(-1)!.to },
  );
  return light && dark && !more ? { light, dark } : undefined;
}

/** A use of a custom property in a value. */
export interface Use {
  name: string;
  /** The colour function to which the property gives the numbers; absent if it is used otherwise. */
  channels?: string | undefined;
  /** Whether the value consists of this use alone. */
  isAlone: boolean;
}

/** The custom properties that a value uses. */
export function usesIn(text: string, nodes: readonly SyntaxNode[]): Use[] {
  const found: Use[] = [];
  for (const top of nodes)
    top.cursor().iterate(({ node }) => {
      if (node.name !== "CallExpression" || calleeOf(text, node) !== "var") return;
      const [first] = argumentsOf(node)[0] ?? [];
      if (first?.name !== "VariableName") return;
      // A call's parent is its argument list, or an operator in it (`hsl(var(--x) / 50%)`).
      let around = node.parent;
      while (around && /^(?:ArgList|BinaryExpression)$/.test(around.name)) around = around.parent;
      const callee = around?.name === "CallExpression" ? calleeOf(text, around) : "";
      found.push({
        name: text.slice(first.from, first.to),
        channels: CHANNEL_FUNCTION.test(callee) ? callee.toLowerCase() : undefined,
        isAlone: nodes.length === 1 && top.from === node.from && top.to === node.to,
      });
    });
  return found;
}

/** Maximum length of a token's value, in characters. */
const MAX_VALUE_CHARS = 400;

/** Whether a text can be the value of a custom property without affecting the style sheet around it. */
export function isTokenValue(value: string): boolean {
  if (value.trim() !== value || value === "" || value.length > MAX_VALUE_CHARS) return false;
  // A line end, a comment, or the end of a `<style>` element would reach beyond the value.
  if (/[\p{Cc}\u2028\u2029{};]|\/\*|\*\/|<\/|<!--|!\s*important/iu.test(value)) return false;
  const text = `a{--x:${value}}`;
  let isWhole = true;
  let declarations = 0;
  parser.parse(text).iterate({
    enter({ type, name, to }) {
      if (type.isError) isWhole = false;
      if (name === "Declaration") {
        declarations++;
        if (to !== text.length - 1) isWhole = false;
      }
    },
  });
  return isWhole && declarations === 1;
}

/** Whether a text can be the name of a new token. */
export const isTokenName = (name: string): boolean =>
  /^--[\p{L}\p{N}][\p{L}\p{N}_-]{0,79}$/u.test(name);
