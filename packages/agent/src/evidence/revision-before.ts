import type { Browser } from "../ports/browser.ts";
import type { DataCopies, DataCopy } from "../ports/data-copies.ts";
import { readFacts } from "../project/project-facts.ts";
import { stableJson } from "../text/stable-json.ts";
import { serverCommand } from "./server-command.ts";

/** The revision that stood before the turn, and what it is tried with. */
export interface RevisionBefore {
  copies: DataCopies;
  /** Checkpoint or revision. */
  checkpoint: string;
  signal: AbortSignal;
}

/** That revision, served in a copy of its own. */
export interface ServedBefore {
  browser: Browser;
  port: number;
}

/**
 * Serves the revision before the turn in a data copy while `work` goes on, and closes the copy then.
 * @param now the workspace of the turn's own revision: where its dependencies are others, nothing is tried
 * @returns what `work` comes to; undefined where that revision cannot be served without installing something first, or is not up
 *   by the signal's end
 */
export async function withRevisionBefore<T>(
  now: Pick<DataCopy, "workspace">,
  { copies, checkpoint, signal }: RevisionBefore,
  work: (served: ServedBefore) => Promise<T>,
): Promise<T | undefined> {
  const copy = await copies.open();
  if (!copy) return undefined;
  try {
    const { workspace, browser } = copy;
    await workspace.restore(checkpoint);
    const [before, after] = await Promise.all([readFacts(workspace), readFacts(now.workspace)]);
    const dependencies = ({ manifest }: typeof before) => stableJson(manifest?.dependencies ?? {});
    if (dependencies(before) !== dependencies(after)) return undefined;
    const command = serverCommand(before, undefined);
    if (!command) return undefined;
    const server = await workspace.start(command.command, { signal, alone: true });
    const [port] = server.ports;
    if (server.state !== "up" || port === undefined) return undefined;
    return await work({ browser, port });
  } finally {
    await copy.close();
  }
}
