/** A published project in requests and responses. */
import type { CodedText } from "../sentences/index.ts";

/** A finding about a release before it goes live. It contains no secret's value. */
export interface GateFinding {
  /** Identifies the finding and its place; equal in later releases if it still applies. */
  id: string;
  check:
    | "secrets"
    | "packages"
    | "licences"
    | "advisories"
    | "access"
    | "headers"
    | "page"
    | "accessibility";
  /** `serious` holds the release until somebody decides; `minor` is only reported. */
  severity: "serious" | "minor";
  /** A sentence. */
  title: string;
  /** The code of `title`. */
  titleCode?: CodedText;
  /** For example `src/key.ts:12`, a path of the app, or a package. */
  where: string;
  /** What to do, a sentence for people and for the model that repairs it. */
  todo: string;
  /** The code of `todo`. */
  todoCode?: CodedText;
}

/** What was examined before a release goes live. */
export interface Gate {
  /** The serious ones first. */
  findings: GateFinding[];
  /** What could not be checked, one sentence each. */
  unchecked: string[];
  /** A browser check of its page is still running: it holds no release, and nobody waits for it. */
  looking?: boolean | undefined;
  /** Set if a person published it despite serious findings. */
  decided?: { at: number; by: string } | undefined;
}

/**
 * Variables in a project's `.env` files that its published app lacks, one finding per file.
 * Contains no values.
 */
export interface MissingVariables {
  findings: {
    /** `env-not-published`: a secret would supply them; `env-not-built`: the app is a site, and a build gets no secrets. */
    code: "env-not-published" | "env-not-built";
    /** Path of the file in the project. */
    path: string;
    names: string[];
  }[];
}

/** A release of one verified revision. */
export interface Release {
  /** From 1, never reused. */
  number: number;
  revision: string;
  checkpoint: string;
  /** The label of that state, by the person or the turn. */
  label: string;
  /** Milliseconds since 1970. */
  at: number;
  /** `held`: ready, but somebody must decide about its findings. */
  state: "building" | "ready" | "held" | "failed";
  /** `site`: files served by Treadle; `app`: a process. Known after the build. */
  kind?: "site" | "app" | undefined;
  /** The current progress, or the reason of a failure. */
  said?: string | undefined;
  /**
   * The code of `said`; absent for the output of a program, and in releases of earlier versions.
   */
  saidCode?: CodedText | undefined;
  /** The end of the output of a failed install or build. */
  output?: string | undefined;
  /** Duration until it was ready, in milliseconds. */
  ms?: number | undefined;
  /** Absent until it was checked. */
  gate?: Gate | undefined;
  /** The request for which it was made. It goes live only if a second person approves that. */
  review?: string | undefined;
}

/** An error of a published app. Equal errors of one release are combined, with a count. */
export interface AppError {
  /** Milliseconds since 1970, when it was last seen. */
  at: number;
  release: number;
  /**
   * The app exited or did not start; it answered with 500 or above, or not at all; a visitor's browser reported an
   * error; a job failed; or it exceeded a limit.
   */
  kind: "crash" | "answer" | "browser" | "job" | "limit";
  text: string;
  /** How often it occurred. */
  count: number;
  /** For an error in a browser: the path of the page. */
  page?: string | undefined;
  /**
   * For an error in a browser: its stack, in the project's own files if source maps are available,
   * one frame per line.
   */
  stack?: string | undefined;
}

/** Errors of a published app since its first publication, across restarts of Treadle. */
export interface AppSeen {
  /** Milliseconds since 1970. */
  since: number;
  requests: number;
  /** Number of restarts: after a crash, or on request. */
  restarts: number;
  /** The number of all errors, including those no longer listed. */
  errors: number;
}

/** The hosts that a published app may reach. */
export interface AppReach {
  /** `project`: the project's hosts; `own`: this list, independent of the project's. */
  of: "project" | "own";
  hosts: string[];
  /** Whether static hosts (fonts and the like) are allowed as well. */
  staticHosts: boolean;
}

/**
 * Resource usage of a published app's sandbox: bytes, and processes including threads. Absent if
 * not measurable.
 */
export interface AppUsage {
  memory?: number | undefined;
  processes?: number | undefined;
  /** As it was measured last. */
  disk?: number | undefined;
  /** Its resource limits; `cpus` are cores. */
  limits: { memory: number; processes: number; cpus: number; disk: number };
}

/** One run of a job of a published app. */
export interface AppJobRun {
  /** Milliseconds since 1970. */
  at: number;
  ms: number;
  /** `stopped`: another release took over, or Treadle was stopped. */
  state: "done" | "failed" | "timeout" | "stopped";
  /** The end of its output. */
  output: string;
}

/** A scheduled command of the app, from its `treadle.json`. */
export interface AppJob {
  name: string;
  /** Five fields in cron's format. */
  schedule: string;
  timeZone: string;
  command: string;
  /** The next run, in milliseconds since 1970. */
  next?: number | undefined;
  running: boolean;
  last?: AppJobRun | undefined;
}

/** How a project is published. */
export interface Publication {
  /** First label of its host name. */
  name: string;
  /** Its address on this machine, with a trailing slash. */
  address: string;
  /** Domains of its own, which a reverse proxy in front of Treadle forwards here. */
  domains: string[];
  /**
   * Its public addresses, with a trailing slash: its domains, and its name below the domain for all
   * apps.
   */
  publicAddresses: string[];
  /**
   * A separate port, for clients that cannot resolve the name. `problem`: why nothing listens
   * there.
   */
  port?:
    | {
        number: number;
        addresses: string[];
        problem?: string | undefined;
        problemCode?: CodedText | undefined;
      }
    | undefined;
  /** Number of the live release; absent: none yet. */
  current?: number | undefined;
  /** The newest first. */
  releases: Release[];
  /** State of its process; absent for a site. */
  app?: "asleep" | "starting" | "up" | "failed" | undefined;
  /** Number of requests since the server started. */
  requests: number;
  seen: AppSeen;
  /** Start of its process in milliseconds since 1970; absent while there is none. */
  upSince?: number | undefined;
  /** Absent while it is not running. */
  usage?: AppUsage | undefined;
  /** The newest first, a few. */
  errors: AppError[];
  reach: AppReach;
  /** Jobs of the live release. */
  jobs: AppJob[];
  /** Whether its pages report errors in visitors' browsers; `refused`: a page's policy forbids it. */
  browserReports: "on" | "off" | "refused";
}
