import type { PageProblem, PageReport } from "@treadle/protocol";
import type { Observed } from "./observe.ts";

/** How browsers say that a request came to nothing, without saying which. */
const NO_ANSWER = /\b(?:Failed to fetch|NetworkError|Load failed|Network Error|fetch failed)\b/i;

/**
 * Errors that say no more than that a request came to nothing, where the only ones that did go to hosts which this
 * machine cannot reach: they are kept as notes, since elsewhere the app may well work.
 */
export function excuseUnreached(
  seen: Observed,
): Pick<PageReport, "uncaughtErrors" | "consoleErrors" | "failedRequests"> {
  const { unreached, failedRequests } = seen;
  const own = failedRequests.some(({ status, url }) => status === 0 && url.startsWith("/"));
  if (unreached.size === 0 || own) {
    const { uncaughtErrors, consoleErrors } = seen;
    return { uncaughtErrors, consoleErrors, failedRequests };
  }
  const hosts = [...unreached].slice(0, 3).join(", ");
  const note = (problem: PageProblem): PageProblem => ({
    ...problem,
    message: `This machine cannot reach ${hosts}: ${problem.message}`,
  });
  const excused = ({ message }: PageProblem) => NO_ANSWER.test(message);
  return {
    uncaughtErrors: seen.uncaughtErrors.filter((problem) => !excused(problem)),
    consoleErrors: [
      ...seen.consoleErrors.map((problem) => (excused(problem) ? note(problem) : problem)),
      ...seen.uncaughtErrors.filter(excused).map(note),
    ],
    failedRequests,
  };
}
