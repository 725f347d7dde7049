import type { IncomingMessage } from "node:http";
import { isForwarding, type Visitor } from "@treadle/common";
import { foreignCookies, isOfConnection, isOwnCookie, namedByConnection } from "@treadle/gateway";
import type { HeaderLines } from "./answer-reader.ts";

/** But for the script that tells errors, nothing of a published page is changed; these would reach beyond its host, or speak for our connection. */
const STRIPPED = new Set(["set-cookie2", "alt-svc"]);

/**
 * What an app is told with a request or an upgrade: all headers but those of the connection, those that say where the body
 * ends, those that say who asks, and Treadle's own. Who asks is said by Treadle alone.
 * @param token Treadle's own: a header that holds it is left out
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
 * What a browser is told of an app's answer.
 * @param asked.host as the browser asked for it
 * @param asked.sharesHost others answer at that host, at other ports
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
    // It empties the host, whose cookies the workbench and other apps at ports have as well.
    if (sharesHost && name === "clear-site-data") continue;
    if (name !== "set-cookie" || isForOwnHost(value, host)) lines.push(name, value);
  }
  return lines;
}

/** The headers of an answer that Node's client has read. */
export const linesOf = ({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): HeaderLines =>
  rawHeaders.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text));

/** All that is said by one name. @param name in lower case, as those of the lines are */
export function valueOf(lines: HeaderLines, name: string): string | undefined {
  let value: string | undefined;
  for (let index = 0; index < lines.length; index += 2)
    if (lines[index] === name)
      value = value === undefined ? lines[index + 1]! : `${value}, ${lines[index + 1]!}`;
  return value;
}

/** The same by every name. */
export function valuesOf(lines: HeaderLines): Record<string, string[]> {
  const values: Record<string, string[]> = Object.create(null);
  for (let index = 0; index < lines.length; index += 2)
    (values[lines[index]!] ??= []).push(lines[index + 1]!);
  return values;
}

/** A cookie for a wider domain would reach other apps; one of Treadle's names could be taken for Treadle's. */
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
