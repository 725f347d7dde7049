import { excuseOf, isBroken, judgeConsole, pageProblem, stillWanted } from "@treadle/agent";
import type { Evidence, PageReport, PartEvidence } from "@treadle/protocol";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { takeBackVerdict } from "./take-back.ts";
import type { ProjectContext } from "../project-context/project-context.ts";

const PAGES = 8;
/** What stands between the app and the person's browser answers so while the server rests or starts. */
const BETWEEN: ReadonlySet<number> = new Set([502, 503, 504]);
/** Programs that the person has in their browser throw into any page. */
const FOREIGN = /\b(?:chrome|moz|safari-web)-extension:\/\//;

/** A report of the preview tells of the page alone. */
const SERVER_MISSED_NOTHING = { refused: new Set<string>(), unreached: new Set<string>() };

/**
 * What the person's own preview saw, taken into the evidence of the revision that stands, by the same rules as a look.
 * Good news of a page that was looked at before changes nothing; a fault does, as it is the person's app that broke.
 * While a run or a look goes on, that one gathers by itself.
 */
export function applyReport(
  context: Pick<ProjectContext, "id" | "view" | "append" | "parts">,
  report: PageReport & { revision?: string },
  busy: boolean,
): void {
  const { evidence, revision } = context.view;
  if (busy || !evidence || evidence.revision !== revision) return;
  if (report.revision !== undefined && report.revision !== revision) return;
  // Where they went is theirs: an address that is not there is no fault of the app.
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
 * Without what comes of the frame that shows the page. In a tab of its own, as a look opens it, the browser may allow what it
 * denies here. A page that has no storage or no isolation is another page: nothing it shows or throws counts. Of an error by
 * which something was denied, neither the error counts, nor who repeats it, nor that the page is empty.
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
  // A name and a colon come before what the error itself says.
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

/** Without what only their browser, their line or what they did there brought about. */
function asSeenByPerson(report: PageReport): PageReport {
  return {
    ...withoutFrame(report),
    // What they asked for may not be there; a server that breaks over it breaks.
    failedRequests: report.failedRequests.filter(
      ({ status }) => status >= 500 && !BETWEEN.has(status),
    ),
  };
}
