import type { PageProblem, PageReport } from "@treadle/protocol";
import { placeProblems } from "@treadle/browser";
import { loadText } from "./load-text.ts";
import type { createPortProtocols } from "./port-protocol.ts";
import { createReportRate } from "./report-rate.ts";
import type { PreviewTarget } from "./types.ts";

/**
 * Rate limit of one project's reports whose errors are located: parsing a source map takes this
 * process's time.
 */
const PLACED = { burst: 4, perSecond: 0.5 };

const sourceOf =
  ({ source }: PreviewTarget) =>
  async (path: string) =>
    source?.(path);

/**
 * Adds the lines of the project's own files to reports; a report beyond the rate limit is
 * unchanged.
 */
export function createPlacer(speech: Pick<ReturnType<typeof createPortProtocols>, "connect">) {
  const rate = createReportRate(PLACED);
  const loadFrom = (target: PreviewTarget, port: number) => async (path: string) =>
    loadText(await speech.connect(target, port), `localhost:${port}`, path);
  return {
    async report(
      report: PageReport,
      origin: string,
      target: PreviewTarget,
      port: number | undefined,
    ): Promise<PageReport> {
      if (report.uncaughtErrors.length === 0 && report.overlay === undefined) return report;
      if (port === undefined || !rate.take(target.project)) return report;
      return placeProblems(report, origin, loadFrom(target, port), sourceOf(target));
    },
    /** The first position of each stack in the project's own files, as `file:line:column`, or null if there is none. */
    async stacks(
      stacks: readonly string[],
      origin: string,
      target: PreviewTarget,
      port: number | undefined,
    ): Promise<(string | null)[]> {
      if (port === undefined) return stacks.map(() => null);
      const uncaughtErrors: PageProblem[] = stacks.map((stack) => ({ message: "", stack }));
      const placed = await placeProblems(
        { uncaughtErrors },
        origin,
        loadFrom(target, port),
        sourceOf(target),
      );
      return placed.uncaughtErrors.map(({ source }) => source ?? null);
    },
  };
}
