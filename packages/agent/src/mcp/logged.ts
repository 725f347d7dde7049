import { clipLine } from "../text/clip.ts";

/** Maximum length of one line of a server's log, in characters. */
const LINE = 1_000;

/** The log line in a notification of a server; undefined if it is another notification. */
export function loggedText({
  method,
  params,
}: {
  method: string;
  params?: Record<string, unknown>;
}): string | undefined {
  if (method !== "notifications/message") return undefined;
  const { level, logger, data } = params ?? {};
  const message = typeof data === "string" ? data : (JSON.stringify(data) ?? "");
  const from = [level, logger].filter((word) => typeof word === "string").join(" ");
  return `${clipLine(from === "" ? message : `${from}: ${message}`, LINE)}\n`;
}
