import type { McpReach } from "@treadle/agent";
import type { Workspace } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { hostPipe } from "./host-pipe.ts";
import { runsWhere, type RunsWhere } from "./runs-where.ts";
import type { KeptServer, McpStore, McpScope } from "./mcp-store.ts";
import { sandboxPipe } from "./sandbox-pipe.ts";
import { createSignIn, type SignIn } from "./sign-in.ts";
import { createToolServer, type ToolServer } from "./tool-server.ts";

/** A server that is set up, as it runs in one place: one of all projects runs once in each project's sandbox. */
export interface Instance {
  server: ToolServer;
  signIn: SignIn | undefined;
  /** What it was made of: it is made anew when that changes. */
  made: string;
  url: string | undefined;
}

/** A server as it is set up. */
export interface SetUp {
  place: McpScope;
  name: string;
  entry: KeptServer;
}

export type Instances = ReturnType<typeof createInstances>;

/** The servers that run, or ran. A key is `project/scope/name`, without a project where it is the same for all. */
export function createInstances(options: {
  store: McpStore;
  env: Record<string, string | undefined>;
  appOrigin(): string;
  workspaceOf(project: string): Promise<Workspace>;
}) {
  const { store } = options;
  const instances = new Map<string, Instance>();

  function keyOf({ place, name, entry }: SetUp, project?: string): string {
    if (place !== "global") return `${place.project}/project/${name}`;
    return runsWhere(place, entry) === "sandbox"
      ? `${project ?? ""}/global/${name}`
      : `/global/${name}`;
  }

  async function instanceFor(setUp: SetUp, project?: string): Promise<Instance> {
    const { place, entry } = setUp;
    const { config } = entry;
    const key = keyOf(setUp, project);
    const made = JSON.stringify([config, entry.trusted]);
    // Whoever else asks meanwhile makes it, or waits as well: of two that were made, nobody would end one.
    for (let known; (known = instances.get(key)) !== undefined;) {
      if (known.made === made) return known;
      await known.server.close();
      if (instances.get(key) === known) instances.delete(key);
    }
    const person = signInOf(setUp);
    const where = runsWhere(place, entry);
    const instance: Instance = {
      server: createToolServer({
        config,
        where,
        reach: () => reach(setUp, where, place === "global" ? project : place.project, person),
      }),
      signIn: person,
      made,
      url: config.type === "stdio" ? undefined : config.url,
    };
    instances.set(key, instance);
    return instance;
  }

  /** Who gives a key needs nobody to sign in. */
  function signInOf({ place, name, entry: { config } }: SetUp): SignIn | undefined {
    if (config.type !== "http") return undefined;
    if (Object.keys(config.headers).some((header) => header.toLowerCase() === "authorization"))
      return undefined;
    return createSignIn({
      redirect: () => `${options.appOrigin()}/mcp/sign-in`,
      url: config.url,
      read: () => store.signedIn(place, name),
      write: (value) => store.setSignedIn(place, name, value),
    });
  }

  async function reach(
    { entry: { config } }: SetUp,
    where: RunsWhere,
    project: string | undefined,
    person: SignIn | undefined,
  ): Promise<McpReach> {
    if (config.type !== "stdio") return { ...config, signIn: person?.provider };
    if (where === "machine") return { pipe: hostPipe(config, options.env) };
    if (project === undefined)
      throw new ApiFailure(409, "no-project", sentence("server-in-projects"));
    return { pipe: await sandboxPipe(config, await options.workspaceOf(project)) };
  }

  async function closeWhere(matches: (key: string) => boolean): Promise<void> {
    for (const [key, { server }] of instances) {
      if (!matches(key)) continue;
      instances.delete(key);
      await server.close();
    }
  }

  return {
    instanceFor,

    /**
     * The instance that knows most of it: of one that runs in sandboxes, and is looked at without a project, one that
     * runs in some project's.
     */
    async best(setUp: SetUp, project?: string): Promise<Instance> {
      const own = await instanceFor(setUp, project);
      if (setUp.place !== "global" || project !== undefined || own.server.definitions.length > 0)
        return own;
      for (const [key, other] of instances)
        if (
          key.endsWith(`/global/${setUp.name}`) &&
          other.made === own.made &&
          other.server.definitions.length > 0
        )
          return other;
      return own;
    },

    all: (): Iterable<Instance> => instances.values(),

    /** Ends every instance of a server that is changed or removed. */
    drop: (place: McpScope, name: string) =>
      closeWhere((key) =>
        place === "global"
          ? key.endsWith(`/global/${name}`)
          : key === `${place.project}/project/${name}`,
      ),

    /** Ends what runs in the project's sandbox; what it offered stays known. */
    async rest(project: string): Promise<void> {
      const own = [...instances].filter(([key]) => key.startsWith(`${project}/`));
      await Promise.all(own.map(([, { server }]) => server.close()));
    },

    forget: (project: string) => closeWhere((key) => key.startsWith(`${project}/`)),

    async close(): Promise<void> {
      await Promise.all([...instances.values()].map(({ server }) => server.close()));
      instances.clear();
    },
  };
}
