import { askBy, askOver, type Ask } from "../gate/strangers/ask.ts";
import { placeProblems } from "@treadle/browser";
import type { VisitReport } from "../visitors/read-visit-report.ts";
import type { ReleaseServer } from "./release-slot.ts";
import type { PublicationRuntimes } from "./publication-runtimes.ts";
import { createSite } from "./serve-site.ts";

/** Maximum number of reports waiting for source maps; further ones are stored as received. */
const WAITING = 5;
/** Files that may be read to resolve a position: anyone can send a report with any address. */
const READ = /^\/[^?#]*\.(?:m?js|cjs|map)$/;

/**
 * Turns reports of visitors' browsers into errors of the app, with positions in the project's own
 * files if source maps exist.
 */
export function createVisitErrors(parts: {
  runtimes: PublicationRuntimes;
  siteOf(project: string, release: number): string;
  /** Values that must not be shown. */
  secretsOf(project: string): Promise<readonly { name: string; value: string }[]>;
}): (project: string, report: VisitReport) => void {
  const { runtimes } = parts;
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  async function add(project: string, visitReport: VisitReport, isPlaced: boolean): Promise<void> {
    const releaseServer = runtimes.current(project);
    if (!releaseServer) return;
    const secrets = await parts.secretsOf(project);
    const shown = (text: string) =>
      secrets
        .filter(({ value }) => value.length >= 6)
        .reduce((left, { name, value }) => left.replaceAll(value, `[secret ${name}]`), text);
    const { message, source, stack, page } = visitReport;
    const { release } = visitReport;
    const read = isPlaced
      ? askFor(releaseServer, parts.siteOf(project, releaseServer.release))
      : undefined;
    const report = { uncaughtErrors: [{ message, source, stack }] };
    const load = async (path: string) => (READ.test(path) ? (await read?.(path))?.text : undefined);
    // The project's own files are read as they are served, since a release is only read by requests.
    const itself = (path: string) => load(`/${path}`);
    const placed = read ? await placeProblems(report, "http://localhost", load, itself) : report;
    const [problem = report.uncaughtErrors[0]!] = placed.uncaughtErrors;
    runtimes.onError(project, {
      release,
      kind: "browser",
      page,
      text: shown(problem.message),
      stack: shown([problem.source, problem.stack].filter(Boolean).join("\n")),
    });
  }

  return (project, report) => {
    const isKnown = runtimes
      .get(project)
      .seen.newest.some(({ kind, text }) => kind === "browser" && text === report.message);
    const isPlaced = !isKnown && waiting < WAITING;
    waiting++;
    last = last
      .then(() => add(project, report, isPlaced))
      .catch(() => undefined)
      .finally(() => waiting--);
  };
}

function askFor(releaseServer: ReleaseServer, site: string): Ask {
  if (releaseServer.kind === "app") return askOver(() => releaseServer.app.connect());
  const app = createSite(site);
  return askBy((request) => app.fetch(request));
}
