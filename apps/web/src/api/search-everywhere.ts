import type { FoundEverywhere } from "@treadle/protocol";
import { request } from "./request.ts";

/**
 * Searches all projects, yielding each finding as it arrives. With "awake", skips the files of projects that would have to
 * be woken.
 * @throws ApiFailure; the signal's reason
 */
export async function* searchEverywhere(
  text: string,
  files: "all" | "awake",
  signal: AbortSignal,
): AsyncGenerator<FoundEverywhere, void> {
  const { body } = await request("/api/search", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text, files }),
    signal,
  });
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield JSON.parse(line) as FoundEverywhere;
  }
}
