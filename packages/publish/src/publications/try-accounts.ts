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
import { openRelease, sandboxName, type ReleaseParts } from "./make-release.ts";

/** In memory, and removed with the sandbox. */
const COPY = "/tmp/treadle-tried";
/** Maximum size of an app to be copied without its packages, in kilobytes; 256 MB are available. */
const LARGEST = 100_000;
const COPY_MS = 30_000;
/** How long a crashed app may take to restart, in milliseconds. */
const UP_MS = 5_000;

/** Copies the app's own files, and links its packages. */
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

const NOT_TRIED = ", so whether one person can read another's data was not tried.";
const untried = (why: string): OwnedRows => ({ found: [], unchecked: [`${why}${NOT_TRIED}`] });

/**
 * Checks an app with two test accounts, if it has accounts. It runs as a copy in memory without
 * network access: no mail is sent, no external database is written, and the accounts' data is in no
 * release. Its PostgreSQL database is a copy too.
 */
export async function tryAccounts(
  parts: Pick<ReleaseParts, "driver" | "settingsOf"> & { appsPostgres?: AppsPostgres | undefined },
  {
    project,
    release,
    folder,
    command,
    sources,
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
  const settings = { ...(await parts.settingsOf(project)), hosts: [], staticHosts: false };
  const own = sandboxName(project, release);
  const copy = `${own}-tried`;
  const { appsPostgres } = parts;
  if (appsPostgres && !(await isCopied(appsPostgres, own, copy)))
    return untried("No copy of its PostgreSQL database could be made");
  const database = appsPostgres?.take(copy);
  const workspace = await openRelease(parts, project, release, { folder, settings, database });
  try {
    const copied = await workspace.run(COPY_COMMAND, { signal, timeoutMs: COPY_MS });
    signal.throwIfAborted();
    if (copied.kind !== "exited" || copied.code !== 0)
      return untried("No copy of it could be made");
    const server = await workspace.start(`cd ${COPY} && ${command}`, {
      signal,
      env: { NODE_ENV: "production" },
    });
    signal.throwIfAborted();
    const [port] = server.ports;
    if (server.state !== "up" || port === undefined)
      return untried("It does not start where it reaches no other host");
    const once = sendOver(() => workspace.connect(port));
    const send: Send = async (path, request) => {
      const answer = await once(path, request);
      // A request may crash the app, which then restarts by itself.
      if (!answer && !(await once("/", { method: "GET" }))) await inTime(nextUp(workspace), UP_MS);
      return answer;
    };
    return await checkOwnedRows(send, sources, signal);
  } finally {
    await workspace.stop();
    // A copy that cannot be removed now is removed with the project.
    await appsPostgres?.remove(copy).catch(() => undefined);
  }
}

/** @returns whether the release's PostgreSQL database, if any, was copied under another name */
async function isCopied(postgres: AppsPostgres, own: string, copy: string): Promise<boolean> {
  try {
    if (await postgres.has(own)) await postgres.copy(own, copy);
    else await postgres.remove(copy);
    return true;
  } catch {
    return false;
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
