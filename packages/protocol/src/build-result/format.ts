import type {
  BuildReport,
  FormatBuildResultOptions,
  VisualProblem,
  VisualReport,
} from "./types.ts";

/** Number of characters shown of the end of `stderr`. */
export const STDERR_TAIL = 2_000;
const CONSOLE_SHOWN = 5;
const UNCAUGHT_SHOWN = 3;
const PROBES_SHOWN = 5;
/** Maximum length of a line written by the project. */
const LINE_LIMIT = 500;

/**
 * Formats the latest report for the model. Leaves out absent fields. Text of the project cannot
 * imitate a line of the report: section marks in the tail are indented, other texts are reduced to
 * one line.
 * @param now milliseconds since 1970.
 */
export function formatBuildResult(
  report: BuildReport | undefined,
  now: number,
  options: FormatBuildResultOptions = {},
): string {
  if (!report) return nothingReported(options.watching);
  const { exitCode, wallTimeMs, previewUrl, stderr, visual } = report;
  return [
    statusLine(report, now, options),
    ...field("exitCode", exitCode),
    ...field("wallTimeMs", wallTimeMs),
    ...field("previewUrl", previewUrl),
    ...(stderr ? ["--- stderr (tail) ---", fence(stderr.slice(-STDERR_TAIL))] : []),
    ...(visual ? ["--- visual ---", ...visualLines(visual)] : []),
  ].join("\n");
}

function field(name: string, value: string | number | boolean | undefined): string[] {
  return value === undefined ? [] : [`${name}: ${oneLine(String(value))}`];
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
  const { rendersNonEmpty: shows, verdict, domProbes = [] } = visual;
  const failing = domProbes.filter(({ ok }) => !ok);
  return [
    ...field("source", visual.source),
    ...field("pageTitle", visual.pageTitle),
    ...field("rendersNonEmpty", shows === false ? "false (page appears blank)" : shows),
    ...field("verdict.matchesIntent", verdict?.matchesIntent),
    ...field("verdict.reason", verdict?.reason),
    ...problemLines("consoleErrors", visual.consoleErrors, CONSOLE_SHOWN),
    ...problemLines("uncaughtErrors", visual.uncaughtErrors, UNCAUGHT_SHOWN),
    ...(domProbes.length > 0
      ? field("domProbes", `${domProbes.length} (${failing.length} failing)`)
      : []),
    ...failing.slice(0, PROBES_SHOWN).map(({ name, detail }) => item("✗", name, "—", detail)),
  ];
}

function problemLines(
  name: string,
  problems: readonly VisualProblem[] = [],
  shown: number,
): string[] {
  if (problems.length === 0) return [];
  return [
    `${name}: ${problems.length}`,
    ...problems.slice(0, shown).map(({ message, source }) => item("•", message, "@", source)),
  ];
}

function item(mark: string, text: string, joint: string, more: string | undefined): string {
  return `  ${mark} ${oneLine(text)}${more ? ` ${joint} ${oneLine(more)}` : ""}`;
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length > LINE_LIMIT ? `${flat.slice(0, LINE_LIMIT)}…` : flat;
}

function fence(text: string): string {
  return text.replace(/\n$/, "").replace(/^(?=---|status:)/gm, " ");
}
