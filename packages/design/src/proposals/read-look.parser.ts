import type { DesignProposal, TokenGroup } from "@treadle/protocol";
import { isTokenValue } from "../sheets/values.ts";

/** A page's appearance in one colour scheme: computed values, lengths in CSS pixels. */
export interface LookStyle {
  background: string;
  text: string;
  font: string;
  size: number;
  heading?: { font: string; size: number; color: string } | undefined;
  link?: string | undefined;
  button?: { background: string; text: string; radius: number } | undefined;
  border?: string | undefined;
  radii: readonly number[];
  gaps: readonly number[];
}

type Row = [name: string, group: TokenGroup, value: string | undefined];

/** Derives tokens from a page's look. Colours that differ in the dark scheme get a dark value. */
export function parse({
  light,
  dark,
}: {
  light: LookStyle;
  dark?: LookStyle | undefined;
}): DesignProposal["tokens"] {
  const others = new Map(dark ? colours(dark).map(([name, , value]) => [name, value]) : []);
  return [...colours(light), ...measures(light)].flatMap(([name, group, value]) => {
    if (value === undefined || !isTokenValue(value)) return [];
    const other = others.get(name);
    const isOther = other !== undefined && other !== value && isTokenValue(other);
    return [{ name, group, values: { base: value, dark: isOther ? other : undefined } }];
  });
}

const colours = ({ background, text, heading, link, button, border }: LookStyle): Row[] => [
  ["--color-background", "colour", background],
  ["--color-text", "colour", text],
  ["--color-heading", "colour", heading && heading.color !== text ? heading.color : undefined],
  ["--color-accent", "colour", button?.background ?? link],
  ["--color-on-accent", "colour", button?.text],
  ["--color-link", "colour", button && link !== button.background ? link : undefined],
  ["--color-border", "colour", border],
];

function measures({ font, size, heading, button, radii, gaps }: LookStyle): Row[] {
  const pixels = (value: number | undefined) => (value === undefined ? undefined : `${value}px`);
  const [small, medium, large] = gaps.slice(0, 3).toSorted((a, b) => a - b);
  return [
    ["--font-body", "type", font],
    ["--font-heading", "type", heading && heading.font !== font ? heading.font : undefined],
    ["--text-base", "type", pixels(size)],
    ["--text-heading", "type", pixels(heading?.size)],
    ["--spacing-small", "spacing", pixels(small)],
    ["--spacing-medium", "spacing", pixels(medium)],
    ["--spacing-large", "spacing", pixels(large)],
    ["--radius-medium", "radius", pixels(button?.radius ?? radii[0])],
  ];
}
