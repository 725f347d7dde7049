import { pointsOnlyAt } from "@treadle/protocol/mentions";
import { request } from "./request.ts";

/**
 * Improves a prompt; `onText` receives the whole text so far. The result contains no links that the prompt did not have
 * (A27). @throws ApiFailure; the last text is then incomplete
 */
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
