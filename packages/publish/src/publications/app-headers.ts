import type { IncomingMessage } from "node:http";
import { isForwarding, type Visitor } from "@treadle/common";
import { foreignCookies, isOfConnection, isOwnCookie, namedByConnection } from "@treadle/gateway";
import type { HeaderLines } from "./answer-reader.ts";

/**
 * Headers that are removed from an answer, since they would affect other hosts or Treadle's own
 * connection. Otherwise a published page is unchanged, except for the error-reporting script.
 */
const STRIPPED = new Set(["set-cookie2", "alt-svc"]);

/**
 * The headers of a request or an upgrade for an app: all except those of the connection, of the
 * body's length, of the client's address, and Treadle's own. Only Treadle states the client's
 * address.
 * @param token Treadle's own; a header that contains it is dropped
 */
export function appHeaders(request: IncomingMessage, token: string, visitor: Visitor): HeaderLines {
  const { rawHeaders, headers } = request;
  const { host = "" } = headers;
  const named = namedByConnection(headers.connection);
  const lines: HeaderLines = ["host", host];
  const cookies: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    const value = rawHeaders[index + 1]!;
    if (name === "host" || name === "content-length" || isOfConnection(name)) continue;
    if (isForwarding(name) || named?.has(name)) continue;
    if (name === "cookie") cookies.push(value);
    else if (!value.includes(token)) lines.push(name, value);
  }
  const cookiesLeft = cookies.length === 0 ? "" : foreignCookies(cookies).join("; ");
  if (cookiesLeft !== "" && !cookiesLeft.includes(token)) lines.push("cookie", cookiesLeft);
  lines.push(
    "x-forwarded-for",
    visitor.address,
    "x-forwarded-proto",
    visitor.protocol,
    "x-forwarded-host",
    host,
  );
  return lines;
}

/**
 * The headers of an app's answer for a browser.
 * @param asked.host the requested host
 * @param asked.sharesHost whether other apps use that host at other ports
 */
export function browserHeaders(
  answer: HeaderLines,
  { host, sharesHost }: { host: string; sharesHost: boolean },
): HeaderLines {
  const named = namedByConnection(valueOf(answer, "connection"));
  const lines: HeaderLines = [];
  for (let index = 0; index < answer.length; index += 2) {
    const name = answer[index]!;
    const value = answer[index + 1]!;
    if (isOfConnection(name) || STRIPPED.has(name) || named?.has(name)) continue;
    // The header clears the data of the host, including cookies of the workbench and of apps at
    // other ports.
    if (sharesHost && name === "clear-site-data") continue;
    if (name !== "set-cookie" || isForOwnHost(value, host)) lines.push(name, value);
  }
  return lines;
}

/** The headers of an answer read by Node's client. */
export const linesOf = ({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): HeaderLines =>
  rawHeaders.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text));

/**
 * All values of a header, separated by commas; undefined if there are none.
 * @param name in lower case, like those of the lines
 */
export function valueOf(lines: HeaderLines, name: string): string | undefined {
  let value: string | undefined;
  for (let index = 0; index < lines.length; index += 2)
    if (lines[index] === name)
      value = value === undefined ? lines[index + 1]! : `${value}, ${lines[index + 1]!}`;
  return value;
}

/** The values of all headers by name. */
export function valuesOf(lines: HeaderLines): Record<string, string[]> {
  const values: Record<string, string[]> = Object.create(null);
  for (let index = 0; index < lines.length; index += 2)
    (values[lines[index]!] ??= []).push(lines[index + 1]!);
  return values;
}

/**
 * Whether a cookie affects only its app. One for a wider domain would reach other apps; one with a
 * name of Treadle's could be mistaken for Treadle's.
 */
function isForOwnHost(line: string, host: string): boolean {
  const [pair = "", ...attributes] = line.split(";");
  if (isOwnCookie(pair)) return false;
  const domain = attributes
    .map((attribute) => /^\s*domain\s*=\s*\.?([^\s]*)/i.exec(attribute)?.[1])
    .findLast((one) => one !== undefined);
  return (
    domain === undefined ||
    domain === "" ||
    domain.toLowerCase() === host.replace(/:\d+$/, "").toLowerCase()
  );
}
