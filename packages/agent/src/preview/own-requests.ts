import type { PageReport } from "@treadle/protocol";

type FailedRequest = PageReport["failedRequests"][number];

/** Browsers, their tools and dev servers request these automatically. */
const NOT_THE_APPS =
  /\b(?:favicon\.ico|apple-touch-icon|\.well-known\/|\.map(?:\?|$)|\/@vite\/|__vite_ping|__nextjs|_devMiddleware|__webpack_hmr|sockjs-node|\/_vercel\/)/;
/** Who nobody is signed in as is not there, in some APIs. */
const WHO = /\/(?:me|self|session|auth|user|profile|whoami|current[-_]?user|account)(?:[/?]|$)/i;
/** A request that only checks whether something exists may be answered with no. */
const ASKS_ONLY: ReadonlySet<string> = new Set(["HEAD", "OPTIONS"]);

/** Whether an address is one of the app's own servers. Those of other hosts fail for reasons that are not the app's. */
export function isOwn(url: string): boolean {
  const host = URL.parse(url, "http://localhost")?.hostname;
  return (
    host === "localhost" ||
    host === "127.0.0.1" ||
    host === "[::1]" ||
    host === "0.0.0.0" ||
    (host?.endsWith(".localhost") ?? false)
  );
}

/**
 * Whether a request that failed counts against the app: one of its own addresses that does not answer, is not there, or
 * breaks. One that says "not you" or "not so" (401, 403, 409, 422) may be meant so.
 */
export function isTheApps({ method, url, status, reason }: FailedRequest): boolean {
  if (NOT_THE_APPS.test(url) || /abort/i.test(reason ?? "") || !isOwn(url)) return false;
  if (status === 0 || status >= 500) return true;
  if (ASKS_ONLY.has(method)) return false;
  return status === 405 || ((status === 404 || status === 410) && !WHO.test(url));
}

export const requestText = ({ method, url, status, reason }: FailedRequest) =>
  `${method} ${url}: ${[status || undefined, reason].filter((part) => part !== undefined).join(", ") || "no answer"}`;
