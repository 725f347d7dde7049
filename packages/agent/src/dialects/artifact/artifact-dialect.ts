import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import { actionsToCalls } from "./actions-to-calls.ts";
import { callsToArtifacts } from "./calls-to-artifacts.ts";

/**
 * bolt's artifacts, for models without (good) tool calling: the model writes tags in its text, the loop sees tool
 * calls; on the way back calls and results become the text that the model would have written and been told.
 * @param options.recover whether code that stands in fences instead of tags is taken for what it was meant to be.
 */
export function artifactDialect(options: { recover: boolean }): LanguageModelV4Middleware {
  return {
    specificationVersion: "v4",
    async transformParams({ params }) {
      const { tools: _tools, toolChoice: _choice, ...rest } = params;
      return { ...rest, prompt: callsToArtifacts(params.prompt) };
    },
    async wrapStream({ doStream }) {
      const { stream, ...rest } = await doStream();
      return { ...rest, stream: stream.pipeThrough(actionsToCalls(options)) };
    },
  };
}
