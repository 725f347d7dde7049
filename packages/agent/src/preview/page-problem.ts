import type { PageReport } from "@treadle/protocol";
import { unanswered } from "@treadle/protocol/evidence";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { clipLine } from "../text/clip.ts";
import { uncaughtOf } from "./judge-console.ts";
import { isTheApps } from "./own-requests.ts";
import { shownInstead } from "./shown-instead.ts";

/** Characters of text beside "Loading…" from which on a page counts as showing its content. */
const SHOWS_MUCH = 400;

/**
 * Why the page itself counts as broken; undefined if it does not. Errors are named before missing content, since they
 * say more.
 */
export function pageProblem(report: PageReport): Sentence | undefined {
  const { path, status, loop } = report;
  const silent = unanswered(report);
  if (silent !== undefined) return sentence("did-not-load-because", { path, why: silent });
  if (status === 0) {
    const reason = report.failedRequests.find(({ url }) => url === path)?.reason;
    return reason && /TOO_MANY_REDIRECTS/.test(reason)
      ? sentence("redirects", { path })
      : sentence("did-not-load", { path });
  }
  if (status >= 400) return sentence("page-answered", { path, status });
  if (loop !== undefined)
    return loop === path
      ? sentence("loops-itself", { path })
      : sentence("loops", { path, what: loop });
  const lacks = lackOf(report);
  if (lacks === undefined) return undefined;
  const uncaught = uncaughtOf(report) ?? (report.overlay && clipLine(report.overlay, 200));
  return uncaught === undefined ? lacks : sentence("with-error", { error: uncaught, what: lacks });
}

function lackOf(report: PageReport): Sentence | undefined {
  const { path, rendered, unreadable, dark, waiting, inPlaceOfData, text } = report;
  if (!rendered) return sentence("blank", { path });
  if (unreadable) return sentence("unreadable", { path });
  if (dark?.unreadable) return sentence("unreadable-dark", { path });
  const instead = shownInstead(report);
  if (instead !== undefined) return instead;
  if (inPlaceOfData !== undefined)
    return sentence("in-place-of-data", { path, text: clipLine(inPlaceOfData, 60) });
  // If an external script did not load and no error followed, this is reported beside the verdict.
  const away = report.wanted?.some((one) => one.for === "script") ?? false;
  if (waiting === undefined || away) return undefined;
  const shown = text.length - waiting.length;
  if (shown > SHOWS_MUCH && !report.failedRequests.some(isTheApps)) return undefined;
  return sentence("still-shows", { path, text: clipLine(waiting, 60) });
}
