/** A request to the browser to open a page of the app, and its result. */
import type { CheckStep, PageReport } from "../evidence/index.ts";
import type { ProjectPath } from "../project-path/index.ts";
import type { PageStep } from "./types.ts";

/** The result of pressing the controls of a page. */
export interface PressReport {
  /** Number of controls that were pressed, and that were skipped for lack of time. */
  pressed: number;
  left: number;
  /**
   * Controls without effect, and links that lead nowhere. `subject`: role and name, as in
   * `PageStep`.
   */
  dead: {
    kind: "control" | "link";
    subject: string;
    /** As in `PageUse`, with the control outlined. */
    picture?: Uint8Array;
  }[];
  /** The first control that caused an error, which is in the report. */
  threw?: string;
  /** What the page reported while they were pressed. */
  report: PageReport;
}

/** The steps to take in a page, and what to return. */
export interface PageUseRequest {
  steps: PageStep[];
  /** Take a screenshot at the end, or only if a step fails. */
  picture?: boolean | "on-failure" | undefined;
  /** How long to wait for an expectation, in milliseconds; default 4,000. */
  expectMs?: number | undefined;
  /**
   * Indices of expectations to check again after the last step, if they hold then, in the reloaded
   * page. The results are in `stayed` and `gone`.
   */
  stays?: readonly number[] | undefined;
  code?: CodeWatch | undefined;
  /**
   * Return the page's outline from before the last action too, and whether its browser storage has
   * changed since.
   */
  outlineBefore?: boolean | undefined;
}

/** Which of the project's own code to observe while a page is open. */
export interface CodeWatch {
  /** The files to observe. */
  paths: ReadonlySet<ProjectPath>;
  /** Called once with those that were loaded. Not called if that cannot be determined. */
  onRan(files: RanFile[]): void;
}

/** The executed code of a file. */
export interface RanFile {
  path: ProjectPath;
  /** Every function known to the browser or the server, by its start in the file. */
  functions: {
    /** From 1. */
    line: number;
    /** From 0. */
    column: number;
    ran: boolean;
  }[];
}

/** The result of using a page. */
export interface PageUse {
  /** One for each attempted step, in order; only the last may have failed. */
  steps: CheckStep[];
  /** Roles, names and states on the page at the end, as an indented list. */
  outline: string;
  /** The outline before the last step that is not an expectation, if requested. */
  outlineBefore?: string;
  /** Whether the page's storage or cookies have changed since; only if known. */
  keepsOther?: boolean;
  /** Its path and query. */
  address?: string;
  /** The last 10 lines of the page's output and errors since it was opened. */
  console?: string[];
  /** Indices from `stays` that hold in the reloaded page, and those that do not. */
  stayed?: readonly number[];
  gone?: readonly number[];
  /** A page of the app that a step's click opened and that answered 404, 410 or 5xx. */
  nowhere?: readonly { step: number; from: string; path: string; status: number }[];
  /**
   * Requests of the pages that change data, by their method; absent if there were none. `answers`: the beginning of the
   * server's answers. `isReadBack`: a script read data from the address of one of them, then or after a reload.
   */
  changed?: { answers: string; isReadBack: boolean };
  /** A PNG or JPEG screenshot at the end, at most 1 MB and 1280 × 800 pixels. */
  picture?: Uint8Array;
  /** A few characters of the page for which the browser has no font: boxes in the picture. */
  undrawn?: readonly string[];
  /** The page's report since it was opened. */
  report: PageReport;
}
