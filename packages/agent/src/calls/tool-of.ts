import { findTool } from "../tools/all-tools.ts";
import type { Tool } from "../tools/tool.ts";
import type { Run } from "../loop/state.ts";

/** A tool that the run has: our own, or one of a foreign server. */
export function toolOf({ foreign }: Run, name: string): Tool | undefined {
  return findTool(name) ?? foreign.find((tool) => tool.name === name);
}
