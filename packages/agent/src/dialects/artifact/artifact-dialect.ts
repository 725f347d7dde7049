import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import { textDialect } from "../text/text-dialect.ts";
import { callsToArtifacts } from "./calls-to-artifacts.ts";
import { openActionOf } from "./open-action.ts";
import { readActions } from "./read-actions.ts";

/**
 * bolt's artifacts, for models without (good) tool calling: the model writes tags in its text, and the loop receives
 * tool calls. In the other direction, calls and results become the text that the model would have written and received.
 * @param options.recover whether code in fences instead of tags is interpreted as the action it was meant to be
 */
export function artifactDialect(options: { recover: boolean }): LanguageModelV4Middleware {
  return textDialect("artifact", ({ prompt }) => ({
    prompt: callsToArtifacts(prompt),
    read: (out) => readActions(out, options),
    openingOf: openActionOf,
  }));
}
