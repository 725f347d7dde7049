import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { isOfConnection, namedByConnection } from "../gateway/hop-headers.ts";
import { foreignCookies, isOwnCookie } from "../gateway/own-cookies.ts";
import type { HeaderLines } from "./answer-reader.ts";

/** Said by the door itself. */
const SAID_HERE = new Set([
  "host",
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
]);

/** But for the script that tells errors, nothing of a published page is changed; these would reach beyond its host, or speak for our connection. */
const STRIPPED = new Set(["set-cookie2", "alt-svc", "service-worker-allowed"]);

/** The head of a request as it goes to an app, in Latin-1. @param token as for `appHeaders` */
export function appHead(request: IncomingMessage, path: string, token: string): string {
  const lines = appHeaders(request, token);
  let head = `${request.method!} ${path} HTTP/1.1\r\nconnection: keep-alive\r\n`;
  for (let index = 0; index < lines.length; index += 2)
    head += `${lines[index]!}: ${lines[index + 1]!}\r\n`;
  // A body comes in pieces where it does not say how long it is.
  if (request.headers["transfer-encoding"] !== undefined) head += "transfer-encoding: chunked\r\n";
  return `${head}\r\n`;
}

/**
 * What an app is told with a request: all that is not of the connection, or Treadle's.
 * @param token Treadle's own: a header that holds it is left out
 */
function appHeaders(request: IncomingMessage, token: string): HeaderLines {
  const { rawHeaders, headers } = request;
  const { host = "" } = headers;
  const named = namedByConnection(headers.connection);
  const lines: HeaderLines = ["host", host];
  const cookies: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    const value = rawHeaders[index + 1]!;
    if (isOfConnection(name) || SAID_HERE.has(name) || named?.has(name)) continue;
    if (name === "cookie") cookies.push(value);
    else if (!value.includes(token)) lines.push(name, value);
  }
  const kept = cookies.length === 0 ? "" : foreignCookies(cookies).join("; ");
  if (kept !== "" && !kept.includes(token)) lines.push("cookie", kept);
  const forwarded = isForwarded(headers);
  lines.push(
    "x-forwarded-for",
    (forwarded && lastForwarded(headers)) || (request.socket.remoteAddress ?? ""),
    "x-forwarded-proto",
    forwarded ? "https" : "http",
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

/**
 * Only programs of this machine reach the server, and those that ask for a public name are the web server in front of it.
 * It has said itself whom it speaks for; what stands further left is what anybody may have written.
 */
const isForwarded = (headers: IncomingHttpHeaders) =>
  headers["x-forwarded-proto"] === "https" && !/\.localhost(?::\d+)?$/i.test(headers.host ?? "");

function lastForwarded(headers: IncomingHttpHeaders): string | undefined {
  const said = headers["x-forwarded-for"];
  const last = (Array.isArray(said) ? said.join(",") : said)?.split(",").at(-1)?.trim();
  return last !== undefined && isIP(last) !== 0 ? last : undefined;
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
