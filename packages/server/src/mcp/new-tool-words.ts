import type { McpDefinition, McpServerConfig } from "@treadle/agent";
import { whereOf } from "./kept-values.ts";

const SHOWN = 600;
const NAMES = 20;

/** What the person is told of a tool that they have not allowed yet. */
export function newToolWords(config: McpServerConfig, definition: McpDefinition): string {
  const said = definition.description.replaceAll(/\s+/g, " ").trim();
  const takes = Object.keys(definition.inputSchema.properties ?? {}).slice(0, NAMES);
  return [
    `It is a tool of another program (${clip(whereOf(config), 120)}).`,
    said === "" ? "It says nothing of itself." : `It says of itself: “${clip(said, SHOWN)}”`,
    takes.length === 0 ? "" : `It takes ${takes.map((name) => clip(name, 60)).join(", ")}.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

const clip = (text: string, limit: number) =>
  text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
