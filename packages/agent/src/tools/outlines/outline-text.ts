import type { Outline } from "./types.ts";

/** A file's definitions, one per line below its name, or why they are unknown. */
export function outlineText(name: string, outline: Outline): string {
  if (!outline.ok) return `${name}: ${outline.why}`;
  const { definitions, brokenAt } = outline;
  const lines = definitions.map(
    ({ line, depth, text }) => `  ${line}: ${"  ".repeat(depth)}${text}`,
  );
  const note = brokenAt === undefined ? "" : ` (its syntax is broken from line ${brokenAt})`;
  return [`${name}${note}`, ...(lines.length > 0 ? lines : ["  (defines nothing)"])].join("\n");
}
