import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";
import { prose } from "../../text/prose.ts";
import { lastWordsAt } from "./repeated-end.ts";

const GO_ON = prose(new URL("./go-on.md", import.meta.url));

/** An option of a request that asks for the rest of the answer that the output limit cut; of nobody else's provider. */
export const ASKS_TO_GO_ON = { treadle: { goesOn: true } } as const;

/** Whether the request is for the rest of the answer before. */
export function goesOn({ providerOptions }: LanguageModelV4CallOptions): boolean {
  return providerOptions?.["treadle"]?.["goesOn"] === true;
}

/**
 * The prompt with the answer so far, as the model wrote it, and the request to go on. Not by prefilling: most providers
 * have none, and none takes it from a model that thinks. An answer that said nothing is asked for again.
 */
export function withAnswer(prompt: LanguageModelV4Prompt, text: string): LanguageModelV4Prompt {
  if (text.trim() === "") return prompt;
  const said = (role: "assistant" | "user", words: string): LanguageModelV4Message => ({
    role,
    content: [{ type: "text", text: words }],
  });
  const words = text.slice(lastWordsAt(text)).trimEnd();
  return [...prompt, said("assistant", text), said("user", `${GO_ON}\n\n${words}`)];
}
