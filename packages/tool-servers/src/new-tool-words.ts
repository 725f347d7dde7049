import { headOf } from "@treadle/protocol/safe-text";
import { DESCRIPTION_LIMIT, type McpDefinition, type McpServerConfig } from "@treadle/agent";
import { whereOf } from "./kept-values.ts";

/** All that the model reads of a description: it is what is allowed. */
const SHOWN = DESCRIPTION_LIMIT + 100;
const NAMES = 20;
/** Characters of a schema that says no more than names and types. */
const PLAIN = 600;

/** What the person is told of a tool that they have not allowed yet. */
export function newToolWords(config: McpServerConfig, definition: McpDefinition): string {
  const text = definition.description.replaceAll(/\s+/g, " ").trim();
  const takes = Object.keys(definition.inputSchema.properties ?? {}).slice(0, NAMES);
  const schema = JSON.stringify(definition.inputSchema).length;
  return [
    `It is a tool of another program (${clip(whereOf(config), 120)}).`,
    text === "" ? "It does not describe itself." : `It describes itself as: “${clip(text, SHOWN)}”`,
    takes.length === 0 ? "" : `It takes ${takes.map((name) => clip(name, 60)).join(", ")}.`,
    schema > PLAIN
      ? `It describes these at length (${schema.toLocaleString("en")} characters, which the model reads): see Tools (MCP) in the project's settings.`
      : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

const clip = (text: string, limit: number) =>
  text.length <= limit ? text : `${headOf(text, limit - 1)}…`;
