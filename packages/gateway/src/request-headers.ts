import type { IncomingMessage } from "node:http";
import { type Framing, framingHeader, isForwarding, readFraming } from "@treadle/common";
import { isForeignPage } from "./foreign-page.ts";
import { endToEndHeaders, type HeaderLists } from "./hop-headers.ts";
import { foreignCookies } from "./own-cookies.ts";
import type { Rewriting } from "./types.ts";

/** Whether a request is for a document, as browsers declare it; of other clients, one for HTML that no script sends. */
export function isDocumentRequest({ headers, method }: IncomingMessage): boolean {
  if (method !== "GET" && method !== "POST") return false;
  const destination = headers["sec-fetch-dest"];
  if (destination !== undefined)
    return /^(?:document|iframe|frame|embed|object)$/.test(String(destination));
  const fetched = headers["x-requested-with"] ?? headers["hx-request"];
  return fetched === undefined && (headers.accept ?? "").includes("text/html");
}

/** Whether this may be a frame's document; browsers only declare that on trustworthy origins. */
export const isFramed = ({ headers }: IncomingMessage): boolean =>
  headers["sec-fetch-dest"] === undefined || headers["sec-fetch-dest"] === "iframe";

/**
 * The headers that reach generated code: all except Treadle's own cookies, wherever they appear, and Treadle's token
 * (A14). If another project's page makes the request, all cookies and logins are removed (A76). Host stays unchanged,
 * because dev servers compare it with Origin. If the page of another port makes the request, or the app answers to
 * `localhost` alone, both are set to what the app expects. Headers that claim the client's address or name are removed,
 * because anyone may have written them. Only a check passes the app an address, which belongs to that check alone.
 * @param framing how the request delimits its body. The forwarded request does the same, exactly once.
 * @throws Error if the request delimits its body twice
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
    // The probe is inserted into the document, so it must arrive complete, uncompressed and never from the cache.
    headers["accept-encoding"] = ["identity"];
    delete headers["if-none-match"];
    delete headers["if-modified-since"];
    delete headers.range;
  }
  return headers;
}

/** Whether a header contains the token, plainly or in Basic credentials. */
function holds(value: string, token: string): boolean {
  if (value.includes(token)) return true;
  const basic = /^Basic\s+(\S+)/i.exec(value)?.[1];
  return basic !== undefined && Buffer.from(basic, "base64").toString("utf8").includes(token);
}
