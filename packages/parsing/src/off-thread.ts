import { availableParallelism } from "node:os";
import { createParserPool } from "./parser-pool.ts";
import { createResultCache } from "./result-cache.ts";

/** How a call waits for its turn. */
export interface RunOptions {
  /** Whose text it is, usually a project's id. Calls of different lanes take turns. */
  lane: string;
  signal?: AbortSignal | undefined;
}

export interface ParserOptions {
  /** Time limit for one text, in milliseconds; generous enough for ordinary texts on a slow machine. */
  limitMs: number;
  /** Whether results are remembered by the arguments. Off by default. */
  isCached?: boolean;
}

/** Maximum characters of all cached results. */
const CACHE_CHARS = 16_000_000;

/** The process has one pool, so a flood of texts occupies only these threads. */
const pool = createParserPool({
  threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
  heapMegabytes: 256,
  loadMs: 60_000,
  idleMs: 30_000,
  waitingPerLane: 20_000,
});
const cache = createResultCache(CACHE_CHARS);

/**
 * Returns a function that calls `parse` of a parser module on a worker thread. The module is named `*.parser.ts` and is
 * imported by nothing but the thread (and by tests), so that its libraries are never loaded on the server's own thread.
 * @param base `import.meta.url` of the caller
 * @param file path of the parser module relative to the caller, ending in `.parser.ts`
 * @returns a function that rejects with ParserFailure if the text takes too long, needs too much memory, or cannot be
 * parsed
 */
export function offThread<Parse extends (...args: never[]) => unknown>(
  base: string,
  file: `./${string}.parser.ts`,
  { limitMs, isCached = false }: ParserOptions,
): (options: RunOptions, ...args: Parameters<Parse>) => Promise<Awaited<ReturnType<Parse>>> {
  const built = base.endsWith(".ts") ? file : file.replace(/ts$/, "js");
  const module = new URL(built, base).href;
  return (options, ...args) => {
    const run = () => pool.run({ module, args, limitMs, ...options });
    const result = isCached ? cache.get(module, args, run) : run();
    return result as Promise<Awaited<ReturnType<Parse>>>;
  };
}
