/** A runtime's report about the files, as sent and stored. */
export interface BuildReport {
  status: "success" | "failed" | "running";
  stage?: "install" | "build" | "dev" | "page" | "test";
  /** The revision the report is about. */
  revision?: string;
  exitCode?: number;
  wallTimeMs?: number;
  /** The end of its error output. */
  stderr?: string;
  previewUrl?: string;
  visual?: VisualReport;
  /** Milliseconds since 1970 when the server received it. */
  ranAtMs: number;
}

/** Observations of the page. */
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

/** An error reported by a page. */
export interface VisualProblem {
  message: string;
  source?: string;
}

/** Additional facts for `formatBuildResult`. */
export interface FormatBuildResultOptions {
  /** The current revision: a report about another one is shown as stale. */
  revision?: string;
  /** Whether any runtime is connected that could report. */
  watching?: boolean;
}
