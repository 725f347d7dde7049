import type { ContextKind, ContextUse } from "@treadle/protocol";
import { words } from "../words/words.ts";

/** Display order. */
const KINDS: readonly ContextKind[] = [
  "prompt",
  "tools",
  "mcp",
  "rules",
  "skills",
  "files",
  "results",
  "evidence",
  "conversation",
  "pictures",
];

export interface ContextRow {
  kind: ContextKind;
  name: string;
  tokens: number;
  /** Fraction of the total, from 0 to 1. */
  part: number;
}

/** The contents of a request by kind, in a fixed order, without empty kinds. */
export function contextRows({ parts }: ContextUse): { total: number; rows: ContextRow[] } {
  const total = KINDS.reduce((sum, kind) => sum + (parts[kind] ?? 0), 0);
  const rows = KINDS.filter((kind) => parts[kind] !== undefined).map((kind) => {
    const tokens = parts[kind] ?? 0;
    return { kind, name: words.usage.kinds[kind], tokens, part: total === 0 ? 0 : tokens / total };
  });
  return { total, rows };
}
