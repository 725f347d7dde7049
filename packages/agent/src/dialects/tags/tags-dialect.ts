import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import { textDialect } from "../text/text-dialect.ts";
import { callsToTags } from "./calls-to-tags.ts";
import { openParamOf } from "./open-param.ts";
import { readTools } from "./read-tools.ts";
import { tagTools } from "./tag-tools.ts";

/**
 * Cline's tags, for models without (good) tool calling that know them: all tools of the loop can be called, as with
 * native calls.
 */
export function tagsDialect(): LanguageModelV4Middleware {
  return textDialect("tags", (params) => {
    const tools = tagTools(params);
    return {
      prompt: callsToTags(params.prompt, tools),
      read: (out) => readTools(out, tools),
      openingOf: (text) => openParamOf(text, tools),
    };
  });
}
