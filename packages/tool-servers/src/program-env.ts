/**
 * What a program is given besides its own values. npm asks three times, over 70 seconds, before it says that it has no
 * network: longer than a server has to start, and then nobody knows why.
 */
export const PROGRAM_ENV: Record<string, string> = { npm_config_fetch_retries: "1" };
