import { sentence, errorSentence } from "@treadle/protocol/sentences";
import type { AppReach, Publication } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import { normaliseAllowedHost } from "@treadle/egress/allowed-host";
import { type WorkspaceSettings } from "@treadle/workspace";
import { ApiFailure, notFound } from "@treadle/common";
import type { TextBacklog } from "@treadle/common";
import { workspaceSettings } from "@treadle/store";
import type { AppJobs } from "./app-jobs.ts";
import { restartRelease } from "./switch-release.ts";
import { changeSettings, type StoredPublication, type OwnReach } from "./stored-publication.ts";
import type { PublicationRuntimes } from "./publication-runtimes.ts";
import type { ReleaseLogs } from "./release-logs.ts";

/** Maximum number of hosts in an app's own list. */
const HOSTS_LIMIT = 100;

/**
 * Operations on the running app of a publication: its reachable hosts, its output, restarting it.
 */
export interface PublicationOperations {
  /**
   * Sets the hosts that the app may reach. With undefined, they are those of the project.
   * @throws ApiFailure 404; 400 `bad-host`, `too-many`
   */
  setReach(project: string, reach: OwnReach | undefined): Promise<Publication>;
  /**
   * Sets whether the app's pages report errors in visitors' browsers.
   * @throws ApiFailure 404
   */
  setReports(project: string, on: boolean): Promise<Publication>;
  /**
   * Applies changes of the project's hosts, secrets or address. Hosts take effect at once; an app
   * with a changed environment is restarted in the background, without losing a request.
   */
  settingsChanged(project: string): Promise<void>;
  /**
   * Restarts the app without losing a request.
   * @throws ApiFailure 404 for a site; 409 `publishing`; 502 `not-started`
   */
  restart(project: string): Promise<Publication>;
  /**
   * Starts one of the app's jobs now.
   * @throws ApiFailure 404; 409 `running`
   */
  runJob(project: string, name: string): Promise<Publication>;
  /**
   * The output of a release's app, without the values of its secrets.
   * @throws ApiFailure 404
   */
  log(project: string, release: number | undefined): { release: number; text: TextBacklog };
}

/** The hosts that a published app may reach, and its secrets. */
export async function releaseSettings(
  store: Store,
  project: string,
  reach: OwnReach | undefined,
): Promise<WorkspaceSettings> {
  const settings = await workspaceSettings(store, project, "published");
  return reach ? { ...settings, ...reach } : settings;
}

export function createPublicationOperations(parts: {
  get(project: string): StoredPublication | undefined;
  save(publication: StoredPublication): Promise<void>;
  describe(publication: StoredPublication): Promise<Publication>;
  runtimes: PublicationRuntimes;
  logs: ReleaseLogs;
  jobs: AppJobs;
  onNotice(text: string): void;
}): PublicationOperations {
  const { runtimes, logs } = parts;

  /** The project's publication. @throws ApiFailure 404 if it has none */
  function findPublication(project: string): StoredPublication {
    const publication = parts.get(project);
    if (!publication) throw notFound("publication");
    return publication;
  }

  async function settingsChanged(project: string): Promise<void> {
    const releaseServer = runtimes.current(project);
    if (releaseServer?.kind !== "app" || !(await releaseServer.app.reconfigure())) return;
    runtimes
      .beginWhenIdle(project, async () => {
        // A release that became current meanwhile was opened with the new settings.
        if (runtimes.current(project) !== releaseServer) return;
        await restartRelease(runtimes.get(project).slot, releaseServer);
        runtimes.onRestart(project);
      })
      .catch((error: Error) =>
        runtimes.onError(project, {
          release: releaseServer.release,
          kind: "crash",
          text: `Its settings were changed, but it did not start with them: ${error.message}`,
        }),
      );
  }

  return {
    settingsChanged,
    async setReach(project, reach) {
      const publication = findPublication(project);
      const own = reach && { staticHosts: reach.staticHosts, hosts: readHosts(reach.hosts) };
      await changeSettings(publication, { reach: own }, parts.save);
      await settingsChanged(project);
      return parts.describe(publication);
    },
    async setReports(project, on) {
      const publication = findPublication(project);
      await changeSettings(publication, { isQuiet: on ? undefined : true }, parts.save);
      runtimes.get(project).isRefused = false;
      return parts.describe(publication);
    },
    async restart(project) {
      const publication = findPublication(project);
      const releaseServer = runtimes.current(project);
      if (releaseServer?.kind !== "app") throw notFound("app");
      runtimes.refuseIfBusy(project);
      await runtimes
        .begin(project, () => restartRelease(runtimes.get(project).slot, releaseServer))
        .catch((error: Error) => {
          runtimes.onError(project, {
            release: releaseServer.release,
            kind: "crash",
            text: `It did not start again: ${error.message}`,
          });
          throw new ApiFailure(
            502,
            "not-started",
            sentence("app-not-restarted", { why: errorSentence(error) }),
          );
        });
      runtimes.onRestart(project);
      return parts.describe(publication);
    },
    async runJob(project, name) {
      const publication = findPublication(project);
      parts.jobs.begin(publication, name);
      return parts.describe(publication);
    },
    log(project, release) {
      const publication = findPublication(project);
      const number = release ?? publication.current;
      const found = publication.releases.find((one) => one.number === number);
      if (!found) throw notFound("release");
      return { release: found.number, text: logs.open(project, found.number) };
    },
  };
}

/** Normalises and sorts the hosts of an app's own list. @throws ApiFailure 400 `bad-host`, `too-many` */
function readHosts(texts: string[]): string[] {
  const hosts = texts.map((text) => {
    const host = normaliseAllowedHost(text.trim());
    if (host === undefined)
      throw new ApiFailure(400, "bad-host", sentence("host-bad", { text: text.slice(0, 100) }));
    return host;
  });
  const all = [...new Set(hosts)].toSorted();
  if (all.length > HOSTS_LIMIT)
    throw new ApiFailure(400, "too-many", sentence("hosts-too-many", { limit: HOSTS_LIMIT }));
  return all;
}

/** Describes the hosts that a published app may reach. */
export async function describeReach(
  store: Store,
  publication: StoredPublication,
): Promise<AppReach> {
  if (publication.reach) return { of: "own", ...publication.reach };
  const record = await store.projects.get(publication.project);
  return { of: "project", hosts: record?.hosts ?? [], staticHosts: record?.staticHosts ?? true };
}
