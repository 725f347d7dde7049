import type { LanguageModelV4Middleware, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { goesOn, withAnswer } from "./go-on.ts";
import { createSeam, type Joined } from "./seam.ts";

type Part = LanguageModelV4StreamPart;

/** Lets an answer in words, of a model that calls tools natively, go on after the output limit, and repeats none of it. */
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
          const say = (id: string, joined: Joined) => {
            if (!("text" in joined) || joined.text === "") return;
            text += joined.text;
            controller.enqueue({ type: "text-delta", id, delta: joined.text });
          };
          if (part.type !== "text-delta") {
            if (part.type === "text-end" && seam) say(part.id, seam.end());
            controller.enqueue(part);
          } else if (seam) say(part.id, seam.write(part.delta));
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
