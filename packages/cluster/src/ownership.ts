import type { Store } from "@treadle/store";

/** Where a project is worked on. */
export type Owner =
  | { kind: "here" }
  /** @property address the internal address of the owner */
  | { kind: "elsewhere"; address: string }
  | { kind: "nobody" };

/** What a server does with the projects that it owns. */
export interface OwnedProjects {
  /** Ends what the former owner left, before anything else happens in the project. */
  recover(project: string, store: Store): Promise<void>;
  /** Stops everything of a project. */
  close(project: string): Promise<void>;
  /** Whether anything of a project runs here. An unused project is released. */
  isUsed(project: string): boolean;
  /** Projects that need an owner even if nobody opens them. */
  unattended(): string[];
}

/** Which projects this server owns. All others belong to other servers, or to nobody. */
export interface Ownership {
  /** Whether other servers may own projects. */
  readonly isShared: boolean;
  /** Whether this server owns a project now. */
  isHere(project: string): boolean;
  /**
   * Begins, with the projects that there are now.
   * @param recoverable ids of projects that may have unfinished work
   */
  start(projects: OwnedProjects, recoverable: readonly string[]): Promise<void>;
  /**
   * Makes this server the owner, and resolves once the project can be worked on.
   * @throws ApiFailure 503 `elsewhere` if another server owns it
   */
  own(project: string): Promise<void>;
  ownerOf(project: string): Promise<Owner>;
  /** Whether this server performs a job that one server at a time performs. */
  leads(job: string): Promise<boolean>;
  /** Takes no more projects, and hands over those that it has, one by one. */
  drain(): Promise<void>;
}

/** The ownership of a server that has the database alone: it owns everything, and starts by ending what was left. */
export function soleOwnership(store: Store): Ownership {
  const here: Owner = { kind: "here" };
  return {
    isShared: false,
    isHere: () => true,
    async start(projects, recoverable) {
      for (const project of recoverable) await projects.recover(project, store);
    },
    own: () => Promise.resolve(),
    ownerOf: () => Promise.resolve(here),
    leads: () => Promise.resolve(true),
    drain: () => Promise.resolve(),
  };
}
