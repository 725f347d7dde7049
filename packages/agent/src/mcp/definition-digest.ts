import { createHash } from "node:crypto";
import { stableJson } from "../text/stable-json.ts";
import type { McpDefinition, McpServerConfig } from "./types.ts";

/**
 * The digest that an approval of a tool is bound to: its server, its name, its description and its arguments (A36).
 * Keys and headers are left out, so that changing a key keeps the approval.
 */
export function definitionDigest(config: McpServerConfig, definition: McpDefinition): string {
  const where =
    config.type === "stdio"
      ? { command: config.command, args: config.args }
      : { type: config.type, url: config.url };
  return createHash("sha256").update(stableJson({ where, definition })).digest("hex");
}
