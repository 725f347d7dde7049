import type { Awake } from "@treadle/workspace";
import type { AwakeProject } from "../workspace/owners-room.ts";
import type { RuntimeParts } from "../project-context/project-context.ts";
import type { Runtimes } from "./runtimes.ts";
import type { ProjectRuntime } from "./types.ts";

type Followers = NonNullable<RuntimeParts["published"]>;

/**
 * Access to projects for the parts that are created before the runtimes: the sandbox driver, previews, tool
 * servers.
 */
export interface ProjectLookup extends Pick<Runtimes, "projectOf" | "sharedUsage" | "created"> {
  /**
   * The project's runtime, even one that is being closed. For the project's own turn or look: closing waits for it,
   * so it must not wait for the closing.
   */
  runtimeOf(project: string): Promise<ProjectRuntime>;
  /** Everything with an open sandbox, published apps included, except for the project `besides`. */
  awake(besides: string): Awake[];
  /** The projects with an open sandbox, without published apps. */
  awakeProjects(): AwakeProject[];
  /** Passes the deletion, restoration and removal of projects on to their publications. */
  readonly published: Followers;
  /** Sets the runtimes, before any project is looked up. */
  connect(runtimes: Runtimes): void;
  /** Sets the publications: `awake` includes their apps, and `published` passes changes on to them. */
  connectPublishing(published: Followers & { awake(besides: string): Awake[] }): void;
}

/**
 * Creates a lookup without runtimes. Until `connect` is called nothing is awake, and looking up a project throws.
 */
export function createProjectLookup(): ProjectLookup {
  let runtimes: Runtimes | undefined;
  let published: Parameters<ProjectLookup["connectPublishing"]>[0] | undefined;
  const connected = (): Runtimes => {
    if (!runtimes) throw new Error("No runtimes are connected yet.");
    return runtimes;
  };
  return {
    sharedUsage: (project) => connected().sharedUsage(project),
    created: (project) => connected().created(project),
    projectOf: (capability) => connected().projectOf(capability),
    runtimeOf: async (project) => connected().known(project) ?? connected().get(project),
    awake: (besides) => [...(runtimes?.awake(besides) ?? []), ...(published?.awake(besides) ?? [])],
    awakeProjects: () => runtimes?.awake("") ?? [],
    published: {
      rest: async (project) => published?.rest(project),
      isAwake: (project) => published?.isAwake(project) === true,
      takeOver: async (project) => published?.takeOver(project),
      withJobs: () => published?.withJobs() ?? [],
      back: (project) => published?.back(project),
      remove: async (project) => published?.remove(project),
    },
    connect: (those) => void (runtimes = those),
    connectPublishing: (those) => void (published = those),
  };
}
