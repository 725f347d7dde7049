import type { CodedText, PageProblem, PageReport } from "@treadle/protocol";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { clipLine } from "../text/clip.ts";
import { isOwn, isTheApps, requestText } from "./own-requests.ts";

/** An exception that was caught and printed: its name comes first. A message that merely mentions an error does not count. */
const EXCEPTION = /^(?:%c|\s)*(?:Error: )*(?:[A-Z]\w*)?(?:Error|Exception)\b\s*:/;
/** Frameworks say so of what nobody caught, when they took a part of the page away for it, and of a page that is drawn without end. */
const THROWN =
  /^(?:Maximum update depth exceeded|\[Vue warn\]: (?:Maximum recursive updates|Failed to mount app)|Uncaught |Unhandled |ERROR\s+(?:\w+)?(?:Error|Exception)\b)|The above error occurred in|\[Vue warn\]: Unhandled error|^An error occurred in|React Router caught the following error|^\[nuxt\] error caught|Unhandled Promise rejection:/;
/** A failed request is reported separately. */
const NO_ANSWER =
  /\b(?:Failed to fetch|NetworkError|Load failed|Network Error|fetch failed|AbortError|TimeoutError)\b/i;
/** What a machine without a camera, or a person who has not agreed or not clicked yet, makes of a request for one. */
const NOT_GRANTED =
  /\bNotAllowedError\b|Requested device not found|Could not start (?:video|audio) source|Permission denied|play\(\) request was interrupted/i;
/** The browser did not run a script, or did not take a stylesheet. */
const REFUSED =
  /Failed to load module script|Failed to find a valid digest in the 'integrity' attribute|Refused to (?:execute|load the script|run|apply style from|connect)|(?:Loading the script|Loading the stylesheet|Executing (?:inline )?(?:script|event handler)|Creating a worker|Running the JavaScript URL|Connecting to)\b.*violates the following Content Security Policy/is;
/** A page says that something did not work. */
const SAYS_SO =
  /\b(?:something went wrong|(?:could not|couldn.t|cannot|can.t|unable to|failed to) (?:be )?(?:load|fetch|get|connect|render|start|read|save|show|display)|(?:an|unexpected|internal|application|server) error|error (?:loading|fetching)|oops)\b/i;

/** Whether what the page reported while it loaded counts against it, and what is shown of it. */
export function judgeConsole(report: PageReport): {
  problem?: string;
  /** What `problem` says. */
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

/** The first error of the page that nobody caught, and that is the app's. */
export function uncaughtOf({ uncaughtErrors }: PageReport): string | undefined {
  const first = uncaughtErrors.find((problem) => !isNotGranted(problem));
  return first && `${clipLine(first.message, 200)}${placeOf(first)}`;
}

/** Where in the project's own files; a browser's own word for it is an address, which says little. */
const placeOf = ({ source }: PageProblem) =>
  source === undefined || /^(?:\/|[a-z-]+:)/i.test(source) ? "" : ` (${clipLine(source, 120)})`;

const isNotGranted = ({ message }: PageProblem) => NOT_GRANTED.test(message);

function isRefused({ message, source, by }: PageProblem): boolean {
  if (by !== "browser" || !REFUSED.test(message) || /^\[Report Only\]/i.test(message)) return false;
  const [, named] = /\b(?:from|to|resource) '([^']+)'/.exec(message) ?? [];
  if (/Content Security Policy/.test(message))
    // A policy is the app's own, whatever it keeps out. Without data of elsewhere, or news of changed files, it does.
    return !/connect(?:ing)? to/i.test(message) || (isOwn(named ?? "") && !named?.startsWith("ws"));
  // Of another host's script that host says what it is.
  return isOwn(named ?? source?.replace(/:\d+:\d+$/, "") ?? "/");
}

/** A logged exception was handled, so it counts only where the page lacks something, or says so itself. */
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
