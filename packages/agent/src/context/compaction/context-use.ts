import type { ContextKind, ContextUse, DialectName } from "@treadle/protocol";
import { callsToArtifacts } from "../../dialects/artifact/calls-to-artifacts.ts";
import { systemPrompt } from "../prompt/system-prompt.ts";
import type { Run } from "../../loop/state.ts";
import { ALL_TOOLS } from "../../tools/all-tools.ts";
import { sentSchema } from "../../tools/tool-schema.ts";
import { addCharacters, PICTURE_CHARACTERS, tokensOfCharacters } from "./measure.ts";
import { shownPictures } from "../conversation/page-pictures.ts";
import { shownTo } from "../conversation/shown-to.ts";

/**
 * What the next request of a run holds, by kind. Only estimated: what is counted is the provider's.
 * @param saidTokens of an answer that it is to go on with
 */
export function contextUse(run: Run, saidTokens = 0): ContextUse {
  const characters = fixedCharacters(run);
  const shown = shownTo(run);
  for (const message of shown) addCharacters(characters, message);
  const { model, pictures } = run.ports;
  if (pictures && model.seesPictures)
    characters.set(
      "pictures",
      (characters.get("pictures") ?? 0) + shownPictures(shown).size * PICTURE_CHARACTERS,
    );
  const parts: ContextUse["parts"] = {};
  for (const [kind, count] of characters) if (count > 0) parts[kind] = tokensOfCharacters(count);
  if (saidTokens > 0) parts.conversation = (parts.conversation ?? 0) + saidTokens;
  const { contextWindow } = model;
  return { parts, ...(contextWindow === undefined ? {} : { window: contextWindow }) };
}

/** Tokens of a request before the conversation: of the prompt, our tools and foreign ones. */
export function fixedTokens(run: Run): number {
  return tokensOfCharacters([...fixedCharacters(run).values()].reduce((sum, one) => sum + one, 0));
}

function fixedCharacters({ dialect, foreign }: Run): Map<ContextKind, number> {
  const { prompt, tools } = ownCharacters(dialect);
  const definitions = foreign.map(({ name, description, schema }) => [name, description, schema]);
  const mcp = foreign.length === 0 ? 0 : JSON.stringify(definitions).length;
  return new Map([
    ["prompt", prompt],
    ["tools", tools],
    ["mcp", mcp],
  ]);
}

const known = new Map<DialectName, { prompt: number; tools: number }>();

/** Of the prompt and of our own tools: the same in every request of a dialect. */
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
    // Its grammar stands in the prompt, in place of tools.
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
