import type { ModelFailure } from "./model-failure.ts";

/** Maximum characters of a message that are searched: the time of the pattern grows with their square. */
const LOOKED_AT = 4_000;

/** Matches messages of Ollama, vLLM, OpenRouter and others that a model has no tool calls. */
const NO_TOOLS =
  /\btools?\b[^.]*\b(?:not supported|unsupported)|(?:not|n't) support[^.]*\b(?:tool|function)s?\b|no endpoints found that support tool use|\btool[ _-]?(?:choice|use|calling)\b[^.]*\b(?:requires|not enabled|disabled)/i;

/** Whether the model's server rejected the request because of its tools. It can be asked again in another dialect. */
export const refusesTools = ({ code, message }: ModelFailure): boolean =>
  code === "provider-refused" && NO_TOOLS.test(message.slice(0, LOOKED_AT));

/** Whether the model rejected the temperature. It can be asked again without one. */
export const refusesTemperature = ({ code, message }: ModelFailure): boolean =>
  code === "provider-refused" && /temperature/i.test(message);
