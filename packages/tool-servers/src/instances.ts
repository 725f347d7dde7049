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

/**
 * A configured server running in one place: one for all projects runs once in each project's
 * sandbox.
 */
export interface Instance {
  server: ToolServer;
  signIn: SignIn | undefined;
  /** The configuration that it was created from: a change replaces the instance. */
  made: string;
  url: string | undefined;
}

/** A configured server. */
export interface SetUp {
  place: McpScope;
  name: string;
  entry: KeptServer;
}

export type Instances = ReturnType<typeof createInstances>;

/**
 * All server instances. A key is `project/scope/name`, without a project if it is the same for all.
 */
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
    // Looked up again after each close: meanwhile another caller may have made an instance, which a second one would
    // replace without closing it.
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

  /** A server with a configured key needs no sign-in. */
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
     * The best known instance: for a server that runs in sandboxes, when viewed without a project,
     * one of any project.
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

    /** Closes every instance of a changed or removed server. */
    drop: (place: McpScope, name: string) =>
      closeWhere((key) =>
        place === "global"
          ? key.endsWith(`/global/${name}`)
          : key === `${place.project}/project/${name}`,
      ),

    /** Closes the instances in the project's sandbox; what they offered stays known. */
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
