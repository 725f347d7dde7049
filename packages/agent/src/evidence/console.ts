import type { PageProblem, PageReport } from "@treadle/protocol";
import { clipLine } from "../text/clip.ts";

/** An exception that was caught and printed: its name comes first. A message that merely mentions an error does not count. */
const EXCEPTION =
  /^(?:%c|\s)*(?:Uncaught |Unhandled |Error: )*(?:[A-Z]\w*)?(?:Error|Exception)\b\s*:/;
/** React and Vue say so when a component threw and was taken away. */
const BOUNDARY = /^(?:The above error occurred|\[Vue warn\]: Unhandled error|An error occurred in)/;
const NOT_THE_APPS =
  /\b(?:favicon\.ico|apple-touch-icon|\.well-known\/|\.map(?:\?|$)|\/@vite\/|__vite_ping)/;
/** A missing file is the app's mistake; an address that says 404 about its data may be meant so. */
const FILE =
  /\.(?:m?[jt]sx?|css|json|png|jpe?g|gif|svg|webp|avif|ico|woff2?|wasm|mp3|mp4)(?:\?|$)/i;

/** Whether what the page reported while it loaded counts against it, and what is shown of it. */
export function judgeConsole(report: PageReport): {
  problem?: string;
  detail: string;
  notes: number;
} {
  const printed = report.consoleErrors.filter(
    ({ message }) => EXCEPTION.test(message) || BOUNDARY.test(message),
  );
  const requests = report.failedRequests.filter(isTheApps);
  const detail = [
    ...(report.overlay ? [report.overlay] : []),
    ...report.uncaughtErrors.map(problemText),
    ...report.consoleErrors.map(problemText),
    ...report.failedRequests.map(
      ({ method, url, status, reason }) => `${method} ${url}: ${status || (reason ?? "no answer")}`,
    ),
  ].join("\n");
  const notes = report.consoleErrors.length + report.failedRequests.length;
  const first = report.uncaughtErrors[0];
  if (first) return { problem: `uncaught: ${clipLine(first.message, 200)}`, detail, notes };
  if (report.overlay)
    return { problem: `error overlay: ${clipLine(report.overlay, 200)}`, detail, notes };
  if (printed[0])
    return { problem: `console: ${clipLine(printed[0].message, 200)}`, detail, notes };
  if (requests[0]) {
    const { method, url, status } = requests[0];
    return {
      problem: `${method} ${clipLine(url, 120)} ${status ? `answered ${status}` : "failed"}`,
      detail,
      notes,
    };
  }
  return { detail, notes };
}

/** Requests to other hosts fail for reasons that are not the app's (no network, an ad blocker). */
function isTheApps({ url, status, reason }: PageReport["failedRequests"][number]): boolean {
  if (NOT_THE_APPS.test(url) || /abort/i.test(reason ?? "")) return false;
  let host = "localhost";
  try {
    host = new URL(url, "http://localhost").hostname;
  } catch {
    return false;
  }
  if (
    host !== "localhost" &&
    !host.endsWith(".localhost") &&
    host !== "127.0.0.1" &&
    host !== "[::1]"
  )
    return false;
  return status === 0 || status >= 500 || (status === 404 && FILE.test(url));
}

function problemText({ message, source, stack }: PageProblem): string {
  const place = source ? ` @ ${source}` : "";
  return stack && !stack.includes(message)
    ? `${message}${place}\n${stack}`
    : `${stack ?? message}${stack ? "" : place}`;
}
