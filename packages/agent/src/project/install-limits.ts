/**
 * How long an install may take, and how long it may do nothing. npm waits for a registry that does not answer for minutes,
 * and one that is ended begins anew: none of it is its fault (F17).
 */
export const INSTALL_LIMITS = { timeoutMs: 30 * 60_000, quietMs: 5 * 60_000 };
