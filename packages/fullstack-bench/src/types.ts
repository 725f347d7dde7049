/**
 * The facts about a built app that FullStack-Bench's judges read, as far as a program can determine
 * them without a model.
 */

/** The database in the benchmark's rules; the judges connect with the same values. */
export const BENCH_DATABASE = {
  user: "myappuser",
  password: "myapppassword",
  database: "myapp",
} as const;

/** Major version of the judges' PostgreSQL: it cannot open a data directory of another version. */
export const BENCH_POSTGRES = 14;

export const RULE_CODES = [
  "layout",
  "install",
  "start",
  "page",
  "api",
  "database-opens",
  "database-reached",
  "rows-written",
  "tables",
] as const;
export type RuleCode = (typeof RULE_CODES)[number];

/** `inapplicable`: a static site has no database. `untried`: an earlier rule failed, or something is missing here. */
export type RuleState = "held" | "failed" | "inapplicable" | "untried";

/** The result of a rule. The values are facts; sentences are made where they are shown. */
export type RuleResult = { state: RuleState } & (
  | {
      code: "layout";
      /** The app's folder in what was handed over. */ root: string;
      missing: string[];
    }
  | { code: "install"; /** In the order they ran. */ commands: InstallCommand[] }
  | {
      code: "start";
      /** The first address printed to stdout; null if there was none in time. */
      port: number | null;
      ms: number;
      /** Exit code of `npm run dev` if it ended before. */
      ended?: number;
      /** Its last lines of output, if it failed. */
      output?: string;
    }
  | {
      code: "page";
      status: number | null;
      isHtml: boolean;
      /** Whether a browser drew something and nothing was thrown; null without a browser. */
      isShown: boolean | null;
    }
  | { code: "api"; /** Paths that were asked by GET. */ asked: string[]; broken: BrokenRoute[] }
  | {
      code: "database-opens";
      /** The content of the directory's `PG_VERSION`; null if there is no directory. */
      version: string | null;
      error?: string;
    }
  | {
      code: "database-reached";
      /** Statements that the app sent after its start. */
      statements: number;
      /** The app's own checks, and during how many of them it sent a statement. */
      checks: number;
      during: number;
    }
  | {
      code: "rows-written";
      checks: CheckRun[];
      /** Writing statements, in all checks. */
      writes: number;
    }
  | { code: "tables"; structures: MatchedStructure[] }
);

export interface InstallCommand {
  command: string;
  /** Null if it did not end in time. */
  exit: number | null;
  ms: number;
  /** Its last lines, if it failed. */
  output?: string;
}

export interface BrokenRoute {
  path: string;
  /** Null if nothing answered. */
  status: number | null;
}

/** One of the app's own checks, run in the page as the judges start it. */
export interface CheckRun {
  name: string;
  held: boolean;
  /** Statements that the app sent while it ran, and how many of them write. */
  statements: number;
  writes: number;
}

/** An entry of `data_structures`, and the tables whose names and columns match it; empty: none. */
export interface MatchedStructure {
  structure: string;
  tables: string[];
}

/** The results of all rules for one app. */
export interface Score {
  rules: RuleResult[];
  /**
   * Whether no rule failed. An untried rule does not count against the app: something else failed
   * then, or it has no checks.
   */
  passes: boolean;
  ms: number;
}

/** A delivered app to score. Absolute paths on the host. */
export interface ScoreRequest {
  /** The app's files. */
  folder: string;
  /** The PostgreSQL data directory; absent or missing: it starts with an empty database. */
  database?: string;
  /** The task's `data_structures`; absent if the task is unknown. */
  structures?: readonly string[];
  /**
   * The folder for the page's picture and the statement log; created if missing. Absent: they are
   * not kept.
   */
  log?: string;
  signal: AbortSignal;
}
