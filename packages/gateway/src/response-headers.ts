import type { IncomingMessage } from "node:http";
import { admitProbe } from "./content-policy.ts";
import { endToEndHeaders, type HeaderLists } from "./hop-headers.ts";
import { previewCookie } from "./set-cookie.ts";
import type { Rewriting } from "./types.ts";

/** Headers with effects beyond the page that sends them (A13). */
const STRIPPED = ["clear-site-data", "set-cookie2", "strict-transport-security", "alt-svc"];
/** Denies pages of generated code access to the person's network, in browsers that support it. */
const NO_LOCAL_NETWORK = "local-network-access=(), local-network=(), loopback-network=()";
const POLICIES = ["content-security-policy", "content-security-policy-report-only"];

/** The headers of an app's response that are sent to the browser. `host` is the requested Host. */
export function browserHeaders(
  answer: IncomingMessage,
  host: string,
  {
    admission,
    neighbour,
    location,
    limit,
  }: Pick<Rewriting, "admission" | "neighbour" | "location" | "limit">,
): HeaderLists {
  const headers = endToEndHeaders(answer);
  for (const name of STRIPPED) delete headers[name];
  // Without isolation, this header only separates the page from windows that it opens: in a frame
  // their opener has another policy, and a sign-in window could not answer.
  if (!asksForIsolation(answer)) delete headers["cross-origin-opener-policy"];
  const cookies = (headers["set-cookie"] ?? []).flatMap((line) => previewCookie(line, host) ?? []);
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  else delete headers["set-cookie"];
  for (const name of POLICIES)
    if (headers[name]) headers[name] = headers[name].map((value) => admitProbe(value, admission));
  admitEmbedders(headers, admission.embedders);
  if (limit !== undefined)
    (headers["content-security-policy"] ??= []).push(admitProbe(limit, admission));
  // The last value of each directive counts.
  (headers["permissions-policy"] ??= []).push(NO_LOCAL_NETWORK);
  const to = headers.location?.[0];
  if (to !== undefined) headers.location = [location(to) ?? to];
  // Permissions that the app grants to the page's origin as it knows it apply to the origin in the
  // browser.
  if (neighbour && headers["access-control-allow-origin"]?.[0] === neighbour.origin)
    headers["access-control-allow-origin"] = [neighbour.page];
  return headers;
}

/**
 * Whether a page should be isolated, as `SharedArrayBuffer` and precise clocks require: its server
 * requests this with two headers, which browsers only honour for a page in its own tab.
 */
export const asksForIsolation = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  /^same-origin\s*(?:;|$)/.test(headers["cross-origin-opener-policy"]?.toString() ?? "") &&
  EMBEDDER.test(headers["cross-origin-embedder-policy"]?.toString() ?? "");

const EMBEDDER = /^(require-corp|credentialless)\s*(?:;|$)/;

/** The value of the header that isolates a document by itself, also in a frame, in browsers that support it. */
export function isolateDocument(answer: Pick<IncomingMessage, "headers">): string[] {
  const [, how] = EMBEDDER.exec(answer.headers["cross-origin-embedder-policy"]!.toString())!;
  return [`isolate-and-${how}`];
}

/** Replaces `X-Frame-Options`, which supports no list, by a policy that also admits Treadle's page. */
function admitEmbedders(headers: HeaderLists, embedders: string[]): void {
  const older = headers["x-frame-options"];
  if (older === undefined) return;
  delete headers["x-frame-options"];
  const policies = (headers["content-security-policy"] ??= []);
  // If both are sent, browsers only follow the newer.
  if (policies.some((policy) => /(?:^|[;,])\s*frame-ancestors\s/i.test(policy))) return;
  const own = older.some((value) => value.trim().toLowerCase() === "deny") ? [] : ["'self'"];
  policies.push(["frame-ancestors", ...own, ...embedders].join(" "));
}
