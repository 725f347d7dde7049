import type { IncomingMessage } from "node:http";
import { admitProbe } from "./content-policy.ts";
import { endToEndHeaders, type HeaderLists } from "./hop-headers.ts";
import { previewCookie } from "./set-cookie.ts";
import type { Rewriting } from "./types.ts";

/** Headers that would reach beyond the page that sends them (A13). */
const STRIPPED = ["clear-site-data", "set-cookie2", "strict-transport-security", "alt-svc"];
/** Denies pages of generated code access to the person's network, in browsers that support it. */
const NO_LOCAL_NETWORK = "local-network-access=(), local-network=(), loopback-network=()";
const POLICIES = ["content-security-policy", "content-security-policy-report-only"];

/** What of an app's answer reaches the browser. `host` is the Host it was asked for under. */
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
  // Without isolation it only cuts the page off from windows that it opens: in a frame their openers are of another policy,
  // and a sign-in window could not answer.
  if (!asksForIsolation(answer)) delete headers["cross-origin-opener-policy"];
  const cookies = (headers["set-cookie"] ?? []).flatMap((line) => previewCookie(line, host) ?? []);
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  else delete headers["set-cookie"];
  for (const name of POLICIES)
    if (headers[name]) headers[name] = headers[name].map((value) => admitProbe(value, admission));
  admitEmbedders(headers, admission.embedders);
  if (limit !== undefined)
    (headers["content-security-policy"] ??= []).push(admitProbe(limit, admission));
  // The last word on each counts.
  (headers["permissions-policy"] ??= []).push(NO_LOCAL_NETWORK);
  const to = headers.location?.[0];
  if (to !== undefined) headers.location = [location(to) ?? to];
  // What the app allows to the page that it knows, it allows to the page as the browser knows it.
  if (neighbour && headers["access-control-allow-origin"]?.[0] === neighbour.origin)
    headers["access-control-allow-origin"] = [neighbour.page];
  return headers;
}

/**
 * Whether a page is to be isolated from others, as `SharedArrayBuffer` and exact clocks need it: its server says so by two
 * headers, to which browsers hold only a page in a tab of its own.
 */
export const asksForIsolation = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  /^same-origin\s*(?:;|$)/.test(headers["cross-origin-opener-policy"]?.toString() ?? "") &&
  EMBEDDER.test(headers["cross-origin-embedder-policy"]?.toString() ?? "");

const EMBEDDER = /^(require-corp|credentialless)\s*(?:;|$)/;

/** The header that isolates a document by itself, in a frame too, where a browser knows it. */
export function isolateDocument(answer: Pick<IncomingMessage, "headers">): string[] {
  const [, how] = EMBEDDER.exec(answer.headers["cross-origin-embedder-policy"]!.toString())!;
  return [`isolate-and-${how}`];
}

/** The older header knows no list: it becomes the newer one, with Treadle's page in it. */
function admitEmbedders(headers: HeaderLists, embedders: string[]): void {
  const older = headers["x-frame-options"];
  if (older === undefined) return;
  delete headers["x-frame-options"];
  const policies = (headers["content-security-policy"] ??= []);
  // Where both are sent, browsers follow the newer alone.
  if (policies.some((policy) => /(?:^|[;,])\s*frame-ancestors\s/i.test(policy))) return;
  const own = older.some((value) => value.trim().toLowerCase() === "deny") ? [] : ["'self'"];
  policies.push(["frame-ancestors", ...own, ...embedders].join(" "));
}
