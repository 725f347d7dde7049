import { createHash } from "node:crypto";
import type { Asked } from "../play/asked.ts";
import { LIMITS } from "./limits.ts";

/** Counts how often the same conversation was sent to the same model. */
export function createAttempts(): (asked: Asked) => number {
  const counts = new Map<string, number>();
  return (asked) => {
    const key = createHash("sha256")
      .update(JSON.stringify([asked.model, asked.entries]))
      .digest("base64");
    const count = (counts.get(key) ?? 0) + 1;
    counts.delete(key);
    counts.set(key, count);
    const oldest = counts.size > LIMITS.countedConversations ? counts.keys().next() : undefined;
    if (oldest?.value !== undefined) counts.delete(oldest.value);
    return count;
  };
}
