/** For one script of git: what a project can hold is read within a fraction of it. Milliseconds. */
export const GIT_MS = 300_000;

/** The message for a script that exceeded its time. */
export const GIT_LATE = "git did not end in time";
