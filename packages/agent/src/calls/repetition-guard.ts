import { stableJson } from "../text/stable-json.ts";
import { SAME_CALL_STOPPED, SAME_CALL_TOLD } from "./limits.ts";

/**
 * Counts identical calls: the same tool with the same arguments. A changed file restarts the count, since building
 * again after a change is no loop.
 */
export interface RepetitionGuard {
  /** Decides about a call. `told`: run it, and say so in the result. `stop`: do not run it, and end the run. */
  check(tool: string, input: unknown): "go" | "told" | "stop";
  filesChanged(): void;
}

export function createRepetitionGuard(): RepetitionGuard {
  const counts = new Map<string, number>();
  return {
    check(tool, input) {
      const key = `${tool} ${stableJson(input)}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count >= SAME_CALL_STOPPED) return "stop";
      return count >= SAME_CALL_TOLD ? "told" : "go";
    },
    filesChanged: () => counts.clear(),
  };
}
