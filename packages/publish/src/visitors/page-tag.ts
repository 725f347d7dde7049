import type { IncomingHttpHeaders } from "node:http";
import { reportScript, SCRIPT_PATH } from "./report-script.ts";

/** The tag to insert into a page; `refused`: the app's policy blocks our script or its reports. */
export type PageTag = { tag: string } | "refused" | undefined;

/** Whether a browser requests a page to show, as opposed to a part of one for a script. */
export const isPageRequest = (method: string | undefined, headers: IncomingHttpHeaders): boolean =>
  method === "GET" &&
  (headers["sec-fetch-dest"] === "document" || headers["sec-fetch-dest"] === "iframe");

/**
 * The tag for an answer to `isPageRequest`; undefined if it is not a complete page. Without a
 * policy the script is inlined; if the policy allows the app's own host, it is loaded from there;
 * if neither is allowed, the page is unchanged.
 */
export function pageTag(
  status: number,
  headers: Record<string, string | string[] | undefined>,
  release: number,
): PageTag {
  const one = (name: string) => [headers[name] ?? []].flat().join(", ");
  if (status === 204 || status === 206 || status === 304 || (status >= 300 && status < 400)) return;
  if (!/^text\/html\s*(?:;|$)/i.test(one("content-type"))) return undefined;
  if (/no-transform/i.test(one("cache-control")) || /utf-?16/i.test(one("content-type"))) return;
  if (one("content-digest") !== "" || one("repr-digest") !== "" || one("digest") !== "") return;
  if (!/^(?:|identity|gzip|br)$/i.test(one("content-encoding"))) return undefined;
  const policy = one("content-security-policy");
  if (policy === "" && one("content-security-policy-report-only") === "")
    return { tag: `<script>${reportScript(release)}</script>` };
  const policies = `${policy},${one("content-security-policy-report-only")}`.split(",");
  if (!policies.every(admitsOwnHost)) return "refused";
  return { tag: `<script src="${SCRIPT_PATH}?${release}"></script>` };
}

/** Whether a policy allows scripts of the page's own host, and requests to it. */
function admitsOwnHost(policy: string): boolean {
  const directives = new Map<string, string[]>();
  for (const part of policy.toLowerCase().split(";")) {
    const [name = "", ...sources] = part.trim().split(/\s+/);
    if (name !== "" && !directives.has(name)) directives.set(name, sources);
  }
  if (directives.has("sandbox")) return false;
  const admits = (...chain: string[]) => {
    const name = chain.find((one) => directives.has(one));
    const sources = name === undefined ? ["'self'"] : directives.get(name)!;
    // With `'strict-dynamic'`, browsers ignore allowed hosts.
    if (sources.includes("'strict-dynamic'")) return false;
    return sources.includes("'self'") || sources.includes("*");
  };
  return (
    admits("script-src-elem", "script-src", "default-src") && admits("connect-src", "default-src")
  );
}
