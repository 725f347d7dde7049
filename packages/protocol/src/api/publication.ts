/** A project that is published on this machine, as the routes tell of it. */

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
  state: "building" | "ready" | "failed";
  /** `site`: files that Treadle serves; `app`: a process of its own. Known once it is built. */
  kind?: "site" | "app" | undefined;
  /** What goes on, or why it failed. */
  said?: string | undefined;
  /** The end of what installing and building printed, where that failed. */
  output?: string | undefined;
  /** How long it took to be ready, in milliseconds. */
  ms?: number | undefined;
}

/** Something that a published app did not answer as it should have. */
export interface AppError {
  /** Milliseconds since 1970. */
  at: number;
  release: number;
  text: string;
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
  /** Number of the release that is answered with; absent: none yet. */
  current?: number | undefined;
  /** The newest first. */
  releases: Release[];
  /** What its process does; absent where it has none. */
  app?: "asleep" | "starting" | "up" | "failed" | undefined;
  /** Since the server started. */
  requests: number;
  /** The newest first, a few. */
  errors: AppError[];
}
