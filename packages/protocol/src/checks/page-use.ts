/** A request to the browser to open a page of the app, and its result. */
import type { CheckStep, PageReport } from "../evidence/index.ts";
import type { ProjectPath } from "../project-path/index.ts";
import type { PageStep } from "./types.ts";

/** The result of pressing the controls of a page. */
export interface PressReport {
  /** How many were pressed, and how many there was no time for. */
  pressed: number;
  left: number;
  /** Those that did nothing, and links that lead nowhere. `subject`: role and name, as in `PageStep`. */
  dead: {
    kind: "control" | "link";
    subject: string;
    /** As `PageUse` has it, with the control outlined. */
    picture?: Uint8Array;
  }[];
  /** The first as whose press something was thrown: what that was is in the report. */
  threw?: string;
  /** What the page reported while they were pressed. */
  report: PageReport;
}

/** What is done with a page that is used, and what is wanted of it. */
export interface PageUseRequest {
  steps: PageStep[];
  /** Take a screenshot at the end, or only if a step fails. */
  picture?: boolean | "on-failure" | undefined;
  /** Milliseconds that what is expected is given to come; default 4,000. */
  expectMs?: number | undefined;
  /**
   * Indices of expectations that are looked for once more after the last step, if they hold then, in the page as it is
   * after a reload. What that comes to is in `stayed` and `gone`.
   */
  stays?: readonly number[] | undefined;
  code?: CodeWatch | undefined;
  /** Say also what the page showed before the last thing that was done in it, and whether its browser keeps other things since. */
  outlineBefore?: boolean | undefined;
}

/** What is to be seen of the project's own code while a page is open. */
export interface CodeWatch {
  /** Files that are asked about. */
  paths: ReadonlySet<ProjectPath>;
  /** Called once with those of them that were loaded. Not called where that cannot be known. */
  onRan(files: RanFile[]): void;
}

/** What ran of a file. */
export interface RanFile {
  path: ProjectPath;
  /** Each function that the browser or the server knows of, by the place in the file where it begins. */
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
  /** One for each step that was tried, in order; only the last may have failed. */
  steps: CheckStep[];
  /** Roles, names and states of what the page shows in the end, as an indented list. */
  outline: string;
  /** The same before the last step that is not an expectation, if requested. */
  outlineBefore?: string;
  /** Whether storage or cookies of the page's are others than then; only where they are known. */
  keepsOther?: boolean;
  /** Path and query of it. */
  address?: string;
  /** What the page printed, and threw, from its opening on: the last 10 lines. */
  console?: string[];
  /** Of `stays`: those that hold in the page as it was loaded after they began to, and those that do not. */
  stayed?: readonly number[];
  gone?: readonly number[];
  /** A page of the app itself that a step's click opened and that answered 404, 410 or 5xx. */
  nowhere?: readonly { step: number; from: string; path: string; status: number }[];
  /**
   * Requests of the pages that change data, by their method; absent if there were none. `answers`: the beginning of the
   * server's answers. `isReadBack`: a script read data from the address of one of them, then or after a reload.
   */
  changed?: { answers: string; isReadBack: boolean };
  /** A PNG or JPEG screenshot at the end, at most 1 MB and 1280 × 800 pixels. */
  picture?: Uint8Array;
  /** Characters of the page, a few, for which the browser has no font: in the picture they are boxes. */
  undrawn?: readonly string[];
  /** What the page reported from its opening on. */
  report: PageReport;
}
