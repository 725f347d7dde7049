import type { TokenGroup } from "@treadle/protocol";
import type { DraftEdit } from "../project/design-store.ts";

const BASE: readonly [TokenGroup, Record<string, string>][] = [
  [
    "colour",
    {
      "--color-background": "#ffffff",
      "--color-text": "#1f1d1a",
      "--color-quiet": "#5f5a52",
      "--color-accent": "#1f5fa8",
      "--color-on-accent": "#ffffff",
    },
  ],
  [
    "type",
    { "--font-body": "system-ui, sans-serif", "--text-base": "1rem", "--text-large": "1.5rem" },
  ],
  [
    "spacing",
    { "--spacing-small": "0.5rem", "--spacing-medium": "1rem", "--spacing-large": "2rem" },
  ],
  ["radius", { "--radius-medium": "0.5rem" }],
];
const DARK: Record<string, string> = {
  "--color-background": "#171614",
  "--color-text": "#ece8df",
  "--color-quiet": "#a8a196",
  "--color-accent": "#8ab8ee",
  "--color-on-accent": "#10233a",
};

/** Tokens for a project that has none. Tailwind derives classes from their names. */
export const starterTokens = (): DraftEdit[] => [
  ...BASE.flatMap(([group, values]) =>
    Object.entries(values).map(([name, value]) => ({ name, mode: "base", value, group })),
  ),
  ...Object.entries(DARK).map(([name, value]) => ({ name, mode: "dark", value })),
];
