import type { Sentence } from "@treadle/protocol/sentences";
import type { ApiError } from "@treadle/protocol";
import { ApiFailure, failureWith, request } from "./request.ts";
import { words } from "../words/words.ts";

/** The progress reported by git: its current operation, and the percentage of it. */
interface Progress {
  doing: string;
  percent: number;
}

export interface ImportedRepository {
  id: string;
  /** Notes for the person. */
  notes: Sentence[];
}

export interface RepositoryToImport {
  url: string;
  /** Undefined uses the repository's default branch. */
  branch?: string;
  /** Allows an address in the server's own network. */
  local?: true;
  login?: { user: string; password: string };
}

type Line = Partial<Progress & ImportedRepository & { status: number }> & {
  error?: ApiError["error"];
};

/**
 * Creates a project from a git repository. Aborting through `signal` leaves nothing behind.
 * @throws ApiFailure `git-login` if the server requires a login, `git-local` if the address is in the server's own
 * network and `local` is not set
 */
export async function importRepository(
  repository: RepositoryToImport,
  options: { onProgress: (progress: Progress) => void; signal: AbortSignal },
): Promise<ImportedRepository> {
  const response = await request("/api/import/git", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(repository),
    signal: options.signal,
  });
  let text = "";
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const { error, status = 0, doing, percent, id, notes } = JSON.parse(line) as Line;
      if (error) throw await failureWith(status, error);
      if (id !== undefined) return { id, notes: notes ?? [] };
      if (doing !== undefined && percent !== undefined) options.onProgress({ doing, percent });
    }
  }
  throw new ApiFailure(0, "offline", words.home.gitCut);
}
