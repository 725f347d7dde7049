/** What FullStack-Bench's judges read of a built app, as far as a program can tell without a model. */

/** The database that the benchmark's rules name; the judges connect with the same words. */
export const BENCH_DATABASE = {
  user: "myappuser",
  password: "myapppassword",
  database: "myapp",
} as const;

/** Major version of the judges' PostgreSQL: a data directory of another one does not open there. */
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

/** What a rule came to. The values are facts; sentences are made where they are shown. */
export type RuleResult = { state: RuleState } & (
  | {
      code: "layout";
      /** The app's folder in what was handed over. */ root: string;
      missing: string[];
    }
  | { code: "install"; /** In the order they ran. */ commands: InstallCommand[] }
  | {
      code: "start";
      /** Of the first address that was printed to stdout; null where there was none in time. */
      port: number | null;
      ms: number;
      /** Exit code of `npm run dev` where it ended before. */
      ended?: number;
      /** The last lines that it printed, where it failed. */
      output?: string;
    }
  | {
      code: "page";
      status: number | null;
      isHtml: boolean;
      /** Whether a browser drew something and nothing was thrown; null where no browser looked. */
      isShown: boolean | null;
    }
  | { code: "api"; /** Paths that were asked by GET. */ asked: string[]; broken: BrokenRoute[] }
  | {
      code: "database-opens";
      /** What the directory's `PG_VERSION` holds; null where there is no directory. */
      version: string | null;
      error?: string;
    }
  | {
      code: "database-reached";
      /** Statements that the app sent after it had started. */
      statements: number;
      /** The app's own checks, and during how many of them it sent one. */
      checks: number;
      during: number;
    }
  | {
      code: "rows-written";
      checks: CheckRun[];
      /** Statements that write, in all checks. */
      writes: number;
    }
  | { code: "tables"; structures: MatchedStructure[] }
);

export interface InstallCommand {
  command: string;
  /** Null where it did not end in time. */
  exit: number | null;
  ms: number;
  /** The last lines, where it failed. */
  output?: string;
}

export interface BrokenRoute {
  path: string;
  /** Null where nothing answered. */
  status: number | null;
}

/** One of the app's own checks, run in the page as the judges start it. */
export interface CheckRun {
  name: string;
  held: boolean;
  /** Statements that the app sent while it ran, and those of them that write. */
  statements: number;
  writes: number;
}

/** An entry of `data_structures`, and the tables whose names and columns speak of it; empty: none does. */
export interface MatchedStructure {
  structure: string;
  tables: string[];
}

/** What became of all rules for one app. */
export interface Score {
  rules: RuleResult[];
  /** Whether no rule failed. What could not be tried is not held against the app: something else failed then, or it has no checks. */
  passes: boolean;
  ms: number;
}

/** Where an app lies that is scored, as it was handed over. Absolute paths on the host. */
export interface ScoreRequest {
  /** The app's files. */
  folder: string;
  /** The PostgreSQL data directory; absent or missing: it begins with an empty database. */
  database?: string;
  /** The task's `data_structures`; absent where the task is not known. */
  structures?: readonly string[];
  /** Where the picture of the page and the statement log go; made if missing. Absent: they are not kept. */
  log?: string;
  signal: AbortSignal;
}
