/**
 * The library prints each setting that a model does not take, once a call. Which settings are sent is decided here and
 * known; a server's output is for what its owner can act on.
 */
globalThis.AI_SDK_LOG_WARNINGS = false;
