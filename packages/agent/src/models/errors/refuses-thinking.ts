import type { ModelFailure } from "./model-failure.ts";

/** Characters of an answer that are looked at. */
const LOOKED_AT = 4_000;

/**
 * Whether the model's server refused the request because it says how much is to be thought: by the names that providers
 * give the setting. It can be asked again without.
 */
export const refusesThinking = ({ code, message }: ModelFailure): boolean =>
  code === "provider-refused" &&
  /\breasoning(?:[_. ]?(?:effort|config))?\b|\bthinking|\bthink\b|output_config|\beffort\b/i.test(
    message.slice(0, LOOKED_AT),
  );
