import type { IncomingHttpHeaders } from "node:http";
import { reportScript, SCRIPT_PATH } from "./report-script.ts";

/** What goes first into a page; `refused`: the app's own policy lets no script of ours run, or not tell anything. */
export type PageTag = { tag: string } | "refused" | undefined;

/** Whether a browser asks for a page to show, and for no piece of one that a script puts somewhere. */
export const isPageRequest = (method: string | undefined, headers: IncomingHttpHeaders): boolean =>
  method === "GET" &&
  (headers["sec-fetch-dest"] === "document" || headers["sec-fetch-dest"] === "iframe");

/**
 * What is put into an answer to `isPageRequest`; undefined where it is no whole page. Without a policy the script stands
 * in the page; with one that admits the app's own host, it is asked for; where neither is allowed, the page is left alone.
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

/** Whether a policy lets a script of the page's own host run, and ask it. */
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
    // With it, hosts count for nothing.
    if (sources.includes("'strict-dynamic'")) return false;
    return sources.includes("'self'") || sources.includes("*");
  };
  return (
    admits("script-src-elem", "script-src", "default-src") && admits("connect-src", "default-src")
  );
}
