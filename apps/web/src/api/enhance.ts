import { pointsOnlyAt } from "@treadle/protocol/mentions";
import { request } from "./request.ts";

/** A prompt said better, whole so far at each call of `onText`; it points out of the project nowhere that the prompt did not (A27). @throws ApiFailure; the text given last is then not whole. */
export async function enhancePrompt(
  message: string,
  model: string | undefined,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<void> {
  const response = await request("/api/enhancer", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message, model }),
    signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    onText(pointsOnlyAt(text, message));
  }
}
