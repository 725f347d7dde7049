import type { Workspace } from "@treadle/workspace";
import type { PageStep } from "../ports/browser.ts";
import type { Picture, PicturePort } from "../ports/pictures.ts";
import { fence } from "../text/fence.ts";
import { refusedNote, watchRefused } from "../project/refused-hosts.ts";

import { judgeConsole } from "./judge-console.ts";
import type { TriedApp, TriedUse } from "./tried-app.ts";

/** What a page is opened with. */
export interface PageAccess {
  workspace: Workspace;
  signal: AbortSignal;
  /** Absent where there is no browser. */
  usePage?: TriedApp["use"] | undefined;
  /** Keeps a picture; absent where the model sees none. */
  keepPicture?: PicturePort["keep"] | undefined;
}

/** Opens a page of the app that runs and takes the steps in it, or says in a sentence why that cannot be. */
export async function openPage(
  path: string,
  steps: PageStep[],
  { usePage, keepPicture, workspace, signal }: PageAccess,
): Promise<{ use: TriedUse; note: string; picture?: Picture } | { refuse: string }> {
  if (!usePage)
    return {
      refuse: "There is no browser on this machine to open the page with; go on without looking.",
    };
  if (workspace.server?.state !== "up")
    return { refuse: "No server is running: start it with start_server first." };
  try {
    return await watchRefused(workspace, async (hosts) => {
      const use = await usePage({ path, steps, signal, picture: keepPicture !== undefined });
      const picture = use.picture && (await keepPicture?.(use.picture));
      return { use, note: `${printedNote(use)}${placeNote(use)}${refusedNote(hosts)}`, picture };
    });
  } catch (error) {
    signal.throwIfAborted();
    // The browser broke, not the app: the run goes on without it.
    const reason = error instanceof Error ? error.message : String(error);
    return { refuse: `The browser could not open the page: ${reason}` };
  }
}

/** What the server printed is of use where something went wrong. */
function printedNote({ printed, steps, report }: TriedUse): string {
  const isWell =
    steps.every(({ ok }) => ok) &&
    report.failedRequests.length === 0 &&
    judgeConsole(report).problem === undefined;
  return printed === undefined || isWell ? "" : `\n${fence("server", printed)}`;
}

const placeNote = ({ place }: TriedUse) => (place === undefined ? "" : `\n${place}`);
