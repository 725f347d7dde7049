import type { BeforeUntried } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import type { Browser } from "../../ports/browser.ts";
import type { DataCopy } from "../../ports/data-copies.ts";
import { readFacts, type ProjectFacts } from "../../project/project-facts.ts";
import type { LentCopy } from "./copied-app.ts";
import { serverCommand } from "../../project/server-command.ts";
import { startAt } from "../../project/start-at.ts";

/** The revision before the turn, and what is needed to serve it. */
export interface RevisionBefore {
  /** Lends a copy that may be changed and that need not run a server. */
  lend(): Promise<LentCopy>;
  /** A checkpoint or a revision. */
  checkpoint: string;
  /** The workspace of the person's own app. */
  own: Workspace;
  /** The time on its server's clock at the start, as in `startAt`. Absent for the current time. */
  date?: Date | undefined;
  signal: AbortSignal;
}

/** The revision before the turn, served in its own copy. */
export interface ServedBefore {
  browser: Browser;
  port: number;
  /** Whether its data may have changed since it was copied. */
  isTouched(): Promise<boolean>;
}

/**
 * Serves the revision before the turn in a data copy while `work` runs, and closes the copy afterwards.
 * @param now the workspace of the turn's own revision; if its dependencies differ, nothing is served
 * @returns why that revision is not served: it needs other packages or does not start. Undefined after `work` has run
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
    // There was nothing to serve, so no check can have passed there.
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

/** Whether the revision has no files, as before a project's first turn. No copy is opened for it. */
async function wasEmpty(workspace: Workspace, checkpoint: string): Promise<boolean> {
  // A revision that cannot be compared is served.
  const since = await workspace.diff(checkpoint).catch(() => []);
  const added = new Set(since.flatMap(({ path, kind }) => (kind === "added" ? [path] : [])));
  if (since.length > added.size) return false;
  const { files } = await workspace.files.list();
  const data = new Set(workspace.dataFiles());
  return files.every(({ path, kind }) => kind !== "file" || data.has(path) || added.has(path));
}

/** Whether the packages of the later revision satisfy the earlier one. */
function areInstalled(
  { manifest: before }: ProjectFacts,
  { manifest: after }: ProjectFacts,
): boolean {
  const installed = after?.dependencies ?? {};
  return Object.entries(before?.dependencies ?? {}).every(
    ([name, range]) => installed[name] === range,
  );
}
