import type { McpDefinition, McpServerConfig } from "@treadle/agent";
import type { Store } from "@treadle/store";

/** Where servers are set up: for all projects, or for one. */
export type McpScope = "global" | { project: string };

export interface KeptServer {
  config: McpServerConfig;
  enabled: boolean;
  /** Of all projects only: it runs on this machine itself. */
  trusted: boolean;
}

/** A tool as the person allowed it. */
export interface AllowedTool {
  digest: string;
  definition: McpDefinition;
}

/** By server (`global/notes`, `project/notes`) and tool. */
export type AllowedTools = Record<string, Record<string, AllowedTool>>;

const keyOf = (place: McpScope) => (place === "global" ? place : `project:${place.project}`);

/** Servers, what is allowed of them and what signed in there. `secret:` keys are in a file that only its owner reads. */
export function createMcpStore(store: Store, shared: ReadonlyMap<string, unknown>) {
  /** What stands here, else (for all projects alone) what the shared data folder has. */
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
