/** A project that is published on this machine, as the routes tell of it. */
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
  /** What `title` says. */
  titleCode?: CodedText;
  /** `src/key.ts:12`, a path of the app, a package. */
  where: string;
  /** What to do, a sentence for people and for the model that repairs it. */
  todo: string;
  /** What `todo` says. */
  todoCode?: CodedText;
}

/** What was examined before a release goes live. */
export interface Gate {
  /** The serious ones first. */
  findings: GateFinding[];
  /** What could not be asked or looked at, a sentence each: nothing is known of it. */
  unchecked: string[];
  /** Its page is still looked at in a browser: nothing of that holds a release, and nobody waits for it. */
  looking?: boolean | undefined;
  /** Somebody had it published although there are serious ones. */
  decided?: { at: number; by: string } | undefined;
}

/** Variables that a project's `.env` files set and its published app lacks, a finding for each file. No value is in it. */
export interface MissingVariables {
  findings: {
    /** `env-not-published`: a secret would supply them; `env-not-built`: the app is a site, and a build gets no secrets. */
    code: "env-not-published" | "env-not-built";
    /** Of the file, in the project. */
    path: string;
    names: string[];
  }[];
}

/** One verified revision, made ready. */
export interface Release {
  /** From 1, never given twice. */
  number: number;
  revision: string;
  checkpoint: string;
  /** What the person or the turn called that state. */
  label: string;
  /** Milliseconds since 1970. */
  at: number;
  /** `held`: ready, but somebody must decide about its findings. */
  state: "building" | "ready" | "held" | "failed";
  /** `site`: files that Treadle serves; `app`: a process of its own. Known once it is built. */
  kind?: "site" | "app" | undefined;
  /** The current progress, or the reason of a failure. */
  said?: string | undefined;
  /** What `said` says; absent for the words of a program, and in releases of earlier versions. */
  saidCode?: CodedText | undefined;
  /** The end of what installing and building printed, where that failed. */
  output?: string | undefined;
  /** How long it took to be ready, in milliseconds. */
  ms?: number | undefined;
  /** Absent while it was not looked at. */
  gate?: Gate | undefined;
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
  /** How often it was seen. */
  count: number;
  /** Of a browser: the path of the page. */
  page?: string | undefined;
  /** Of a browser: where it was thrown, in the project's own files where source maps say so, a line each. */
  stack?: string | undefined;
}

/** Errors of a published app since its first publication, across restarts of Treadle. */
export interface AppSeen {
  /** Milliseconds since 1970. */
  since: number;
  requests: number;
  /** How often it was started again: after a crash, or because somebody wanted it. */
  restarts: number;
  /** The number of all errors, including those no longer listed. */
  errors: number;
}

/** What a published app may reach. */
export interface AppReach {
  /** `project`: the project's hosts; `own`: this list, independent of the project's. */
  of: "project" | "own";
  hosts: string[];
  /** Fonts and the like, beside the hosts. */
  staticHosts: boolean;
}

/** What the sandbox of a published app takes: bytes, and processes with their threads counted. Absent: it cannot be seen. */
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

/** A command of the app that is run at times, from its `treadle.json`. */
export interface AppJob {
  name: string;
  /** Five fields, as cron has them. */
  schedule: string;
  timeZone: string;
  command: string;
  /** When it is run next, in milliseconds since 1970. */
  next?: number | undefined;
  running: boolean;
  last?: AppJobRun | undefined;
}

/** How a project is published. */
export interface Publication {
  /** First label of its host. */
  name: string;
  /** Where it is on this machine, with a final slash. */
  address: string;
  /** Domains of its own, that a web server in front of Treadle leads here. */
  domains: string[];
  /** Where people elsewhere find it, with a final slash: by its domains, and by its name below the domain for all apps. */
  publicAddresses: string[];
  /** A port of its own, for people who cannot use a name. `problem`: why nothing listens there. */
  port?:
    | {
        number: number;
        addresses: string[];
        problem?: string | undefined;
        problemCode?: CodedText | undefined;
      }
    | undefined;
  /** Number of the release that is answered with; absent: none yet. */
  current?: number | undefined;
  /** The newest first. */
  releases: Release[];
  /** What its process does; absent where it has none. */
  app?: "asleep" | "starting" | "up" | "failed" | undefined;
  /** Since the server started. */
  requests: number;
  seen: AppSeen;
  /** Start of its process in milliseconds since 1970; absent while there is none. */
  upSince?: number | undefined;
  /** Absent while nothing of it runs. */
  usage?: AppUsage | undefined;
  /** The newest first, a few. */
  errors: AppError[];
  reach: AppReach;
  /** Of the release that is answered with. */
  jobs: AppJob[];
  /** Whether its pages report errors in visitors' browsers; `refused`: a page's policy forbids it. */
  browserReports: "on" | "off" | "refused";
}
