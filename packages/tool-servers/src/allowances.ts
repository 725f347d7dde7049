import { definitionDigest, type McpDefinition, type McpServerConfig } from "@treadle/agent";
import type { AllowedTool, AllowedTools, McpStore, McpScope } from "./mcp-store.ts";

/**
 * Tools that the person has allowed, with their descriptions at that time, in one project or in
 * all.
 */
export function createAllowances(store: McpStore) {
  const at = (server: McpScope, name: string) =>
    `${server === "global" ? server : "project"}/${name}`;
  return {
    /**
     * The allowed tools of one server: those of the project (`own`), else those of all projects.
     */
    find(
      server: McpScope,
      name: string,
      own: AllowedTools,
      all: AllowedTools,
    ): Record<string, AllowedTool> {
      const key = at(server, name);
      return { ...(server === "global" ? all[key] : {}), ...own[key] };
    },

    /** @param where the scope of the permission */
    async allow(
      where: McpScope,
      server: McpScope,
      name: string,
      config: McpServerConfig,
      definitions: readonly McpDefinition[],
    ): Promise<void> {
      const key = at(server, name);
      const before = await store.allowed(where);
      const more = definitions.map(
        (definition) =>
          [definition.name, { digest: definitionDigest(config, definition), definition }] as const,
      );
      await store.setAllowed(where, {
        ...before,
        [key]: { ...before[key], ...Object.fromEntries(more) },
      });
    },

    async takeBack(
      where: McpScope,
      server: McpScope,
      name: string,
      tools: string[],
    ): Promise<void> {
      const key = at(server, name);
      const before = await store.allowed(where);
      const left = Object.entries(before[key] ?? {}).filter(([tool]) => !tools.includes(tool));
      await store.setAllowed(where, { ...before, [key]: Object.fromEntries(left) });
    },

    /** Deletes the permissions of a removed server. */
    async forget(server: McpScope, name: string): Promise<void> {
      const { [at(server, name)]: _, ...rest } = await store.allowed(server);
      await store.setAllowed(server, rest);
    },
  };
}
