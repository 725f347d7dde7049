import type { ProjectPath } from "@treadle/protocol";
import { request } from "./request.ts";

/** A line that matches; `line` is counted from 1. */
export interface FoundLine {
  path: ProjectPath;
  line: number;
  /** Its first 500 characters. */
  text: string;
}

/** Searches the project's files. @throws ApiFailure with a sentence if the expression is invalid */
export async function searchFiles(
  project: string,
  query: {
    pattern: string;
    regex: boolean;
    caseSensitive: boolean;
    glob?: string | undefined;
    leaveOut?: string | undefined;
  },
  signal?: AbortSignal,
): Promise<{ matches: FoundLine[]; more: boolean }> {
  const response = await request(`/api/projects/${encodeURIComponent(project)}/search`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(query),
    signal,
  });
  return (await response.json()) as { matches: FoundLine[]; more: boolean };
}
