import { readMcpConfig } from "@treadle/agent";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";
import type { Instances, SetUp } from "./instances.ts";
import { whereOf, withKept } from "./kept-values.ts";
import type { KeptServer, McpStore, McpScope } from "./mcp-store.ts";
import type { ReadProposal } from "./read-proposals.ts";

/** Maximum number of servers per scope. */
const SERVERS = 30;

/** Servers configured by a person; a changed one is restarted. */
export function createSetUpServers({
  store,
  instances,
}: {
  store: McpStore;
  instances: Instances;
}) {
  async function find(place: McpScope, name: string): Promise<SetUp> {
    const servers = await store.servers(place);
    const entry = Object.hasOwn(servers, name) ? servers[name] : undefined;
    if (!entry) throw notFound("server");
    return { place, name, entry };
  }

  /**
   * The servers of a project, its own first: they replace those of the same name for all projects.
   */
  async function serversOf(project?: string): Promise<SetUp[]> {
    const own = project === undefined ? {} : await store.servers({ project });
    const all = await store.servers("global");
    return [
      ...Object.entries(own).map(([name, entry]) => ({
        place: { project: project! },
        name,
        entry,
      })),
      ...Object.entries(all)
        .filter(([name]) => !Object.hasOwn(own, name))
        .map(([name, entry]) => ({ place: "global" as const, name, entry })),
    ];
  }

  async function put(place: McpScope, changed: Record<string, KeptServer>): Promise<void> {
    await store.setServers(place, { ...(await store.servers(place)), ...changed });
    for (const name of Object.keys(changed)) await instances.drop(place, name);
  }

  return {
    find,
    serversOf,

    /** An enabled server by its name in the project. */
    async named(project: string, name: string): Promise<SetUp> {
      const found = (await serversOf(project)).find((one) => one.name === name);
      if (!found?.entry.enabled) throw notFound("server");
      return found;
    },

    async save(place: McpScope, text: string, isOn = true): Promise<void> {
      const read = readMcpConfig(text);
      if (!read.ok)
        throw new ApiFailure(400, "bad-input", sentence("servers-invalid", { why: read.message }));
      const before = await store.servers(place);
      const changed: Record<string, KeptServer> = {};
      for (const [name, config] of Object.entries(read.servers)) {
        const known = Object.hasOwn(before, name) ? before[name] : undefined;
        // Trust does not carry over to another program.
        const same = known !== undefined && whereOf(known.config) === whereOf(config);
        const filled = withKept(config, known?.config);
        if (Array.isArray(filled))
          throw new ApiFailure(
            400,
            "bad-input",
            sentence("server-value-missing", { name, values: filled }),
          );
        changed[name] = {
          config: filled,
          enabled: isOn || same ? (known?.enabled ?? isOn) : false,
          trusted: same && known.trusted,
        };
      }
      if (Object.keys({ ...before, ...changed }).length > SERVERS)
        throw new ApiFailure(
          409,
          "too-many",
          sentence("limit-reached", { what: "servers", limit: SERVERS }),
        );
      await put(place, changed);
    },

    async update(
      place: McpScope,
      name: string,
      { enabled, trusted }: { enabled?: boolean; trusted?: boolean },
    ): Promise<void> {
      const { entry } = await find(place, name);
      if (trusted && (place !== "global" || entry.config.type !== "stdio"))
        throw new ApiFailure(400, "bad-input", sentence("server-not-trustable"));
      await put(place, {
        [name]: {
          ...entry,
          ...(enabled === undefined ? {} : { enabled }),
          ...(trusted === undefined ? {} : { trusted }),
        },
      });
    },

    accept: (project: string, { name, server }: ReadProposal) =>
      put({ project }, { [name]: { config: server, enabled: true, trusted: false } }),

    async remove(place: McpScope, name: string): Promise<void> {
      await find(place, name);
      const { [name]: _, ...rest } = await store.servers(place);
      await store.setServers(place, rest);
      await store.setSignedIn(place, name, undefined);
      await instances.drop(place, name);
    },
  };
}
