import type { Release } from "@treadle/protocol";
import type { AppsPostgres } from "@treadle/app-database";
import type { Workspace, WorkspaceSettings } from "@treadle/workspace";
import { openRelease, sandboxName, type ReleaseParts } from "./make-release.ts";

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
 * Runs a copy of an app in a sandbox of its own, over a layer that receives all writes, with a copy of the release's own
 * PostgreSQL database: whatever is written, and to whichever path, is in no release. The release's app must be asleep.
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
  const held = await openRelease(parts, project, release, { folder, settings, database });
  const stop = async () => {
    // Its copies are stopped with it.
    await held.stop();
    // A copy that cannot be removed now is removed with the project.
    await appsPostgres?.remove(copy).catch(() => undefined);
  };
  try {
    const workspace = await held.copy?.().catch(() => undefined);
    signal.throwIfAborted();
    const server = await workspace?.start(command, { signal, env: { NODE_ENV: "production" } });
    signal.throwIfAborted();
    const port = server?.state === "up" ? server.ports[0] : undefined;
    if (workspace && port !== undefined) return { workspace, port, stop };
    await stop();
    return workspace ? "start" : "files";
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
