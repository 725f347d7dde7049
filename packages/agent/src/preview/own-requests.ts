import type { PageReport } from "@treadle/protocol";

type FailedRequest = PageReport["failedRequests"][number];

/** Matches addresses that browsers, their tools and dev servers request automatically. */
const NOT_THE_APPS =
  /\b(?:favicon\.ico|apple-touch-icon|\.well-known\/|\.map(?:\?|$)|\/@vite\/|__vite_ping|__nextjs|_devMiddleware|__webpack_hmr|sockjs-node|\/_vercel\/)/;
/** Matches addresses of the current user: some APIs answer 404 there if nobody is signed in. */
const WHO = /\/(?:me|self|session|auth|user|profile|whoami|current[-_]?user|account)(?:[/?]|$)/i;
/** Methods that only ask whether something exists, so a negative answer is no failure. */
const ASKS_ONLY: ReadonlySet<string> = new Set(["HEAD", "OPTIONS"]);

/**
 * Whether an address belongs to one of the app's own servers. Other hosts may fail for reasons that are not the app's
 * fault.
 */
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
 * Whether a failed request is the app's fault: one of its own addresses does not answer, does not exist, or breaks.
 * Rejections (401, 403, 409, 422) may be intended.
 */
export function isTheApps({ method, url, status, reason }: FailedRequest): boolean {
  if (NOT_THE_APPS.test(url) || /abort/i.test(reason ?? "") || !isOwn(url)) return false;
  if (status === 0 || status >= 500) return true;
  if (ASKS_ONLY.has(method)) return false;
  return status === 405 || ((status === 404 || status === 410) && !WHO.test(url));
}

export const requestText = ({ method, url, status, reason }: FailedRequest) =>
  `${method} ${url}: ${[status || undefined, reason].filter((part) => part !== undefined).join(", ") || "no answer"}`;
