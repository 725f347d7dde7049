import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import { callsToTags } from "./calls-to-tags.ts";
import { tagTools } from "./tag-tools.ts";
import { tagsToCalls } from "./tags-to-calls.ts";

/**
 * Cline's tags, for models without (good) tool calling that were taught them: every tool of the loop can be called,
 * one answer after the other, as natively.
 */
export function tagsDialect(): LanguageModelV4Middleware {
  return {
    specificationVersion: "v4",
    async wrapStream({ model, params }) {
      const tools = tagTools(params);
      const { tools: _tools, toolChoice: _choice, prompt, ...rest } = params;
      const { stream, ...more } = await model.doStream({
        ...rest,
        prompt: callsToTags(prompt, tools),
      });
      return { ...more, stream: stream.pipeThrough(tagsToCalls(tools)) };
    },
  };
}
