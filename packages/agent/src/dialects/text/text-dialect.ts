import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Middleware,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";
import { goesOn, withAnswer } from "../go-on/go-on.ts";
import { createTextAnswer, type DialectGrammar, type TextAnswer } from "./text-answer.ts";

/** A text dialect, as prepared for one request. */
interface Spoken extends DialectGrammar {
  /** The conversation in this dialect. */
  prompt: LanguageModelV4Prompt;
}

/**
 * Converts a model's text into tool calls. An answer that continues after the output limit is parsed from the point
 * where it was cut.
 */
export function textDialect(
  name: string,
  speak: (params: LanguageModelV4CallOptions) => Spoken,
): LanguageModelV4Middleware {
  let answer: TextAnswer | undefined;
  return {
    specificationVersion: "v4",
    async wrapStream({ model, params }) {
      const spoken = speak(params);
      const cut = goesOn(params) ? answer : undefined;
      const going = (answer = cut ?? createTextAnswer(name, spoken));
      const { tools: _tools, toolChoice: _choice, ...rest } = params;
      const prompt = cut ? withAnswer(spoken.prompt, cut.text) : spoken.prompt;
      const { stream, ...more } = await model.doStream({ ...rest, prompt });
      return { ...more, stream: stream.pipeThrough(going.read()) };
    },
  };
}
