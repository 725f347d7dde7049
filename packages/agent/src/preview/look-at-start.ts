import { clipMiddle } from "../text/clip.ts";
import { fence } from "../text/fence.ts";
import { judgeConsole } from "./judge-console.ts";
import type { PageAccess } from "./open-page.ts";
import { pageProblem } from "./page-problem.ts";

/** Time limit in milliseconds, after which the caller continues its work. */
const LOOK_MS = 15_000;
/** Maximum characters of the page's errors. */
const ERRORS = 3_000;

/**
 * Describes for the model the errors of a newly started server's page while it loads. Empty if the server has no page,
 * or if the page could not be observed in time.
 */
export async function lookAtStart({ usePage, signal }: PageAccess): Promise<string> {
  if (!usePage) return "";
  const short = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)]);
  const seen = await usePage({ path: "/", steps: [], signal: short }).catch(() => undefined);
  signal.throwIfAborted();
  if (!seen) return "";
  const { report } = seen;
  // An API has no page, which its content type shows.
  if (report.status !== 0 && !/html/i.test(report.contentType)) return "";
  const { problem, detail } = judgeConsole(report);
  const wrong = pageProblem(report)?.text ?? problem;
  if (wrong === undefined) return `\nIts page ${report.path} loads without an error.`;
  const more = detail === "" ? "" : `\n${fence("errors", clipMiddle(detail, ERRORS))}`;
  return `\nBut as it loads: ${wrong}.${more}`;
}
