/**
 * A program's environment besides its own values. By default, npm retries three times, over 70
 * seconds, before it reports a missing network: longer than the time limit for a server's start,
 * which would hide the reason.
 */
export const PROGRAM_ENV: Record<string, string> = { npm_config_fetch_retries: "1" };
