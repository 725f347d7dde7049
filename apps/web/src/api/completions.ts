import type { ProjectPath } from "@treadle/protocol";
import { request } from "./request.ts";

/** Asks a model for the text between two texts; empty if it has no suggestion. @throws ApiFailure */
export async function askCompletion(
  project: string,
  around: { path: ProjectPath; before: string; after: string; model: string | undefined },
  signal: AbortSignal,
): Promise<string> {
  const answer = await request(`/api/projects/${encodeURIComponent(project)}/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(around),
    signal,
  });
  return ((await answer.json()) as { text: string }).text;
}
