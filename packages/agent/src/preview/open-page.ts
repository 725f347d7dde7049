import type { Workspace } from "@treadle/workspace";
import { bringUp } from "../project/bring-up.ts";
import { readFacts } from "../project/project-facts.ts";
import { serverCommand } from "../project/server-command.ts";
import { clipMiddle } from "../text/clip.ts";
import type { PageStep } from "../ports/browser.ts";
import type { Picture, PicturePort } from "../ports/pictures.ts";
import { fence } from "../text/fence.ts";
import { refusedNote, watchRefused } from "../project/refused-hosts.ts";

import { endedNote } from "./ended-parts.ts";
import { judgeConsole } from "./judge-console.ts";
import type { TriedApp, TriedUse } from "./tried-app.ts";

/** Characters of what a build printed that failed. */
const OUTPUT = 6_000;

/** What a page is opened with. */
export interface PageAccess {
  workspace: Workspace;
  signal: AbortSignal;
  /** Absent without a browser. */
  usePage?: TriedApp["use"] | undefined;
  /** Keeps a picture; absent where the model sees none. */
  keepPicture?: PicturePort["save"] | undefined;
  /** Of several ports of a server that is started for the look, puts the one first that has the page. */
  showPage?: (() => Promise<void>) | undefined;
  /** Output of what has to run first. */
  onOutput?: ((text: string) => void) | undefined;
}

/**
 * Opens a page of the app and takes the steps in it, or says in a sentence why that cannot be. A server that does not run is
 * started first, with its packages installed.
 */
export async function openPage(
  path: string,
  steps: PageStep[],
  access: PageAccess,
): Promise<{ use: TriedUse; note: string; picture?: Picture } | { refuse: string }> {
  const { usePage, keepPicture, workspace, signal } = access;
  if (!usePage)
    return {
      refuse: "There is no browser on this machine to open the page with; go on without looking.",
    };
  const started = await startFirst(access);
  if (typeof started !== "string") return started;
  try {
    return await watchRefused(workspace, async (hosts) => {
      const use = await usePage({ path, steps, signal, picture: keepPicture !== undefined });
      const picture = use.picture && (await keepPicture?.(use.picture, use.undrawn));
      return {
        use,
        note: `${started}${isWell(use) ? "" : await endedNote(workspace)}${printedNote(use)}${placeNote(use)}${refusedNote(hosts)}`,
        picture,
      };
    });
  } catch (error) {
    signal.throwIfAborted();
    // The browser failed, not the app: the run continues without it.
    const reason = error instanceof Error ? error.message : String(error);
    return { refuse: `The browser could not open the page: ${reason}` };
  }
}

/** @returns what was done for it, which is nothing where a server runs */
async function startFirst({
  workspace,
  ...access
}: PageAccess): Promise<string | { refuse: string }> {
  if (workspace.server?.state === "up") return "";
  const serverToStart = serverCommand(await readFacts(workspace), workspace.server);
  if (!serverToStart)
    return {
      refuse:
        "No server is running, and nothing says how one is started: no dev or start script, no index.html.",
    };
  const { command, build } = serverToStart;
  if (build !== undefined) {
    const exit = await workspace.run(build, { signal: access.signal, onOutput: access.onOutput });
    access.signal.throwIfAborted();
    if (exit.kind !== "exited" || exit.code !== 0)
      return {
        refuse: `No server was running, and ${build}, whose output it serves, failed:\n${clipMiddle(exit.output, OUTPUT)}`,
      };
  }
  const brought = await bringUp(workspace, { ...access, command });
  return brought.state === "up"
    ? `\nNo server was running: ${command} was started for this. ${brought.summary}`
    : { refuse: `No server was running, and ${command} did not come up. ${brought.summary}` };
}

/** What the server printed is of use where something went wrong. */
const printedNote = (use: TriedUse): string =>
  use.printed === undefined || isWell(use) ? "" : `\n${fence("server", use.printed)}`;

const isWell = ({ steps, report }: TriedUse): boolean =>
  steps.every(({ ok }) => ok) &&
  report.failedRequests.length === 0 &&
  judgeConsole(report).problem === undefined;

const placeNote = ({ place }: TriedUse) => (place === undefined ? "" : `\n${place}`);
