import type { CodedText, PageProblem, PageReport } from "@treadle/protocol";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { clipLine } from "../text/clip.ts";
import { isOwn, isTheApps, requestText } from "./own-requests.ts";

/** Matches a printed exception: its name comes first. A message that merely mentions an error does not match. */
const EXCEPTION = /^(?:%c|\s)*(?:Error: )*(?:[A-Z]\w*)?(?:Error|Exception)\b\s*:/;
/**
 * Matches frameworks' messages about uncaught errors for which they removed a part of the page, and about endless
 * rendering.
 */
const THROWN =
  /^(?:Maximum update depth exceeded|\[Vue warn\]: (?:Maximum recursive updates|Failed to mount app)|Uncaught |Unhandled |ERROR\s+(?:\w+)?(?:Error|Exception)\b)|The above error occurred in|\[Vue warn\]: Unhandled error|^An error occurred in|React Router caught the following error|^\[nuxt\] error caught|Unhandled Promise rejection:/;
/** Matches failed requests, which are reported separately. */
const NO_ANSWER =
  /\b(?:Failed to fetch|NetworkError|Load failed|Network Error|fetch failed|AbortError|TimeoutError)\b/i;
/** Matches errors about devices and permissions: no camera, no consent yet, or no click before a sound is played. */
const NOT_GRANTED =
  /\bNotAllowedError\b|Requested device not found|Could not start (?:video|audio) source|Permission denied|play\(\) request was interrupted/i;
/** Matches messages that the browser did not run a script or apply a stylesheet. */
const REFUSED =
  /Failed to load module script|Failed to find a valid digest in the 'integrity' attribute|Refused to (?:execute|load the script|run|apply style from|connect)|(?:Loading the script|Loading the stylesheet|Executing (?:inline )?(?:script|event handler)|Creating a worker|Running the JavaScript URL|Connecting to)\b.*violates the following Content Security Policy/is;
/** Matches text with which a page says that something failed. */
const SAYS_SO =
  /\b(?:something went wrong|(?:could not|couldn.t|cannot|can.t|unable to|failed to) (?:be )?(?:load|fetch|get|connect|render|start|read|save|show|display)|(?:an|unexpected|internal|application|server) error|error (?:loading|fetching)|oops)\b/i;

/** Whether the page's errors while it loaded count as a problem, and the text to show about them. */
export function judgeConsole(report: PageReport): {
  problem?: string;
  /** The translatable form of `problem`. */
  problemCode?: CodedText;
  detail: string;
  notes: number;
} {
  const detail = [
    ...(report.overlay ? [report.overlay] : []),
    ...report.uncaughtErrors.map(problemText),
    ...report.consoleErrors.map(problemText),
    ...report.failedRequests.map(requestText),
  ].join("\n");
  const notes =
    report.consoleErrors.length +
    report.failedRequests.length +
    report.uncaughtErrors.filter(isNotGranted).length;
  const problem = firstProblem(report);
  return { problem: problem?.text, problemCode: problem?.coded, detail, notes };
}

function firstProblem(report: PageReport): Sentence | undefined {
  const uncaught = uncaughtOf(report);
  if (uncaught !== undefined) return sentence("uncaught-on", { error: uncaught });
  if (report.overlay) return sentence("overlay", { error: clipLine(report.overlay, 200) });
  const refused = report.consoleErrors.find(isRefused);
  if (refused) return sentence("not-run", { error: placed(refused) });
  const printed =
    report.consoleErrors.find(({ message }) => THROWN.test(message)) ??
    (missesSomething(report) ? report.consoleErrors.find(isException) : undefined);
  if (printed) return sentence("console-said", { error: clipLine(printed.message, 200) });
  const request = report.failedRequests.find(isTheApps);
  if (!request) return undefined;
  const { method, url, status, reason } = request;
  const asked = { method, url: clipLine(url, 120) };
  const what = status
    ? sentence("request-answered", { ...asked, status })
    : sentence("request-failed", asked);
  return reason === undefined ? what : sentence("because", { what, why: clipLine(reason, 120) });
}

/** The first uncaught error of the page that is the app's fault, on one line; undefined if there is none. */
export function uncaughtOf({ uncaughtErrors }: PageReport): string | undefined {
  const first = uncaughtErrors.find((problem) => !isNotGranted(problem));
  return first && `${clipLine(first.message, 200)}${placeOf(first)}`;
}

/** The error's position in the project's files; empty if the browser only gives an address. */
const placeOf = ({ source }: PageProblem) =>
  source === undefined || /^(?:\/|[a-z-]+:)/i.test(source) ? "" : ` (${clipLine(source, 120)})`;

const isNotGranted = ({ message }: PageProblem) => NOT_GRANTED.test(message);

function isRefused({ message, source, by }: PageProblem): boolean {
  if (by !== "browser" || !REFUSED.test(message) || /^\[Report Only\]/i.test(message)) return false;
  const [, named] = /\b(?:from|to|resource) '([^']+)'/.exec(message) ?? [];
  if (/Content Security Policy/.test(message))
    // A content security policy is the app's own, so whatever it blocks counts. Connections are the exception: to other
    // hosts, and for reloading changed files, a page can do without them.
    return !/connect(?:ing)? to/i.test(message) || (isOwn(named ?? "") && !named?.startsWith("ws"));
  // For another host's script, that host decides about its type.
  return isOwn(named ?? source?.replace(/:\d+:\d+$/, "") ?? "/");
}

/**
 * A logged exception was handled, so it counts only if the page still waits for something, or reports a failure itself.
 */
const missesSomething = (report: PageReport) =>
  report.waiting !== undefined || SAYS_SO.test(report.text);

const isException = (problem: PageProblem) =>
  problem.by !== "browser" &&
  EXCEPTION.test(problem.message) &&
  !NO_ANSWER.test(problem.message) &&
  !isNotGranted(problem);

const placed = ({ message, source }: PageProblem) =>
  `${clipLine(message, 200)}${source ? ` @ ${clipLine(source, 120)}` : ""}`;

function problemText({ message, source, stack }: PageProblem): string {
  const place = source ? ` @ ${source}` : "";
  return stack && !stack.includes(message)
    ? `${message}${place}\n${stack}`
    : `${stack ?? message}${stack ? "" : place}`;
}
