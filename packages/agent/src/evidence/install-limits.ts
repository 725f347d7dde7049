/**
 * How long an install may take, and how long it may say nothing. npm is silent while it fetches, and one that is ended
 * begins anew: on a slow line, or beside much else, two minutes of silence are none of its fault (F17).
 */
export const INSTALL_LIMITS = { timeoutMs: 10 * 60_000, quietMs: 5 * 60_000 };
