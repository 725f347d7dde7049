import type {
  BuildReport,
  FormatBuildResultOptions,
  VisualProblem,
  VisualReport,
} from "./types.ts";

/** Characters kept of `stderr`, from its end. */
export const STDERR_TAIL = 2_000;
const CONSOLE_SHOWN = 5;
const UNCAUGHT_SHOWN = 3;
const PROBES_SHOWN = 5;
/** Characters of one line that the project wrote. */
const LINE_LIMIT = 500;

/**
 * What the model reads of the latest report. Fields that are absent leave their line out. Text of the project cannot
 * look like a line of the report: in the tail its own section marks are shifted, elsewhere it is kept to one line.
 * @param now milliseconds since 1970.
 */
export function formatBuildResult(
  report: BuildReport | undefined,
  now: number,
  options: FormatBuildResultOptions = {},
): string {
  if (!report) return nothingReported(options.watching);
  const lines = [statusLine(report, now, options)];
  if (report.exitCode !== undefined) lines.push(`exitCode: ${report.exitCode}`);
  if (report.wallTimeMs !== undefined) lines.push(`wallTimeMs: ${report.wallTimeMs}`);
  if (report.previewUrl !== undefined) lines.push(`previewUrl: ${oneLine(report.previewUrl)}`);
  if (report.stderr) lines.push("--- stderr (tail) ---", fence(report.stderr.slice(-STDERR_TAIL)));
  if (report.visual) lines.push("--- visual ---", ...visualLines(report.visual));
  return lines.join("\n");
}

function nothingReported(watching: boolean | undefined): string {
  const who =
    watching === false
      ? "nothing is watching this project, so none will come"
      : watching
        ? "a runtime is watching, wait for it or ask again"
        : "run the build, or ask again later";
  return `(no build result reported yet — ${who})`;
}

function statusLine(report: BuildReport, now: number, options: FormatBuildResultOptions): string {
  const stage = report.stage ? ` (${report.stage})` : "";
  const age = Math.max(0, Math.round((now - report.ranAtMs) / 1_000));
  const known = options.revision !== undefined && report.revision !== undefined;
  if (known && options.revision !== report.revision)
    return `status: stale${stage} ${age}s ago: ${report.status} was reported of an older revision`;
  return `status: ${report.status}${stage} ${age}s ago`;
}

function visualLines(visual: VisualReport): string[] {
  const lines: string[] = [];
  if (visual.source !== undefined) lines.push(`source: ${oneLine(visual.source)}`);
  if (visual.pageTitle !== undefined) lines.push(`pageTitle: ${oneLine(visual.pageTitle)}`);
  if (visual.rendersNonEmpty !== undefined) {
    const blank = visual.rendersNonEmpty ? "" : " (page appears blank)";
    lines.push(`rendersNonEmpty: ${visual.rendersNonEmpty}${blank}`);
  }
  const { matchesIntent, reason } = visual.verdict ?? {};
  if (matchesIntent !== undefined) lines.push(`verdict.matchesIntent: ${matchesIntent}`);
  if (reason !== undefined) lines.push(`verdict.reason: ${oneLine(reason)}`);
  lines.push(...problemLines("consoleErrors", visual.consoleErrors, CONSOLE_SHOWN));
  lines.push(...problemLines("uncaughtErrors", visual.uncaughtErrors, UNCAUGHT_SHOWN));
  lines.push(...probeLines(visual.domProbes));
  return lines;
}

function problemLines(
  name: string,
  problems: readonly VisualProblem[] | undefined,
  shown: number,
): string[] {
  if (!problems || problems.length === 0) return [];
  return [
    `${name}: ${problems.length}`,
    ...problems
      .slice(0, shown)
      .map(
        ({ message, source }) => `  • ${oneLine(message)}${source ? ` @ ${oneLine(source)}` : ""}`,
      ),
  ];
}

function probeLines(probes: VisualReport["domProbes"]): string[] {
  if (!probes || probes.length === 0) return [];
  const failing = probes.filter(({ ok }) => !ok);
  return [
    `domProbes: ${probes.length} (${failing.length} failing)`,
    ...failing
      .slice(0, PROBES_SHOWN)
      .map(({ name, detail }) => `  ✗ ${oneLine(name)}${detail ? ` — ${oneLine(detail)}` : ""}`),
  ];
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length > LINE_LIMIT ? `${flat.slice(0, LINE_LIMIT)}…` : flat;
}

function fence(text: string): string {
  return text.replace(/\n$/, "").replace(/^(?=---|status:)/gm, " ");
}
