import type { CallToolResult } from "@modelcontextprotocol/server";

/** A sentence for who reads, and the same for programs. */
export const told = (text: string, structured: object): CallToolResult => ({
  content: [{ type: "text", text }],
  structuredContent: structured as Record<string, unknown>,
});

export const failed = (text: string): CallToolResult => ({
  content: [{ type: "text", text }],
  isError: true,
});
