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

/** Maximum characters of a failed build's output. */
const OUTPUT = 6_000;

/** What is needed to open a page. */
export interface PageAccess {
  workspace: Workspace;
  signal: AbortSignal;
  /** Absent if there is no browser. */
  usePage?: TriedApp["use"] | undefined;
  /** Saves a picture; absent if the model accepts none. */
  keepPicture?: PicturePort["save"] | undefined;
  /** Puts the port with the page first if a server that is started for the look has several. */
  showPage?: (() => Promise<void>) | undefined;
  /** Receives the output of commands that have to run before. */
  onOutput?: ((text: string) => void) | undefined;
}

/**
 * Opens a page of the app and takes the steps in it. If no server runs, installs packages and starts one first.
 * @returns `refuse`, a sentence for the model, if the page cannot be opened
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
    // The browser failed, not the app, so the run continues without the page.
    const reason = error instanceof Error ? error.message : String(error);
    return { refuse: `The browser could not open the page: ${reason}` };
  }
}

/** @returns a note about what was started; empty if a server already runs */
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

/** The server's output, if something went wrong; empty otherwise. */
const printedNote = (use: TriedUse): string =>
  use.printed === undefined || isWell(use) ? "" : `\n${fence("server", use.printed)}`;

const isWell = ({ steps, report }: TriedUse): boolean =>
  steps.every(({ ok }) => ok) &&
  report.failedRequests.length === 0 &&
  judgeConsole(report).problem === undefined;

const placeNote = ({ place }: TriedUse) => (place === undefined ? "" : `\n${place}`);
