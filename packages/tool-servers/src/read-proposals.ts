import { toProjectPath } from "@treadle/protocol/project-path";
import { createHash } from "node:crypto";
import { readMcpConfig, type McpServerConfig } from "@treadle/agent";
import type { McpProposal, ProjectPath } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { shownConfig, whereOf } from "./kept-values.ts";

/** Files in which projects configure servers for other programs. */
const FILES = [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"].map(toProjectPath);
const BYTES = 64_000;

export interface ReadProposal extends McpProposal {
  server: McpServerConfig;
}

/** Reads the servers that the project's own files request (A32): they are only shown. */
export async function readProposals(workspace: Workspace): Promise<ReadProposal[]> {
  const found: ReadProposal[] = [];
  for (const path of FILES) {
    const read = readMcpConfig(await textOf(workspace, path));
    if (!read.ok) continue;
    for (const [name, server] of Object.entries(read.servers)) {
      const config = shownConfig(name, server, true);
      const digest = createHash("sha256").update(`${path}\0${config}`).digest("hex");
      found.push({ path, name, where: whereOf(server), config, digest, server });
    }
  }
  return found;
}

async function textOf(workspace: Workspace, path: ProjectPath): Promise<string> {
  try {
    const { bytes } = await workspace.files.read(path, { limit: BYTES });
    return new TextDecoder().decode(bytes).replace(/^\s*\{\s*"servers"/, '{"mcpServers"');
  } catch {
    // Most projects have no such file.
    return "";
  }
}
