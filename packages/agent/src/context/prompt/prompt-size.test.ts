import { expect, it } from "vitest";
import { callsToTags } from "../../dialects/tags/calls-to-tags.ts";
import { tagTools } from "../../dialects/tags/tag-tools.ts";
import { callsToArtifacts } from "../../dialects/artifact/calls-to-artifacts.ts";
import { ALL_TOOLS } from "../../tools/all-tools.ts";
import { sentSchema } from "../../tools/tool.ts";
import { systemPrompt } from "./system-prompt.ts";

/** In tokens, estimated as four characters each. */
const BUDGET = 2_500;

it("the system prompt and the tools together stay under 2,500 tokens", () => {
  const tools = ALL_TOOLS.map(({ name, description, input }) => ({
    name,
    description,
    input_schema: sentSchema(input),
  }));
  const characters = systemPrompt("native").length + JSON.stringify(tools).length;
  expect(Math.ceil(characters / 4)).toBeLessThan(BUDGET);
});

it("the artifact dialect's prompt with its grammar stays under that, too", () => {
  const [system] = callsToArtifacts([{ role: "system", content: systemPrompt("artifact") }]);
  expect(Math.ceil(String(system?.content).length / 4)).toBeLessThan(BUDGET);
});

it("the tags dialect's prompt with every tool in it stays under that, too", () => {
  const tools = ALL_TOOLS.map(({ name, description, input }) => ({
    type: "function" as const,
    name,
    description,
    inputSchema: sentSchema(input),
  }));
  const prompt = [{ role: "system" as const, content: systemPrompt("tags") }];
  const [system] = callsToTags(prompt, tagTools({ prompt, tools }));
  expect(Math.ceil(String(system?.content).length / 4)).toBeLessThan(BUDGET);
});
