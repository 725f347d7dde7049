import type { Release } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { inTime } from "@treadle/common";
import type { AppsPostgres } from "@treadle/app-database";
import { sendOver, type Send } from "../gate/strangers/ask.ts";
import {
  checkOwnedRows,
  tellsPeopleApart,
  type OwnedRows,
} from "../gate/strangers/check-owned-rows.ts";
import type { GateFile } from "../gate/types.ts";
import type { ReleaseParts } from "./make-release.ts";
import { openReleaseCopy, type NoCopy } from "./release-copy.ts";

/** How long a crashed app may take to restart, in milliseconds. */
const UP_MS = 5_000;

const NOT_TRIED = ", so whether one person can read another's data was not tried.";
const WHY: Record<NoCopy, string> = {
  database: "No copy of its PostgreSQL database could be made",
  files: "No copy of it could be made",
  start: "It does not start where it reaches no other host",
};

/**
 * Checks an app with two test accounts, if it has accounts. It runs as a copy without
 * network access: no mail is sent, no external database is written, and the accounts' data is in no
 * release. Its PostgreSQL database is a copy too.
 */
export async function tryAccounts(
  parts: Pick<ReleaseParts, "driver" | "settingsOf"> & { appsPostgres?: AppsPostgres | undefined },
  {
    sources,
    ...app
  }: {
    project: string;
    release: Pick<Release, "number">;
    folder: string;
    command: string;
    sources: readonly GateFile[];
  },
  signal: AbortSignal,
): Promise<OwnedRows> {
  if (!tellsPeopleApart(sources)) return { found: [], unchecked: [] };
  const settings = { ...(await parts.settingsOf(app.project)), hosts: [], staticHosts: false };
  const copy = await openReleaseCopy(parts, { ...app, settings }, signal);
  if (typeof copy === "string") return { found: [], unchecked: [`${WHY[copy]}${NOT_TRIED}`] };
  const { workspace, port } = copy;
  try {
    const once = sendOver(() => workspace.connect(port));
    const send: Send = async (path, request) => {
      const answer = await once(path, request);
      // A request may crash the app, which then restarts by itself.
      if (!answer && !(await once("/", { method: "GET" }))) await inTime(nextUp(workspace), UP_MS);
      return answer;
    };
    return await checkOwnedRows(send, sources, signal);
  } finally {
    await copy.stop();
  }
}

const nextUp = (workspace: Workspace) =>
  new Promise<void>((resolve) => {
    const stop = workspace.listen((notice) => {
      if (notice.type !== "server" || notice.server.state !== "up") return;
      stop();
      resolve();
    });
  });
