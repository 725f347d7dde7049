import { createHash } from "node:crypto";
import { ParserFailure } from "./parser-failure.ts";

/** Remembers what parsers returned, by their module and their arguments. */
export interface ResultCache {
  /** The cached result of a call, or the result of `parse`, which is then cached. */
  get(module: string, args: readonly unknown[], parse: () => Promise<unknown>): Promise<unknown>;
}

/** Overhead of a cache entry, counted as characters. */
const ENTRY_CHARS = 500;

/**
 * Creates a cache that drops the least recently used entries. A permanent failure, such as a timeout, is cached as
 * well, so that the same text is not parsed again and again.
 * @param limit maximum characters of all results together
 */
export function createResultCache(limit: number): ResultCache {
  const entries = new Map<string, { result: Promise<unknown>; chars: number }>();
  let total = 0;

  function remove(key: string): void {
    total -= entries.get(key)?.chars ?? 0;
    entries.delete(key);
  }

  function resize(key: string, result: Promise<unknown>, chars: number): void {
    const entry = entries.get(key);
    if (entry?.result !== result) return;
    total += chars - entry.chars;
    entry.chars = chars;
    for (const oldest of entries.keys()) {
      if (total <= limit) break;
      remove(oldest);
    }
  }

  return {
    get(module, args, parse) {
      const key = createHash("sha256")
        .update(JSON.stringify([module, args]))
        .digest("base64");
      const known = entries.get(key);
      if (known) {
        entries.delete(key);
        entries.set(key, known);
        return known.result;
      }
      const result = parse();
      entries.set(key, { result, chars: ENTRY_CHARS });
      total += ENTRY_CHARS;
      result.then(
        (value) => resize(key, result, ENTRY_CHARS + sizeOf(value)),
        (error: unknown) => {
          const isPermanent = error instanceof ParserFailure && error.isPermanent;
          if (!isPermanent && entries.get(key)?.result === result) remove(key);
        },
      );
      return result;
    },
  };
}

const sizeOf = (value: unknown): number =>
  typeof value === "string" ? value.length : (JSON.stringify(value) ?? "").length;
