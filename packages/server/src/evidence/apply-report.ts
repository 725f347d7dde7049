import { excuseOf, isBroken, judgeConsole, pageProblem, stillWanted } from "@treadle/agent";
import type { Evidence, PageReport, PartEvidence } from "@treadle/protocol";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { takeBackVerdict } from "./take-back.ts";
import type { ProjectContext } from "../project-context/project-context.ts";

const PAGES = 8;
/**
 * Statuses of proxies between the app and the person's browser while the server sleeps or starts.
 */
const BETWEEN: ReadonlySet<number> = new Set([502, 503, 504]);
/** Errors thrown by the person's browser extensions. */
const FOREIGN = /\b(?:chrome|moz|safari-web)-extension:\/\//;

/** What the app's server failed to reach: nothing, as far as a preview's report can tell. */
const SERVER_MISSED_NOTHING = { refused: new Set<string>(), unreached: new Set<string>() };

/**
 * Adds a report of the person's own preview to the evidence of the current revision, by the same rules as a look. A
 * good report changes nothing; a fault does. Does nothing during a run or a look (`busy`), which collects its own
 * evidence, and for a report of another revision or of a missing page.
 */
export function applyReport(
  context: Pick<ProjectContext, "id" | "view" | "append" | "parts">,
  report: PageReport & { revision?: string },
  busy: boolean,
): void {
  const { evidence, revision } = context.view;
  if (busy || !evidence || evidence.revision !== revision) return;
  if (report.revision !== undefined && report.revision !== revision) return;
  // The person chose the address, so a missing page is no fault of the app.
  if (BETWEEN.has(report.status) || (report.status >= 400 && report.status < 500)) return;
  const seen = asSeenByPerson(report);
  const wants = stillWanted(report, evidence.pages);
  if (excuseOf({ ...seen, wanted: wants }, SERVER_MISSED_NOTHING, isBroken) !== undefined) return;
  const page = report.status === 0 ? undefined : pageProblem(seen);
  const { problem, problemCode, detail } = judgeConsole(seen);
  if (page === undefined && problem === undefined) return;
  const at = context.parts.clock.now();
  const next: Evidence = structuredClone(evidence);
  next.pages = [...next.pages, report].slice(-PAGES);
  if (page !== undefined) next.parts.page = settled(sentence("in-preview", { what: page }), { at });
  if (problem !== undefined)
    next.parts.console = settled(
      sentence("in-preview-on", {
        what: { text: problem, coded: problemCode },
        path: report.path,
      }),
      { detail, at },
    );
  takeBackVerdict(context, evidence, next);
}

const settled = (
  { text, coded }: Sentence,
  more: Pick<PartEvidence, "detail" | "at">,
): PartEvidence => ({
  state: "failed",
  summary: text,
  summaryCode: coded,
  ...more,
});

/**
 * Removes effects of the frame that shows the page, in which browsers deny some features that are
 * available in a tab. A page without storage or isolation differs, so nothing that it shows or
 * throws counts. For an error about a denied feature, neither the error nor its repetitions nor an
 * empty page counts.
 */
function withoutFrame(report: PageReport): PageReport {
  const denials = report.uncaughtErrors.filter(({ by }) => by === "frame");
  const { frameDenied = denials.length > 0 ? undefined : false } = report;
  const uncaughtErrors = report.uncaughtErrors.filter(
    ({ by, source = "", stack = "" }) =>
      by !== "frame" && !FOREIGN.test(source) && !FOREIGN.test(stack),
  );
  if (frameDenied === false) return { ...report, uncaughtErrors };
  const { overlay, ...rest } = report;
  if (frameDenied === true)
    return { ...rest, rendered: true, uncaughtErrors: [], consoleErrors: [] };
  // An uncaught error's message begins with its name and a colon, which its repetitions may lack.
  const words = denials.map(({ message }) => message.replace(/^\w+: /, ""));
  const repeats = (text: string) => words.some((one) => text.includes(one));
  return {
    ...rest,
    ...(overlay !== undefined && !repeats(overlay) && { overlay }),
    rendered: true,
    uncaughtErrors,
    consoleErrors: report.consoleErrors.filter(({ message }) => !repeats(message)),
  };
}

/** Removes effects of the person's own browser, connection and actions. */
function asSeenByPerson(report: PageReport): PageReport {
  return {
    ...withoutFrame(report),
    // A requested address may be missing, but a server error counts.
    failedRequests: report.failedRequests.filter(
      ({ status }) => status >= 500 && !BETWEEN.has(status),
    ),
  };
}
