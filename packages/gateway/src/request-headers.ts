import type { IncomingMessage } from "node:http";
import { type Framing, framingHeader, isForwarding, readFraming } from "@treadle/common";
import { isForeignPage } from "./foreign-page.ts";
import { endToEndHeaders, type HeaderLists } from "./hop-headers.ts";
import { foreignCookies } from "./own-cookies.ts";
import type { Rewriting } from "./types.ts";

/** Where browsers say that they navigate, or where the client is too old or too plain to say. */
export function isDocumentRequest({ headers, method }: IncomingMessage): boolean {
  if (method !== "GET" && method !== "POST") return false;
  const destination = headers["sec-fetch-dest"];
  if (destination !== undefined)
    return /^(?:document|iframe|frame|embed|object)$/.test(String(destination));
  const fetched = headers["x-requested-with"] ?? headers["hx-request"];
  return fetched === undefined && (headers.accept ?? "").includes("text/html");
}

/** Whether it may be the document of a frame; browsers say so only where an address is trustworthy. */
export const isFramed = ({ headers }: IncomingMessage): boolean =>
  headers["sec-fetch-dest"] === undefined || headers["sec-fetch-dest"] === "iframe";

/**
 * What of a request reaches generated code: all of it but Treadle's own cookies, wherever they stand, and Treadle's
 * token (A14); no cookie and no login at all where another project's page asks (A76). Host goes unchanged, since dev servers compare it with Origin; where another port's page asks, and where
 * the app answers to `localhost` alone, both are what the app knows them as. Nothing that says who asks, or by which name:
 * anybody may have written it. Only of a look the app is told an address, which is that look's alone.
 * @param framing how the request says where its body ends. What is sent says the same, and says it once.
 * @throws Error if the request has two ends
 */
export function upstreamHeaders(
  request: IncomingMessage,
  { token, neighbour, look }: Pick<Rewriting, "token" | "neighbour" | "look">,
  framing: Framing | undefined = readFraming(request),
): HeaderLists {
  if (!framing) throw new Error("The request says in more than one way where it ends.");
  const headers = endToEndHeaders(request);
  for (const name of Object.keys(headers)) if (isForwarding(name)) delete headers[name];
  if (look) headers["x-forwarded-for"] = [look.address];
  const isForeign = isForeignPage(request.headers);
  const cookies = isForeign ? [] : foreignCookies(headers.cookie ?? []);
  if (cookies.length > 0) headers.cookie = [cookies.join("; ")];
  else delete headers.cookie;
  if (token === undefined) delete headers.authorization;
  else
    for (const [name, values] of Object.entries(headers))
      if (values.some((value) => holds(value, token))) delete headers[name];
  if (neighbour) headers.host = [neighbour.host];
  if (neighbour && headers.origin) headers.origin = [neighbour.origin];
  delete headers["content-length"];
  const [name, value] = framingHeader(framing);
  if (name !== undefined) headers[name] = [value!];
  if (isDocumentRequest(request)) {
    // The probe goes into the document: whole, uncompressed, and never one the browser has from before.
    headers["accept-encoding"] = ["identity"];
    delete headers["if-none-match"];
    delete headers["if-modified-since"];
    delete headers.range;
  }
  return headers;
}

/** As it is, or inside of Basic credentials. */
function holds(value: string, token: string): boolean {
  if (value.includes(token)) return true;
  const basic = /^Basic\s+(\S+)/i.exec(value)?.[1];
  return basic !== undefined && Buffer.from(basic, "base64").toString("utf8").includes(token);
}
