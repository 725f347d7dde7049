import type { ContextKind, DialectName } from "@treadle/protocol";
import { tokensOfCharacters } from "../context/compaction/measure.ts";
import { systemPrompt } from "../context/prompt/system-prompt.ts";
import { callsToArtifacts } from "../dialects/artifact/calls-to-artifacts.ts";
import { ALL_TOOLS } from "../tools/all-tools.ts";
import type { ForeignTool } from "../tools/foreign-tools.ts";
import { sentSchema } from "../tools/tool.ts";

/** The characters of a request before the conversation, by kind: the prompt, built-in tools and external ones. */
export function fixedCharacters(
  dialect: DialectName,
  foreign: readonly ForeignTool[],
): Map<ContextKind, number> {
  const { prompt, tools } = ownCharacters(dialect);
  const definitions = foreign.map(({ name, description, schema }) => [name, description, schema]);
  const mcp = foreign.length === 0 ? 0 : JSON.stringify(definitions).length;
  return new Map([
    ["prompt", prompt],
    ["tools", tools],
    ["mcp", mcp],
  ]);
}

/** The tokens of a request before the conversation, in total. */
export function fixedTokens(dialect: DialectName, foreign: readonly ForeignTool[]): number {
  const characters = fixedCharacters(dialect, foreign).values();
  return tokensOfCharacters([...characters].reduce((sum, one) => sum + one, 0));
}

const known = new Map<DialectName, { prompt: number; tools: number }>();

/** The characters of the prompt and of the built-in tools: the same in every request of a dialect. */
function ownCharacters(dialect: DialectName): { prompt: number; tools: number } {
  let fixed = known.get(dialect);
  if (!fixed) {
    fixed = measureFixed(dialect);
    known.set(dialect, fixed);
  }
  return fixed;
}

function measureFixed(dialect: DialectName): { prompt: number; tools: number } {
  const content = systemPrompt(dialect);
  if (dialect === "artifact") {
    // The grammar is part of the prompt, instead of tool definitions.
    const [system] = callsToArtifacts([{ role: "system", content }]);
    return { prompt: String(system?.content).length, tools: 0 };
  }
  const tools = ALL_TOOLS.map(({ name, description, input }) => ({
    name,
    description,
    input_schema: sentSchema(input),
  }));
  return { prompt: content.length, tools: JSON.stringify(tools).length };
}
