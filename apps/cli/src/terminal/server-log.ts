import type { TreadleOptions } from "@treadle/server";
import { plain } from "./plain.ts";

/** What a server writes to its output: notices, and with `json` its requests. */
export interface ServerLog {
  onNotice(text: string): void;
  onRequest?: NonNullable<TreadleOptions["onRequest"]>;
}

/**
 * The log in the format of `TREADLE_LOG`: `text` (the default) writes notices as sentences, `json` writes notices and
 * requests as JSON Lines, for programs that collect logs.
 * @throws Error with a sentence, if it is neither
 */
export function createServerLog(
  format: string | undefined,
  write: (line: string) => void,
  now: () => Date = () => new Date(),
): ServerLog {
  if (format === undefined || format === "text")
    return { onNotice: (text) => write(`${plain(text)}\n`) };
  if (format !== "json")
    throw new Error(`TREADLE_LOG is text or json, not ${JSON.stringify(format)}.`);
  const entry = (level: string, fields: object) =>
    write(`${JSON.stringify({ time: now().toISOString(), level, ...fields })}\n`);
  return {
    onNotice: (text) => entry("warn", { message: plain(text).trim() }),
    onRequest: ({ id, method, route, path, status, ms }) =>
      entry(status >= 500 ? "error" : "info", {
        message: "request",
        requestId: id,
        method,
        path,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
      }),
  };
}
