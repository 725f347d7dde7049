import type { CallToolResult } from "@modelcontextprotocol/server";
import { visibleText, withoutControls } from "@treadle/protocol/safe-text";

/**
 * Text of models, programs and pages for another agent: terminal control sequences are removed, invisible characters
 * escaped.
 */
export const plain = (text: string): string => visibleText(withoutControls(text));

/** Applies `plain` to all strings in a value, including the names of fields. */
function plainly(value: unknown): unknown {
  if (typeof value === "string") return plain(value);
  if (Array.isArray(value)) return value.map(plainly);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [plain(name), plainly(field)]),
  );
}

/** A result with a text for people and structured content for programs. */
export const toolResult = (text: string, structured: object): CallToolResult => ({
  content: [{ type: "text", text: plain(text) }],
  structuredContent: plainly(structured) as Record<string, unknown>,
});

export const failed = (text: string): CallToolResult => ({
  content: [{ type: "text", text: plain(text) }],
  isError: true,
});
