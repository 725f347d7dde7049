import { clipMiddle } from "../text/clip.ts";
import { fence } from "../text/fence.ts";
import { judgeConsole } from "./judge-console.ts";
import type { PageAccess } from "./open-page.ts";
import { pageProblem } from "./page-problem.ts";

/** Maximum milliseconds of the look, after which the caller continues its work. */
const LOOK_MS = 15_000;
/** Characters of what the page threw. */
const ERRORS = 3_000;

/**
 * What the page of a server that has just come up throws as it loads, in words for the model. Empty where it has no page, or
 * where nothing could be seen of it in so short a time.
 */
export async function lookAtStart({ usePage, signal }: PageAccess): Promise<string> {
  if (!usePage) return "";
  const short = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)]);
  const seen = await usePage({ path: "/", steps: [], signal: short }).catch(() => undefined);
  signal.throwIfAborted();
  if (!seen) return "";
  const { report } = seen;
  // An API has no page, and declares that by its content type.
  if (report.status !== 0 && !/html/i.test(report.contentType)) return "";
  const { problem, detail } = judgeConsole(report);
  const wrong = pageProblem(report)?.text ?? problem;
  if (wrong === undefined) return `\nIts page ${report.path} loads without an error.`;
  const more = detail === "" ? "" : `\n${fence("errors", clipMiddle(detail, ERRORS))}`;
  return `\nBut as it loads: ${wrong}.${more}`;
}
