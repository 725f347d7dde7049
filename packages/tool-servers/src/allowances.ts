import { definitionDigest, type McpDefinition, type McpServerConfig } from "@treadle/agent";
import type { AllowedTool, AllowedTools, McpStore, McpScope } from "./mcp-store.ts";

/** What the person allows of tools as they are described, in one project or in all. */
export function createAllowances(store: McpStore) {
  const at = (server: McpScope, name: string) =>
    `${server === "global" ? server : "project"}/${name}`;
  return {
    /** What is allowed of one server: in the project (`own`), else in all of them. */
    find(
      server: McpScope,
      name: string,
      own: AllowedTools,
      all: AllowedTools,
    ): Record<string, AllowedTool> {
      const key = at(server, name);
      return { ...(server === "global" ? all[key] : {}), ...own[key] };
    },

    /** @param where in which it is allowed from now on */
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

    /** The server is forgotten, and with it what was allowed of it. */
    async forget(server: McpScope, name: string): Promise<void> {
      const { [at(server, name)]: _, ...rest } = await store.allowed(server);
      await store.setAllowed(server, rest);
    },
  };
}
