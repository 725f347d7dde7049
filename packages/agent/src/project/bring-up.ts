import { plainOutput, tailOf } from "@treadle/protocol/safe-text";
import type { ServerState } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { serverText } from "../text/server-text.ts";
import { canStart, hasWorked, installMissing, type Installed } from "./install-missing.ts";
import { migrate } from "./migrations.ts";
import { refusedNote, watchRefused } from "./refused-hosts.ts";

/** Maximum characters of the end of a failed install's output for the model. */
const OUTPUT_CHARS = 6_000;

/** The result of a start; `summary` is text for the model. */
export type BroughtUp =
  | { state: "up"; server: ServerState; summary: string }
  /** `no-packages`: an install failed; `no-tables`: a migration failed; `down`: the server did not start. */
  | { state: "no-packages" | "no-tables" | "down"; summary: string };

/** How to start a server. */
export interface BringUp {
  command: string;
  signal: AbortSignal;
  onOutput?: ((text: string) => void) | undefined;
  /** Puts the port with the page first if there are several. Absent: the order stays. */
  showPage?: (() => Promise<void>) | undefined;
}

/** Starts the project's server, replacing a running one, after it installed missing packages and ran migrations. */
export async function bringUp(
  workspace: Workspace,
  { command, signal, onOutput, showPage }: BringUp,
): Promise<BroughtUp> {
  const heard = onOutput && { onOutput };
  const installed = await installMissing(workspace, { signal, ...heard });
  if (installed && !canStart(installed)) {
    const { exit, command: install } = installed;
    const output = tailOf(plainOutput(exit.output).trim(), OUTPUT_CHARS);
    return {
      state: "no-packages",
      summary: `Packages were missing, and ${install} failed:\n${output}${refusedNote(undefined, exit.refusedPackages)}`,
    };
  }
  const first = installed ? installedWords(installed) : "";
  const migration = await migrate(workspace, { seed: true, signal });
  if (migration.kind === "failed")
    return { state: "no-tables", summary: `${first}A migration failed.\n${migration.output}` };
  const [server, note] = await watchRefused(workspace, async (hosts) => {
    const started = await workspace.start(command, { ...heard, signal });
    if (started.state === "up") await showPage?.();
    return [workspace.server ?? started, refusedNote(hosts)] as const;
  });
  const summary = `${first}${serverText(server)}${note}`;
  return server.state === "up" ? { state: "up", server, summary } : { state: "down", summary };
}

function installedWords(installed: Installed): string {
  const { command, wereMissing } = installed;
  if (wereMissing) return `Packages were missing: ${command} was run first. `;
  const differs = "The lock file names other packages than were installed";
  return hasWorked(installed)
    ? `${differs}: ${command} was run first. `
    : `${differs}, and ${command} failed: the server uses those that are there. `;
}
