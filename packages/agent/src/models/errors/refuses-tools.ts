import type { ModelFailure } from "./model-failure.ts";

/** Characters of an answer that are looked at: the pattern below takes the square of them. */
const LOOKED_AT = 4_000;

/** As Ollama, vLLM, OpenRouter and others say that a model has no tool calls. */
const NO_TOOLS =
  /\btools?\b[^.]*\b(?:not supported|unsupported)|(?:not|n't) support[^.]*\b(?:tool|function)s?\b|no endpoints found that support tool use|\btool[ _-]?(?:choice|use|calling)\b[^.]*\b(?:requires|not enabled|disabled)/i;

/** Whether the model's server refused the request because of its tools: it can be asked again in another dialect. */
export const refusesTools = ({ code, message }: ModelFailure): boolean =>
  code === "provider-refused" && NO_TOOLS.test(message.slice(0, LOOKED_AT));

/**
 * A model that was not known in advance may reject a temperature: it says so, and is asked again
 * without one.
 */
export const refusesTemperature = ({ code, message }: ModelFailure): boolean =>
  code === "provider-refused" && /temperature/i.test(message);
