import type { Evidence, PageReport } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import type { ProjectContext } from "./types.ts";

const PAGES = 8;

/**
 * What the person's own preview saw, taken into the evidence of the revision that stands. Good news of a page that was
 * looked at before changes nothing; a fault does, as it is the person's app that broke (a change through hot reload).
 * While a run or a look goes on, that one gathers by itself.
 */
export function applyReport(
  context: ProjectContext,
  report: PageReport & { revision?: string },
  busy: boolean,
): void {
  const { evidence, revision } = context.view;
  if (busy || !evidence || evidence.revision !== revision) return;
  if (report.revision !== undefined && report.revision !== revision) return;
  const problem = report.uncaughtErrors[0]?.message ?? report.overlay?.split("\n")[0];
  const printed = report.consoleErrors[0]?.message;
  const blank = report.status > 0 && !report.rendered;
  if (problem === undefined && printed === undefined && !blank) return;
  const at = context.parts.clock.now();
  const next: Evidence = structuredClone(evidence);
  next.pages = [...next.pages, report].slice(-PAGES);
  if (blank || report.overlay !== undefined)
    next.parts.page = {
      state: "failed",
      summary:
        report.overlay === undefined ? `${report.path} is blank` : `${report.path} shows an error`,
      ...(problem === undefined ? {} : { detail: problem }),
      at,
    };
  if (problem !== undefined || printed !== undefined)
    next.parts.console = { state: "failed", summary: problem ?? printed ?? "", at };
  if (JSON.stringify(next.parts) === JSON.stringify(evidence.parts)) return;
  context.append({ type: "evidence", evidence: next });
  context.parts.store.projects
    .update(context.id, { verdict: judge(next).verdict })
    .catch((error: Error) => context.parts.onNotice(error.message));
}
