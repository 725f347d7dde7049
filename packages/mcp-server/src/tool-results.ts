import type { CallToolResult } from "@modelcontextprotocol/server";
import { visibleText, withoutControls } from "@treadle/protocol/safe-text";

/** Text of models, programs and pages as another agent shows it to its person: nothing that a terminal obeys or that hides. */
export const plain = (text: string): string => visibleText(withoutControls(text));

/** The same in all that a value holds, names of fields included. */
function plainly(value: unknown): unknown {
  if (typeof value === "string") return plain(value);
  if (Array.isArray(value)) return value.map(plainly);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [plain(name), plainly(field)]),
  );
}

/** A sentence for who reads, and the same for programs. */
export const toolResult = (text: string, structured: object): CallToolResult => ({
  content: [{ type: "text", text: plain(text) }],
  structuredContent: plainly(structured) as Record<string, unknown>,
});

export const failed = (text: string): CallToolResult => ({
  content: [{ type: "text", text: plain(text) }],
  isError: true,
});
