import { clipLine } from "../text/clip.ts";

/** Characters of one line of a server's own log. */
const LINE = 1_000;

/** What a notification of a server says for its log, as a line; undefined where it is another. */
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
