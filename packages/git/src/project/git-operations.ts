import { createSemaphore, type Semaphore } from "@treadle/common";
import { gitLogins, type GitLogins } from "../git-logins.ts";
import type { Store } from "@treadle/store";
import type { GitProject, SyncParts } from "./git-project.ts";

/**
 * Runs git operations, one at a time per project: each reads the state, and saves it at its end.
 */
export interface GitOperations {
  logins: GitLogins;
  /** Runs an operation after earlier ones of the project. Rejects as the operation does. */
  run<Result>(
    project: string,
    signal: AbortSignal,
    operation: (parts: SyncParts) => Promise<Result>,
  ): Promise<Result>;
}

export function createGitOperations({
  store,
  runtimes,
  folderOf,
  dataDirectory,
}: {
  store: Store;
  /** `get` rejects with ApiFailure 404 if there is no such project. */
  runtimes: { get(project: string): Promise<GitProject> };
  /** A project's own folder, beside its files. */
  folderOf(project: string): string;
  dataDirectory: string;
}): GitOperations {
  const logins = gitLogins(store, dataDirectory);
  const lines = new Map<string, { semaphore: Semaphore; users: number }>();
  return {
    logins,
    async run(project, signal, operation) {
      const runtime = await runtimes.get(project);
      const line = lines.get(project) ?? { semaphore: createSemaphore(1), users: 0 };
      lines.set(project, line);
      line.users++;
      try {
        const give = await line.semaphore.take(signal);
        try {
          return await operation({ store, logins, runtime, folder: folderOf(project), signal });
        } finally {
          give();
        }
      } finally {
        if (--line.users === 0) lines.delete(project);
      }
    },
  };
}
