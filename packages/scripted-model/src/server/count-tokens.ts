import { bodyOf } from "../play/plan-answer.ts";
import type { Plan } from "../play/types.ts";
import type { Entry } from "../play/asked.ts";
import type { TokenCount } from "../wires/types.ts";

/** Average characters per token, in English and code: the rule of thumb used for budgets here. */
const CHARACTERS_PER_TOKEN = 4;
/** Providers cache prefixes in blocks; a shorter common prefix does not count. */
const CACHE_BLOCK_TOKENS = 128;

/**
 * Tokens of one exchange: characters / 4. `before` is the previous request to the same model: the
 * common prefix counts as cached, so that rewriting a history instead of appending shows in the
 * numbers.
 */
export function countTokens(entries: Entry[], before: string, plan: Plan): TokenCount {
  const prompt = promptText(entries);
  const shared = Math.floor(sharedPrefix(prompt, before) / CHARACTERS_PER_TOKEN);
  let output = 0;
  let reasoning = 0;
  for (const piece of plan.pieces) {
    const tokens = Math.ceil(bodyOf(piece).length / CHARACTERS_PER_TOKEN);
    output += tokens;
    if (piece.type === "think") reasoning += tokens;
  }
  return {
    input: Math.ceil(prompt.length / CHARACTERS_PER_TOKEN),
    cached: shared - (shared % CACHE_BLOCK_TOKENS),
    output,
    reasoning,
  };
}

export function promptText(entries: Entry[]): string {
  return entries.map((entry) => `${entry.by}\n${entry.text}`).join("\n");
}

function sharedPrefix(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}
