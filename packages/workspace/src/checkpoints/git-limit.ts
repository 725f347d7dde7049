/**
 * Time limit for one git script, in milliseconds: reading the largest possible project takes a
 * fraction of it.
 */
export const GIT_MS = 300_000;

/** The message for a script that exceeded its time. */
export const GIT_LATE = "git did not end in time";
