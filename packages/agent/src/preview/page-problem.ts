import type { PageReport } from "@treadle/protocol";
import { unanswered } from "@treadle/protocol/evidence";
import { clipLine } from "../text/clip.ts";
import { uncaughtOf } from "./judge-console.ts";
import { isTheApps } from "./own-requests.ts";
import { shownInstead } from "./shown-instead.ts";

/** A page with more text than this beside its "Loading…" shows what it is for. */
const SHOWS_MUCH = 400;

/** Why the page itself counts as broken, or undefined. What was thrown says more than what is missing for it. */
export function pageProblem(report: PageReport): string | undefined {
  const { path, status, loop } = report;
  const silent = unanswered(report);
  if (silent !== undefined) return `the page ${path} did not load: ${silent}`;
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

function lackOf(report: PageReport): string | undefined {
  const { path, rendered, unreadable, dark, waiting, inPlaceOfData, text } = report;
  if (!rendered) return `the page ${path} is blank`;
  if (unreadable)
    return `the text of the page ${path} cannot be read: it has the colour of its ground`;
  if (dark?.unreadable)
    return `in a browser that prefers dark, the text of the page ${path} cannot be read: it has the colour of its ground`;
  const instead = shownInstead(report);
  if (instead !== undefined) return `the page ${path} ${instead}`;
  if (inPlaceOfData !== undefined)
    return `the page ${path} shows “${clipLine(inPlaceOfData, 60)}” in place of data that did not come`;
  // A script of somewhere else that did not come, and that nothing missed aloud, is told beside the verdict.
  const away = report.wanted?.some((one) => one.for === "script") ?? false;
  if (waiting === undefined || away) return undefined;
  const shown = text.length - waiting.length;
  if (shown > SHOWS_MUCH && !report.failedRequests.some(isTheApps)) return undefined;
  return `the page ${path} still shows “${clipLine(waiting, 60)}” after it has come to rest`;
}
