import type { Awake } from "@treadle/workspace";
import type { AwakeProject } from "../workspace/owners-room.ts";
import type { RuntimeParts } from "../project-context/project-context.ts";
import type { Runtimes } from "./runtimes.ts";
import type { ProjectRuntime } from "./types.ts";

type Followers = NonNullable<RuntimeParts["published"]>;

/** The projects, for what is made before their runtimes: the sandboxes' driver, previews, tool servers. */
export interface ProjectLookup extends Pick<Runtimes, "projectOf" | "sharedUsage"> {
  /** What a project's own turn or look asks for: it does not wait for the end that waits for it. */
  runtimeOf(project: string): Promise<ProjectRuntime>;
  /** Everything that has a sandbox, but this project's. */
  awake(besides: string): Awake[];
  /** The projects that have a sandbox, without published apps. */
  awakeProjects(): AwakeProject[];
  /** What runtimes tell of projects that are deleted, put back or removed. */
  readonly published: Followers;
  /** Enters the runtimes, before anything is asked for. */
  connect(runtimes: Runtimes): void;
  /** Registers the running published projects, and receives their state changes. */
  connectPublishing(published: Followers & { awake(besides: string): Awake[] }): void;
}

/** Creates a lookup that finds nothing until runtimes are connected to it. */
export function createProjectLookup(): ProjectLookup {
  let runtimes: Runtimes | undefined;
  let published: Parameters<ProjectLookup["connectPublishing"]>[0] | undefined;
  const connected = (): Runtimes => {
    if (!runtimes) throw new Error("No runtimes are connected yet.");
    return runtimes;
  };
  return {
    sharedUsage: (project) => connected().sharedUsage(project),
    projectOf: (capability) => connected().projectOf(capability),
    runtimeOf: async (project) => connected().known(project) ?? connected().get(project),
    awake: (besides) => [...(runtimes?.awake(besides) ?? []), ...(published?.awake(besides) ?? [])],
    awakeProjects: () => runtimes?.awake("") ?? [],
    published: {
      rest: async (project) => published?.rest(project),
      back: (project) => published?.back(project),
      remove: async (project) => published?.remove(project),
    },
    connect: (those) => void (runtimes = those),
    connectPublishing: (those) => void (published = those),
  };
}
