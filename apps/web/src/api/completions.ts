import type { ProjectPath } from "@treadle/protocol";
import { request } from "./request.ts";

/** What a model would type next between two texts; empty where it knows nothing. @throws ApiFailure */
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
