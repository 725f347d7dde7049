import type { BeforeUntried } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import type { Browser } from "../ports/browser.ts";
import type { DataCopy } from "../ports/data-copies.ts";
import { readFacts, type ProjectFacts } from "../project/project-facts.ts";
import type { LentCopy } from "./copied-app.ts";
import { serverCommand } from "../project/server-command.ts";
import { startAt } from "../project/start-at.ts";

/** The revision that stood before the turn, and what it is tried with. */
export interface RevisionBefore {
  /** Lends a copy that may be changed, and in which nothing need run. */
  lend(): Promise<LentCopy>;
  /** Checkpoint or revision. */
  checkpoint: string;
  /** Where the person uses the app. */
  own: Workspace;
  /** The time that its server takes it to be as it starts, as in `startAt`. Absent: now. */
  date?: Date | undefined;
  signal: AbortSignal;
}

/** That revision, served in a copy of its own. */
export interface ServedBefore {
  browser: Browser;
  port: number;
  /** Whether something may have changed its data since it was copied. */
  isTouched(): Promise<boolean>;
}

/**
 * Serves the revision before the turn in a data copy while `work` goes on, and closes the copy then.
 * @param now the workspace of the turn's own revision: where its dependencies are others, nothing is tried
 * @returns why that revision is not served: it needs other packages, or does not come up; undefined where `work` was done
 */
export async function withRevisionBefore(
  now: Pick<DataCopy, "workspace">,
  { lend, checkpoint, own, date, signal }: RevisionBefore,
  work: (served: ServedBefore) => Promise<void>,
): Promise<BeforeUntried | undefined> {
  if (await wasEmpty(own, checkpoint)) return undefined;
  const copy = await lend();
  try {
    const { workspace, browser } = copy;
    await workspace.restore(checkpoint);
    const [before, after] = await Promise.all([readFacts(workspace), readFacts(now.workspace)]);
    const command = serverCommand(before, undefined);
    // There was nothing to serve: nothing can have passed there.
    if (!command) return undefined;
    if (!areInstalled(before, after)) return "other-packages";
    const server = await workspace.start(startAt(command.command, date), { signal, alone: true });
    const [port] = server.ports;
    if (server.state !== "up" || port === undefined) return "not-served";
    await work({ browser, port, isTouched: () => copy.isTouched() });
    return undefined;
  } finally {
    await copy.giveBack(true);
  }
}

/** Whether there was no file at all, as before the first turn of a project: no copy is made in order to serve nothing. */
async function wasEmpty(workspace: Workspace, checkpoint: string): Promise<boolean> {
  // What cannot be compared is tried.
  const since = await workspace.diff(checkpoint).catch(() => []);
  const added = new Set(since.flatMap(({ path, kind }) => (kind === "added" ? [path] : [])));
  if (since.length > added.size) return false;
  const { files } = await workspace.files.list();
  const data = new Set(workspace.dataFiles());
  return files.every(({ path, kind }) => kind !== "file" || data.has(path) || added.has(path));
}

/** Whether what the earlier revision needs is there with the later one's packages. */
function areInstalled(
  { manifest: before }: ProjectFacts,
  { manifest: after }: ProjectFacts,
): boolean {
  const installed = after?.dependencies ?? {};
  return Object.entries(before?.dependencies ?? {}).every(
    ([name, range]) => installed[name] === range,
  );
}
