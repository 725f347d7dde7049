import type { McpDefinition, McpServerConfig } from "@treadle/agent";
import type { Store } from "@treadle/store";

/** The scope of a server's configuration: all projects, or one. */
export type McpScope = "global" | { project: string };

export interface KeptServer {
  config: McpServerConfig;
  enabled: boolean;
  /** Only for all projects: it runs on this machine itself. */
  trusted: boolean;
}

/** A tool with the description that the person allowed. */
export interface AllowedTool {
  digest: string;
  definition: McpDefinition;
}

/** Allowed tools by server (`global/notes`, `project/notes`) and tool. */
export type AllowedTools = Record<string, Record<string, AllowedTool>>;

const keyOf = (place: McpScope) => (place === "global" ? place : `project:${place.project}`);

/**
 * Stores servers, permissions and sign-ins. `secret:` keys are in a file that only its owner can
 * read.
 */
export function createMcpStore(store: Store, shared: ReadonlyMap<string, unknown>) {
  /** The local value, else (only for all projects) that of the shared data folder. */
  async function read<T>(key: string, place: McpScope): Promise<T | undefined> {
    const own = await store.settings.get<T>(key);
    return own ?? (place === "global" ? (shared.get(key) as T | undefined) : undefined);
  }
  const serversKey = (place: McpScope) => `secret:mcp:${keyOf(place)}`;
  const allowedKey = (place: McpScope) => `mcp-allowed:${keyOf(place)}`;
  const signInKey = (place: McpScope, name: string) => `secret:mcp-sign-in:${keyOf(place)}:${name}`;
  return {
    servers: async (place: McpScope) =>
      (await read<Record<string, KeptServer>>(serversKey(place), place)) ?? {},
    setServers: (place: McpScope, servers: Record<string, KeptServer>) =>
      store.settings.set(serversKey(place), servers),
    allowed: async (place: McpScope) => (await read<AllowedTools>(allowedKey(place), place)) ?? {},
    setAllowed: (place: McpScope, allowed: AllowedTools) =>
      store.settings.set(allowedKey(place), allowed),
    signedIn: <T>(place: McpScope, name: string) => read<T>(signInKey(place, name), place),
    setSignedIn: (place: McpScope, name: string, value: unknown) =>
      store.settings.set(signInKey(place, name), value),
    async forget(place: McpScope): Promise<void> {
      for (const name of Object.keys(await this.servers(place)))
        await store.settings.remove(signInKey(place, name));
      await store.settings.remove(serversKey(place));
      await store.settings.remove(allowedKey(place));
    },
  };
}

export type McpStore = ReturnType<typeof createMcpStore>;
