import type { JSONObject } from "@ai-sdk/provider";
import type { ThinkingLevel } from "@treadle/protocol";

const EFFORT = { off: "none", low: "low", high: "high" } as const;

/**
 * How a request says how much is to be thought. The library writes it in each provider's own way (a budget or an effort at
 * Anthropic, an effort at OpenAI and servers that speak its formats, `thinkingConfig` at Google); for OpenRouter it is
 * written here, whose library passes it on as it stands.
 */
export function thinkingOptions(level: ThinkingLevel | undefined): {
  call: { reasoning?: (typeof EFFORT)[ThinkingLevel] };
  providerOptions: Record<string, JSONObject>;
} {
  if (level === undefined) return { call: {}, providerOptions: {} };
  const reasoning = level === "off" ? { enabled: false } : { effort: level };
  return { call: { reasoning: EFFORT[level] }, providerOptions: { openrouter: { reasoning } } };
}
