import type { ContextKind, ContextUse } from "@treadle/protocol";

const NAMES: Record<ContextKind, string> = {
  prompt: "Treadle’s instructions",
  tools: "Tools",
  mcp: "Foreign tools (MCP)",
  rules: "Rules, and what there is",
  skills: "Skills that were opened",
  files: "Files that were read",
  results: "Other results of tools",
  evidence: "What was seen of the app",
  conversation: "Conversation and edits",
  pictures: "Pictures",
};

export interface ContextRow {
  kind: ContextKind;
  name: string;
  tokens: number;
  /** Of all kinds together, 0 to 1. */
  part: number;
}

/** What a request held, by kind in a fixed order, what there is nothing of left out. */
export function contextRows({ parts }: ContextUse): { total: number; rows: ContextRow[] } {
  const kinds = Object.keys(NAMES) as ContextKind[];
  const total = kinds.reduce((sum, kind) => sum + (parts[kind] ?? 0), 0);
  const rows = kinds
    .filter((kind) => parts[kind] !== undefined)
    .map((kind) => {
      const tokens = parts[kind] ?? 0;
      return { kind, name: NAMES[kind], tokens, part: total === 0 ? 0 : tokens / total };
    });
  return { total, rows };
}
