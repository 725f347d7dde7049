import type { JSONObject } from "@ai-sdk/provider";
import type { ThinkingLevel } from "@treadle/protocol";

const EFFORT = { off: "none", low: "low", high: "high" } as const;

/**
 * The request options for a level of thinking. The library translates them for each provider (a budget or an effort for
 * Anthropic, an effort for OpenAI and compatible servers, `thinkingConfig` for Google). For OpenRouter, whose library
 * passes options on unchanged, they are written here.
 */
export function thinkingOptions(level: ThinkingLevel | undefined): {
  call: { reasoning?: (typeof EFFORT)[ThinkingLevel] };
  providerOptions: Record<string, JSONObject>;
} {
  if (level === undefined) return { call: {}, providerOptions: {} };
  const reasoning = level === "off" ? { enabled: false } : { effort: level };
  return { call: { reasoning: EFFORT[level] }, providerOptions: { openrouter: { reasoning } } };
}
