import { ApiFailure, request } from "./request.ts";
import { words } from "../words/words.ts";

/** How far git is, in its own words. */
interface Progress {
  doing: string;
  percent: number;
}

export interface ImportedRepository {
  id: string;
  /** What a person should know of it, in sentences. */
  notes: string[];
}

export interface RepositoryToImport {
  url: string;
  /** Where the repository does not say itself with which one it begins. */
  branch?: string;
  /** It may be of the server's own network. */
  local?: true;
  login?: { user: string; password: string };
}

type Line = Partial<Progress & ImportedRepository & { status: number }> & {
  error?: { code: string; message: string };
};

/**
 * A new project of a git repository. Ending it by `signal` leaves nothing.
 * @throws ApiFailure that says why there is none: `git-login` where a login is wanted, `git-local` where it is not said that
 *   the server's own network is meant
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
      if (error) throw new ApiFailure(status, error.code, error.message);
      if (id !== undefined) return { id, notes: notes ?? [] };
      if (doing !== undefined && percent !== undefined) options.onProgress({ doing, percent });
    }
  }
  throw new ApiFailure(0, "offline", words.home.gitCut);
}
