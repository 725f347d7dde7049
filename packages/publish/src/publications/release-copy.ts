import type { Release } from "@treadle/protocol";
import type { AppsPostgres } from "@treadle/app-database";
import type { Workspace, WorkspaceSettings } from "@treadle/workspace";
import { openRelease, sandboxName, type ReleaseParts } from "./make-release.ts";

/** The folder of the copy: in memory, and removed with the sandbox. */
const COPY = "/tmp/treadle-tried";
/** Maximum size of an app to be copied without its packages, in kilobytes; 256 MB are available. */
const LARGEST = 100_000;
const COPY_MS = 30_000;

/** Copies the app's own files and links its packages. Exits with 75 if the files are too large. */
const COPY_COMMAND = [
  "set -e -o pipefail",
  `size=$(du -sk --exclude=node_modules --exclude=.git . | cut -f1)`,
  `if [ "$size" -gt ${LARGEST} ]; then exit 75; fi`,
  `mkdir ${COPY}`,
  `tar --exclude=node_modules --exclude=.git -cf - . | tar -xf - -C ${COPY}`,
  `find . -name node_modules -prune -print | while read -r each; do`,
  `mkdir -p "${COPY}/$(dirname "$each")"`,
  `ln -s "$PWD/\${each#./}" "${COPY}/\${each#./}"`,
  "done",
].join("\n");

/** Why there is no copy: its database or its files cannot be copied, or the app does not start. */
export type NoCopy = "database" | "files" | "start";

/** A running copy of a release's app, which is itself asleep. */
export interface ReleaseCopy {
  workspace: Workspace;
  port: number;
  /** Ends the copy, and removes whatever was written in it. */
  stop(): Promise<void>;
}

/**
 * Runs a copy of an app in memory, with a copy of the release's own PostgreSQL database: what is written there is in no
 * release. The release's app must be asleep.
 */
export async function openReleaseCopy(
  parts: Pick<ReleaseParts, "driver"> & { appsPostgres?: AppsPostgres | undefined },
  {
    project,
    release,
    folder,
    command,
    settings,
  }: {
    project: string;
    release: Pick<Release, "number">;
    folder: string;
    command: string;
    settings: WorkspaceSettings;
  },
  signal: AbortSignal,
): Promise<ReleaseCopy | NoCopy> {
  const own = sandboxName(project, release);
  const copy = `${own}-tried`;
  const { appsPostgres } = parts;
  if (appsPostgres && !(await isCopied(appsPostgres, own, copy))) return "database";
  const database = appsPostgres?.take(copy);
  const workspace = await openRelease(parts, project, release, { folder, settings, database });
  const stop = async () => {
    await workspace.stop();
    // A copy that cannot be removed now is removed with the project.
    await appsPostgres?.remove(copy).catch(() => undefined);
  };
  try {
    const copied = await workspace.run(COPY_COMMAND, { signal, timeoutMs: COPY_MS });
    signal.throwIfAborted();
    const isDone = copied.kind === "exited" && copied.code === 0;
    const server =
      isDone &&
      (await workspace.start(`cd ${COPY} && ${command}`, {
        signal,
        env: { NODE_ENV: "production" },
      }));
    signal.throwIfAborted();
    const port = server && server.state === "up" ? server.ports[0] : undefined;
    if (port !== undefined) return { workspace, port, stop };
    await stop();
    return isDone ? "start" : "files";
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Copies the release's PostgreSQL database, if there is one, under another name. @returns whether nothing failed */
async function isCopied(postgres: AppsPostgres, own: string, copy: string): Promise<boolean> {
  try {
    if (await postgres.has(own)) await postgres.copy(own, copy);
    else await postgres.remove(copy);
    return true;
  } catch {
    return false;
  }
}
