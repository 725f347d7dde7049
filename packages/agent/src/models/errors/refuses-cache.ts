import type { ModelFailure } from "./model-failure.ts";

/** Characters of an answer that are looked at. */
const LOOKED_AT = 4_000;

/**
 * Whether the model's server refused the request because it says what is to be cached: by the names that providers give the
 * setting. It can be asked again without.
 */
export const refusesCache = ({ code, message }: ModelFailure): boolean =>
  code === "provider-refused" &&
  /cache[_ ]?(?:control|point|key|options|retention|breakpoint)|prompt[_ ]cach|\bttl\b/i.test(
    message.slice(0, LOOKED_AT),
  );
