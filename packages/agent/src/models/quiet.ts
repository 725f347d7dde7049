/**
 * The library prints a warning for each setting that a model does not support, at every call. Which settings are sent
 * is decided here, and a server's output is for what its owner can act on.
 */
globalThis.AI_SDK_LOG_WARNINGS = false;
