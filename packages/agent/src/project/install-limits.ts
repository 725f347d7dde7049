/**
 * Time limits of an install in milliseconds: in total, and without output. npm waits minutes for an unresponsive
 * registry, and an install that is aborted has to begin again (F17).
 */
export const INSTALL_LIMITS = { timeoutMs: 30 * 60_000, quietMs: 5 * 60_000 };
