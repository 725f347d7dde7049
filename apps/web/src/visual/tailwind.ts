import type { Property } from "./picked.ts";

/** Tailwind class names that set a property unconditionally, without variants such as `hover:` or `md:`. */
const NAMES: Record<Property, RegExp> = {
  color:
    /^text-(?:inherit|current|transparent|black|white|\[(?:#|rgb|hsl|oklch|color:)[^\]]*\]|[a-z]+-\d{2,3}(?:\/\d+)?)$/,
  "background-color":
    /^bg-(?:inherit|current|transparent|black|white|\[(?:#|rgb|hsl|oklch|color:)[^\]]*\]|[a-z]+-\d{2,3}(?:\/\d+)?)$/,
  "font-size": /^text-(?:xs|sm|base|lg|\d?xl|\[[\d.]+(?:px|rem|em)\])(?:\/\S+)?$/,
  "font-weight":
    /^font-(?:thin|extralight|light|normal|medium|semibold|bold|extrabold|black|\[\d+\])$/,
  "text-align": /^text-(?:left|center|right|justify|start|end)$/,
  padding: /^p[xytrblse]?-(?:\d+(?:\.5)?|px|\[[^\]]+\])$/,
  margin: /^-?m[xytrblse]?-(?:\d+(?:\.5)?|px|auto|\[[^\]]+\])$/,
  gap: /^gap-(?:[xy]-)?(?:\d+(?:\.5)?|px|\[[^\]]+\])$/,
  "border-radius": /^rounded(?:-(?:none|xs|sm|md|lg|\d?xl|full|\[[^\]]+\]))?$/,
  width: /^w-(?:\d+(?:\.5)?|\d+\/\d+|px|auto|full|screen|min|max|fit|\[[^\]]+\])$/,
};

const SIZES: Record<string, string> = {
  "12px": "xs",
  "14px": "sm",
  "16px": "base",
  "18px": "lg",
  "20px": "xl",
  "24px": "2xl",
  "30px": "3xl",
  "36px": "4xl",
  "48px": "5xl",
  "60px": "6xl",
  "72px": "7xl",
};
const WEIGHTS: Record<string, string> = {
  "300": "light",
  "400": "normal",
  "500": "medium",
  "600": "semibold",
  "700": "bold",
  "800": "extrabold",
};

/** A length as a step of Tailwind's four-pixel scale, or as an arbitrary value. */
function step(length: string): string {
  if (length === "0" || length === "0px") return "0";
  const pixels = /^([\d.]+)px$/.exec(length)?.[1];
  const steps = Number(pixels) / 4;
  return pixels !== undefined && Number.isInteger(steps * 2) && steps <= 96
    ? String(steps)
    : `[${arbitrary(length)}]`;
}

const arbitrary = (value: string) => value.trim().replace(/\s+/g, "_");

/** Converts `8px 16px` to class names per side. */
function sides(prefix: string, value: string): string[] {
  const [top = "0", right = top, bottom = top, left = right] = value.trim().split(/\s+/);
  const utilityFor = (side: string, length: string) =>
    length === "auto" ? `${prefix}${side}-auto` : `${prefix}${side}-${step(length)}`;
  if (top === bottom && left === right)
    return top === left ? [utilityFor("", top)] : [utilityFor("y", top), utilityFor("x", left)];
  return [
    utilityFor("t", top),
    utilityFor("r", right),
    utilityFor("b", bottom),
    utilityFor("l", left),
  ];
}

/** The class names that set a property to a value. */
export function namesFor(property: Property, value: string): string[] {
  switch (property) {
    case "color":
      return [`text-[${arbitrary(value)}]`];
    case "background-color":
      return [`bg-[${arbitrary(value)}]`];
    case "font-size":
      return [`text-${SIZES[value] ?? `[${arbitrary(value)}]`}`];
    case "font-weight":
      return [`font-${WEIGHTS[value] ?? `[${value}]`}`];
    case "text-align":
      return [`text-${value}`];
    case "padding":
      return sides("p", value);
    case "margin":
      return sides("m", value);
    case "gap":
      return [`gap-${step(value)}`];
    case "border-radius":
      return [`rounded-[${arbitrary(value)}]`];
    case "width":
      return [`w-${value === "auto" ? "auto" : value === "100%" ? "full" : step(value)}`];
  }
}

/** The class names that currently set a property. */
export const namesOf = (property: Property, classes: readonly string[]): string[] =>
  classes.filter((name) => NAMES[property].test(name));

/** Whether a project uses Tailwind, judged by its manifest and pages. */
export const usesTailwind = (manifest: string, page: string): boolean =>
  /"(?:tailwindcss|@tailwindcss\/[\w-]+)"\s*:/.test(manifest) ||
  /cdn\.tailwindcss\.com|@tailwindcss\/browser/.test(page);
