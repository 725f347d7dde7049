import type { ModelFailure } from "./model-failure.ts";

/** Maximum characters of a message that are searched. */
const LOOKED_AT = 4_000;

/**
 * Whether the model's server rejected the request because of its cache settings, by the names that providers use. It
 * can be asked again without them.
 */
export const refusesCache = ({ code, message }: ModelFailure): boolean =>
  code === "provider-refused" &&
  /cache[_ ]?(?:control|point|key|options|retention|breakpoint)|prompt[_ ]cach|\bttl\b/i.test(
    message.slice(0, LOOKED_AT),
  );
