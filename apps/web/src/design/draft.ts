import type { DesignToken, ProjectDesign } from "@treadle/protocol";
import type { DraftEdit } from "../project/design-store.ts";

/** The design with the unsaved values applied. */
export function withDraft(design: ProjectDesign, draft: readonly DraftEdit[]): ProjectDesign {
  const tokens = new Map(design.tokens.map((token) => [token.name, token]));
  const modes = [...design.modes];
  for (const { name, mode, value, group = "other" } of draft) {
    const token: DesignToken = tokens.get(name) ?? { name, group, values: {} };
    tokens.set(name, { ...token, values: { ...token.values, [mode]: value } });
    if (!modes.some(({ id }) => id === mode)) modes.push({ id: mode, kind: "system" });
  }
  return { ...design, modes, tokens: [...tokens.values()] };
}

/** A token's value in a mode, or else its base value; undefined if it has neither. */
export const valueIn = ({ values }: DesignToken, mode: string): string | undefined =>
  values[mode] ?? values["base"];

/** Maximum number of references followed to a value, so that a circular one ends. */
const MAX_REFERENCES = 10;

/** A token's value as a CSS colour, with references to other tokens followed; undefined if it has none in that mode. */
export function colourIn(
  { tokens }: ProjectDesign,
  token: DesignToken | undefined,
  mode: string,
): string | undefined {
  let current = token;
  for (let step = 0; current && step < MAX_REFERENCES; step++) {
    const value = valueIn(current, mode);
    if (value === undefined) return undefined;
    const [, name] = /^var\(\s*(--[^\s,()]+)\s*\)$/.exec(value) ?? [];
    if (name === undefined)
      return current.channels === undefined ? value : `${current.channels}(${value})`;
    current = tokens.find((one) => one.name === name);
  }
  return undefined;
}

/** Converts `#rrggbb` to the HSL channels in which some tokens are written: `210 40% 98%`. */
export function asChannels(hex: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => parseInt(hex.slice(at, at + 2), 16) / 255,
  );
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const [lightness, range] = [(most + least) / 2, most - least];
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1));
  const hue =
    range === 0
      ? 0
      : most === red
        ? ((green - blue) / range + 6) % 6
        : most === green
          ? (blue - red) / range + 2
          : (red - green) / range + 4;
  const round = (value: number) => Math.round(value * 10) / 10;
  return `${round(hue * 60)} ${round(saturation * 100)}% ${round(lightness * 100)}%`;
}

/**
 * A style sheet that shows unsaved values in a page. Contains all modes of a changed token, in their order, because its
 * value for the dark scheme must still take precedence over the base value.
 */
export function draftSheet(design: ProjectDesign, draft: readonly DraftEdit[]): string {
  const names = new Set(draft.map(({ name }) => name));
  const { tokens, modes } = withDraft(design, draft);
  return modes
    .map(({ id, kind }) => {
      const values = tokens.flatMap(({ name, values: { [id]: value } }) =>
        names.has(name) && value !== undefined ? [`${name}: ${value} !important;`] : [],
      );
      if (values.length === 0) return "";
      const rule = `${kind === "selector" ? id : ":root"} { ${values.join(" ")} }`;
      return kind === "system" ? `@media (prefers-color-scheme: ${id}) { ${rule} }` : rule;
    })
    .filter((rule) => rule !== "")
    .join("\n");
}
