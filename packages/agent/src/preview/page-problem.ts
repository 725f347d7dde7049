import type { PageReport } from "@treadle/protocol";
import { clipLine } from "../text/clip.ts";
import { uncaughtOf } from "./judge-console.ts";
import { isTheApps } from "./own-requests.ts";

/** A page with more text than this beside its "Loading…" shows what it is for. */
const SHOWS_MUCH = 400;

/** Why the page itself counts as broken, or undefined. What was thrown says more than what is missing for it. */
export function pageProblem(report: PageReport): string | undefined {
  const { path, status, loop } = report;
  if (status === 0) {
    const reason = report.failedRequests.find(({ url }) => url === path)?.reason;
    const why = reason && /TOO_MANY_REDIRECTS/.test(reason) ? ": it redirects without end" : "";
    return `the page ${path} did not load${why}`;
  }
  if (status >= 400) return `the page ${path} answered ${status}`;
  if (loop !== undefined)
    return `the page ${path} loads ${loop === path ? "itself" : loop} again and again`;
  const lacks = lackOf(report);
  if (lacks === undefined) return undefined;
  const uncaught = uncaughtOf(report) ?? (report.overlay && clipLine(report.overlay, 200));
  return uncaught === undefined ? lacks : `${uncaught}: ${lacks}`;
}

/** How web servers call what they show where a folder has no page. */
const LISTING = /^(?:index of \/|directory listing (?:for|of) |listing directory |files within )/i;
/** What was thrown, by its name, and where: of Node and its like, and of Python. */
const THROWN =
  /^\s*(?:[A-Z]\w*)?(?:Error|Exception)\b[^]{0,500}?\n\s*at [^\n]{0,300}?[^\s:(]:\d+:\d+\)?|^\s*Traceback \(most recent call last\)/;

/** What is said in place of a page, and the most characters of a page that says nothing else. */
const SORRY =
  /^\s*(?:oops\b|(?:sorry, )?something went wrong|an? (?:unexpected |internal |unknown )?(?:server |application )?error (?:has )?occurred|(?:internal )?server error\b|application error\b|unexpected error\b)/i;
const NOTHING_ELSE = 100;

/** A server that has nothing to show for an address answers with something of its own, and says that all is well. */
function somethingElse({ path, title, text }: PageReport): string | undefined {
  if (LISTING.test(title))
    return `the page ${path} is a list of the files in a folder: the server found no index.html to show`;
  if (THROWN.test(text))
    return `the page ${path} shows an error of its server: ${clipLine(lastOfTraceback(text), 200)}`;
  if (text.length < NOTHING_ELSE && SORRY.test(text))
    return `the page ${path} shows nothing but “${clipLine(text.trim(), 100)}”`;
  return undefined;
}

/** Python says last what was thrown, others first. */
const lastOfTraceback = (text: string) =>
  /^\s*Traceback/.test(text) ? (text.trim().split("\n").at(-1) ?? "") : text.trim().split("\n")[0]!;

function lackOf(report: PageReport): string | undefined {
  const { path, rendered, unreadable, dark, waiting, text } = report;
  if (!rendered) return `the page ${path} is blank`;
  if (unreadable)
    return `the text of the page ${path} cannot be read: it has the colour of its ground`;
  if (dark?.unreadable)
    return `in a browser that prefers dark, the text of the page ${path} cannot be read: it has the colour of its ground`;
  // A script of somewhere else that did not come, and that nothing missed aloud, is told beside the verdict.
  const away = report.wanted?.some((one) => one.for === "script") ?? false;
  const other = somethingElse(report);
  if (other !== undefined) return other;
  if (waiting === undefined || away) return undefined;
  const shown = text.length - waiting.length;
  if (shown > SHOWS_MUCH && !report.failedRequests.some(isTheApps)) return undefined;
  return `the page ${path} still shows “${clipLine(waiting, 60)}” when nothing goes on any more`;
}
