/** A runtime's report of what became of the files, as it is posted and kept. */
export interface BuildReport {
  status: "success" | "failed" | "running";
  stage?: "install" | "build" | "dev" | "page" | "test";
  /** The revision the report is about. */
  revision?: string;
  exitCode?: number;
  wallTimeMs?: number;
  /** The end of what was printed to it. */
  stderr?: string;
  previewUrl?: string;
  visual?: VisualReport;
  /** Milliseconds since 1970 when the server received it. */
  ranAtMs: number;
}

/** What was seen of the page. */
export interface VisualReport {
  /** Who looked: `probe`, `headless`, … */
  source?: string;
  pageTitle?: string;
  /** False for a page that appears blank. */
  rendersNonEmpty?: boolean;
  verdict?: { matchesIntent?: boolean; reason?: string };
  consoleErrors?: VisualProblem[];
  uncaughtErrors?: VisualProblem[];
  domProbes?: { name: string; ok: boolean; detail?: string }[];
}

/** An error that a page told. */
export interface VisualProblem {
  message: string;
  source?: string;
}

/** What `formatBuildResult` has to know besides the report. */
export interface FormatBuildResultOptions {
  /** The revision that stands now: a report of another one is shown as stale. */
  revision?: string;
  /** Whether any runtime is there to report at all. */
  watching?: boolean;
}
