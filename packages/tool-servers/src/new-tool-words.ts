import { headOf } from "@treadle/protocol/safe-text";
import { DESCRIPTION_LIMIT, type McpDefinition, type McpServerConfig } from "@treadle/agent";
import { whereOf } from "./kept-values.ts";

/** All that the model receives of a description, which is what the person allows. */
const SHOWN = DESCRIPTION_LIMIT + 100;
const NAMES = 20;
/** Maximum length of a schema that only contains names and types. */
const PLAIN = 600;

/** Describes a tool that the person has not allowed yet. */
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
