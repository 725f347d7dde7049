import { sentence } from "@treadle/protocol/sentences";
import {
  definitionDigest,
  describeChange,
  McpError,
  type McpDefinition,
  type McpServerConfig,
  type McpTool,
} from "@treadle/agent";
import type { AllowedTool } from "./mcp-store.ts";
import { newToolWords } from "./new-tool-words.ts";
import type { ToolServer } from "./tool-server.ts";

/**
 * A tool for a run. If it changed since it was allowed, the model still sees the allowed
 * description (A36).
 */
export function runTool(
  server: ToolServer,
  name: string,
  config: McpServerConfig,
  listed: McpDefinition,
  allowed: () => AllowedTool | undefined,
): McpTool {
  const now = () => server.definitions.find((one) => one.name === listed.name) ?? listed;
  const known = allowed();
  /** Digest of the description when the call was last checked for approval. */
  let looked: string | undefined;
  return {
    server: name,
    definition:
      known && known.digest !== definitionDigest(config, listed) ? known.definition : listed,
    standing() {
      const definition = now();
      const digest = definitionDigest(config, definition);
      looked = digest;
      const before = allowed();
      return {
        allowed: before?.digest === digest,
        digest,
        why: before
          ? `It has changed since it was allowed. ${describeChange(before.definition, definition)}`
          : newToolWords(config, definition),
      };
    },
    async call(input, signal) {
      await server.listChanges();
      if (!server.definitions.some((one) => one.name === listed.name))
        throw new McpError("failed", sentence("mcp-tool-gone"));
      if (looked !== undefined && definitionDigest(config, now()) !== looked)
        throw new McpError("failed", sentence("mcp-tool-described-anew"));
      return server.call(listed.name, input, signal);
    },
  };
}
