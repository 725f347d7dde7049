import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { prose } from "../../text/prose.ts";
import { lastWordsAt } from "./repeated-end.ts";
import { createSeam, type Joined } from "./seam.ts";

const GO_ON = prose(new URL("./go-on.md", import.meta.url));

/** A provider option that asks for the rest of an answer that the output limit cut off. Providers ignore it. */
export const ASKS_TO_GO_ON = { treadle: { goesOn: true } } as const;

/** Whether the request asks for the rest of the previous answer. */
export function goesOn({ providerOptions }: LanguageModelV4CallOptions): boolean {
  return providerOptions?.["treadle"]?.["goesOn"] === true;
}

/**
 * The prompt with the model's partial answer and the request to continue. Prefilling is not used: most providers do not
 * support it, and none does for models that think. An empty answer is requested again.
 */
export function withAnswer(prompt: LanguageModelV4Prompt, text: string): LanguageModelV4Prompt {
  if (text.trim() === "") return prompt;
  const message = (role: "assistant" | "user", words: string): LanguageModelV4Message => ({
    role,
    content: [{ type: "text", text: words }],
  });
  const words = text.slice(lastWordsAt(text)).trimEnd();
  return [...prompt, message("assistant", text), message("user", `${GO_ON}\n\n${words}`)];
}

type Part = LanguageModelV4StreamPart;

/** Continues a text answer after the output limit, for a model with native tool calls, and removes what it repeats. */
export function joinWords(): LanguageModelV4Middleware {
  let text = "";
  return {
    specificationVersion: "v4",
    async wrapStream({ model, params }) {
      const isRest = goesOn(params);
      const { stream, ...more } = await model.doStream(
        isRest ? { ...params, prompt: withAnswer(params.prompt, text) } : params,
      );
      if (!isRest) text = "";
      const seam = isRest && text !== "" ? createSeam(text, undefined) : undefined;
      const joining = new TransformStream<Part, Part>({
        transform(part, controller) {
          const writeText = (id: string, joined: Joined) => {
            if (!("text" in joined) || joined.text === "") return;
            text += joined.text;
            controller.enqueue({ type: "text-delta", id, delta: joined.text });
          };
          if (part.type !== "text-delta") {
            if (part.type === "text-end" && seam) writeText(part.id, seam.end());
            controller.enqueue(part);
          } else if (seam) writeText(part.id, seam.write(part.delta));
          else {
            text += part.delta;
            controller.enqueue(part);
          }
        },
      });
      return { ...more, stream: stream.pipeThrough(joining) };
    },
  };
}
