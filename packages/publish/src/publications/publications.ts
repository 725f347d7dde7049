import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { join } from "node:path";
import type { Publication, Release } from "@treadle/protocol";
import { isSound } from "@treadle/protocol/evidence";
import { verdictOf } from "@treadle/protocol/fold";
import { removeTree, type Workspace, type WorkspaceSettings } from "@treadle/workspace";
import { ApiFailure, notFound } from "@treadle/common";
import { createRefresh, type StoredMap } from "@treadle/common";
import { UNSEEN } from "../gate/strangers/check-drawn.ts";
import { withFound } from "../gate/gate-of.ts";
import { findMissingVariables, type MissingVariables } from "../gate/files/missing-variables.ts";
import { gateReport } from "../gate/gate-report.ts";
import { createReleaseSlot, type ReleaseSlot } from "./release-slot.ts";
import { createAppJobs } from "./app-jobs.ts";
import { readAppHost, type AskedHost } from "./app-hosts.ts";
import { createAppPorts, type WantedPort } from "./app-ports.ts";
import type { Door, DoorPublication } from "./door.ts";
import {
  changeSettings,
  type StoredPublication,
  type StoredRelease,
} from "./stored-publication.ts";
import type { AppsPostgres } from "@treadle/app-database";
import { createPublicationRuntimes } from "./publication-runtimes.ts";
import { siteFolder, type ReleaseParts } from "./make-release.ts";
import { named, toOwnDomain } from "./names.ts";
import type { PortSettings } from "./port-settings.ts";
import type { PublishableProject, PublishableProjects } from "./publishable-project.ts";
import { createReleaseLogs } from "./release-logs.ts";
import { createReleases, type InspectRelease } from "./releases.ts";
import {
  createReviewedReleases,
  type PublishRequests,
  type ReviewedReleases,
} from "./reviewed-releases.ts";
import {
  createPublicationOperations,
  releaseSettings,
  describeReach,
  type PublicationOperations,
} from "./publication-operations.ts";
import { mainAddress, describePublication } from "./describe-publication.ts";
import { createVisitErrors } from "./visit-errors.ts";
import type { Awake } from "@treadle/workspace";
import { workspaceSettings } from "@treadle/store";

/** Maximum number of cached hosts; a client can write one in many ways. */
const HOSTS_KNOWN = 1_024;

/** A release in state `ready`, and the folder of its files. */
export interface ReadyRelease {
  /** The first label of its host. */
  name: string;
  release: Release;
  /** Absolute path. */
  folder: string;
}

/** Publications: projects published on this machine, each with its immutable releases. */
export interface Publications extends PublicationOperations, ReviewedReleases {
  /** Describes a publication; undefined if the project was never published. */
  get(project: string): Promise<Publication | undefined>;
  /** The current release and the address for most visitors; undefined if nothing is published. */
  liveAt(project: string): { address: string; release: number } | undefined;
  /**
   * Makes a release of the current files. It becomes the current release once it is ready, unless
   * something serious is found; `get` shows its progress.
   * @param options.anyway the person who publishes it regardless of findings
   * @param options.review the request for which it is made, and without whose approval it stays held
   * @throws ApiFailure 409 `working`, `not-verified`, `publishing`, `name-taken`; 400 `bad-name`
   */
  publish(
    project: string,
    options: {
      name?: string | undefined;
      anyway?: string | undefined;
      review?: string | undefined;
    },
  ): Promise<Publication>;
  /**
   * Makes a held release current, by a person's decision.
   * @throws ApiFailure 404, 409 `publishing`
   */
  publishHeld(project: string, release: number, by: string): Promise<Publication>;
  /**
   * The variables of the project's current `.env` files that the published app lacks or would lack,
   * with their values.
   * @throws ApiFailure 404
   */
  missingVariables(project: string): Promise<MissingVariables[]>;
  /**
   * The findings of a release as a stand-alone text.
   * @throws ApiFailure 404
   */
  report(project: string, release: number): string;
  /**
   * Finds a ready release and its folder.
   * @param release absent: the current one
   * @throws ApiFailure 404; 409 `held`, `not-ready`, `not-published`
   */
  findReady(project: string, release: number | undefined): ReadyRelease;
  /**
   * Makes an earlier release current again, with its former data.
   * @throws ApiFailure 404, 409 `publishing`; 502 `not-started`
   */
  rollBack(project: string, release: number): Promise<Publication>;
  /**
   * Sets the app's own domains, in any spelling.
   * @throws ApiFailure 404; 400 `bad-domain`, 409 `domain-taken`
   */
  setDomains(project: string, domains: string[]): Promise<Publication>;
  /**
   * Assigns or removes a dedicated port.
   * @throws ApiFailure 404; 400 `bad-port`, 409 `port-taken`, `port-refused`
   */
  setPort(project: string, wantedPort: WantedPort): Promise<Publication>;
  /** Unpublishes a project and removes its releases. */
  remove(project: string): Promise<void>;
  /** Stops serving a publication whose project was deleted; `resume` undoes it. */
  suspend(project: string): Promise<void>;
  resume(project: string): void;
  /** Finds the publication that a Host header names. */
  findByHost(host: string | undefined): DoorPublication | undefined;
  /**
   * Finds what serves a release: the current one (default), or an older site. Undefined if nothing can.
   */
  findRelease(project: string, number?: number): DoorPublication | undefined;
  /** Numbers of the ready releases; undefined if the project is not published. */
  readyReleases(project: string): number[] | undefined;
  /** Listens on the stored ports of publications. A failure becomes part of their description. */
  openPorts(): Promise<void>;
  /**
   * Accesses the files of the current release's app, which need not be running; undefined if there
   * is none.
   */
  withFiles<Result>(
    project: string,
    work: (workspace: Workspace) => Promise<Result>,
  ): Promise<Result | undefined>;
  /** Puts apps to sleep that had no request for `idleMs` milliseconds. */
  sweep(idleMs: number): Promise<void>;
  /** The project that a Host header names, also if another server has published it since. */
  projectAt(host: string | undefined): Promise<string | undefined>;
  /** Begins to serve what another server published or served before. */
  takeOver(project: string): Promise<void>;
  /** Projects with scheduled jobs. */
  withJobs(): string[];
  /** Whether its app has a sandbox, or a release is being made or inspected. */
  isAwake(project: string): boolean;
  /** Apps that have a sandbox, except this project's. */
  awake(besides: string): Awake[];
  close(): Promise<void>;
}

export function createPublications(
  parts: Omit<ReleaseParts, "settingsOf"> & {
    projects: PublishableProjects;
    list: StoredMap<StoredPublication>;
    folderOf(project: string): string;
    /** The PostgreSQL server for apps, if there is one. */
    appsPostgres?: AppsPostgres | undefined;
    /** Treadle's own origin, whose scheme and port published apps share. */
    appOrigin(): string;
    /** The domain below which apps have public names. */
    appsDomain: string | undefined;
    /** The address and the range of dedicated ports. */
    ports: PortSettings;
    door: Door;
    /** Inspects a rendered page; absent if there is no browser. */
    inspect?: InspectRelease | undefined;
    /** Requests that a second person has to approve; absent if there is nobody else. */
    requests?: PublishRequests | undefined;
    /** Which projects this server owns. */
    ownership: { readonly isShared: boolean; isHere(project: string): boolean };
    now(): number;
    onNotice(text: string): void;
  },
): Publications {
  const { store, projects, list, now, appsDomain } = parts;
  const onNotice = (error: Error) => parts.onNotice(error.message);
  const runtimes = createPublicationRuntimes(
    now,
    (project, seen) => {
      const publication = list.get(project);
      if (publication) save(Object.assign(publication, { seen })).catch(onNotice);
    },
    onNotice,
  );
  const suspended = new Set<string>();
  const save = (publication: StoredPublication) => list.save(publication.project, publication);
  const logs = createReleaseLogs((project) => join(parts.folderOf(project), "releases"));
  const placesOf = ({ project, port }: StoredPublication) => ({
    appOrigin: parts.appOrigin(),
    appsDomain,
    port: ports.describe(project, port),
  });
  async function settingsOf(project: string, release?: StoredRelease): Promise<WorkspaceSettings> {
    const publication = list.get(project);
    const settings = await releaseSettings(store, project, publication?.reach);
    // A release may bring a new name, which takes effect with it.
    const named = publication && { ...publication, name: release?.name ?? publication.name };
    return named ? { ...settings, address: mainAddress(named, placesOf(named)) } : settings;
  }
  const isReporting = (project: string) => list.get(project)?.isQuiet !== true;
  const onSettled = (project: string, release: StoredRelease) =>
    void reviewed.settled(project, release).catch(onNotice);
  const releases = createReleases(
    { ...parts, save, logs, settingsOf, isReporting, onSettled },
    runtimes,
  );
  const onReport = createVisitErrors({
    runtimes,
    siteOf: (project, release) =>
      siteFolder(join(parts.folderOf(project), "releases", String(release))),
    secretsOf: async (project) => (await settingsOf(project)).secrets,
  });

  /** Serves the current release, and ends what a server left unfinished that served it before. */
  function restore(publication: StoredPublication): void {
    if (publication.seen) runtimes.restore(publication.project, publication.seen);
    for (const release of publication.releases) {
      if (release.state === "building") {
        const { text, coded } = sentence("release-cut-off");
        Object.assign(release, { state: "failed", said: text, saidCode: coded });
        // The unfinished release is discarded.
        releases.remove(publication.project, release).catch(onNotice);
      }
      // The inspection ended with the former server.
      if (release.gate?.looking)
        release.gate = withFound(
          { ...release.gate, looking: undefined },
          { found: [], unchecked: [UNSEEN] },
        );
    }
    const current = publication.releases.find(({ number }) => number === publication.current);
    if (current)
      runtimes
        .get(publication.project)
        .slot.put(releases.releaseServer(publication.project, current));
  }
  // Of several servers, each serves what it takes over.
  if (!parts.ownership.isShared) for (const publication of list.all()) restore(publication);

  const ports = createAppPorts({
    settings: parts.ports,
    door: parts.door,
    find: (project) => doorPublication(list.get(project)),
  });
  const describe = async (publication: StoredPublication) => ({
    ...describePublication(publication, runtimes.get(publication.project), placesOf(publication)),
    reach: await describeReach(store, publication),
    jobs: jobs.list(publication),
  });
  const jobs = createAppJobs({
    list,
    runtimes,
    save,
    settingsOf,
    isSuspended: (id) => suspended.has(id) || !parts.ownership.isHere(id),
    now,
  });
  const operations = createPublicationOperations({
    ...parts,
    get: list.get,
    save,
    describe,
    runtimes,
    logs,
    jobs,
  });

  const reviewed = createReviewedReleases({
    ...parts,
    settingsOf: (project) => workspaceSettings(store, project),
    runtimes,
    releases,
    save,
    onNotice,
  });

  /** Servers of older sites, which are read-only. */
  const older = new WeakMap<StoredRelease, ReleaseSlot>();

  function doorTarget(project: string): DoorPublication {
    return {
      project,
      slot: runtimes.get(project).slot,
      onRequest: () => runtimes.onRequest(project),
      onError: (release, text) => runtimes.onError(project, { release, kind: "answer", text }),
    };
  }

  function doorPublication(
    publication: StoredPublication | undefined,
  ): DoorPublication | undefined {
    if (!publication || suspended.has(publication.project)) return undefined;
    const { project } = publication;
    const current = runtimes.get(project);
    return {
      ...doorTarget(project),
      ...(isReporting(project) && {
        visits: {
          onReport(report) {
            // The page's claimed release must exist.
            const isKnown = publication.releases.some(({ number }) => number === report.release);
            const release = isKnown ? report.release : (publication.current ?? 0);
            onReport(project, { ...report, release });
          },
          onRefused: () => void (current.isRefused = true),
        },
      }),
    };
  }

  const refreshed = createRefresh(list.refresh, now);

  /** Publications by Host header: a cache, as many requests use few hosts. */
  const byHost = new Map<string, { asked: AskedHost; publication: StoredPublication }>();
  const isAsked = (publication: StoredPublication, asked: AskedHost) =>
    "name" in asked
      ? publication.name === asked.name
      : publication.domains?.includes(asked.domain) === true;

  function publicationAt(host: string | undefined): StoredPublication | undefined {
    const known = byHost.get(host ?? "");
    // The app's name may have changed, or another project may have taken over the domain.
    if (
      known &&
      list.get(known.publication.project) === known.publication &&
      isAsked(known.publication, known.asked)
    )
      return known.publication;
    const asked = readAppHost(host, appsDomain);
    const publication = asked && list.all().find((one) => isAsked(one, asked));
    if (!publication) return undefined;
    if (byHost.size >= HOSTS_KNOWN) byHost.clear();
    byHost.set(host!, { asked, publication });
    return publication;
  }

  /** A release and its publication. @throws ApiFailure 404 if there is none of this number */
  function find(project: string, number: number) {
    const publication = list.get(project);
    const release = publication?.releases.find((one) => one.number === number);
    if (!publication || !release) throw notFound("release");
    return { publication, release };
  }

  return {
    ...operations,
    ...reviewed,
    async get(project) {
      const publication = list.get(project);
      return publication && describe(publication);
    },
    liveAt(project) {
      const publication = list.get(project);
      if (publication?.current === undefined || suspended.has(project)) return undefined;
      const address = mainAddress(publication, placesOf(publication));
      return { address, release: publication.current };
    },
    async publish(project, { name, anyway, review }) {
      const source = await projects.get(project);
      const record = await store.projects.get(project);
      if (!record) throw notFound("project");
      const revision = verifiedRevision(source);
      runtimes.refuseIfBusy(project);
      // Refuses the name before a checkpoint is saved.
      named(list.all(), record, name);
      const checkpoint = await checkpointOf(source, revision);
      // Do not await from here to `make`, which saves the publication: another project could take
      // the name in between.
      runtimes.refuseIfBusy(project);
      const { publication, name: wantedName } = named(list.all(), record, name);
      const found = source.view.checkpoints.findLast((one) => one.checkpoint === checkpoint);
      const release: StoredRelease = {
        number: (publication.releases.at(-1)?.number ?? 0) + 1,
        revision,
        checkpoint,
        label: found?.name ?? found?.label ?? "Published",
        at: now(),
        state: "building",
        name: wantedName === publication.name ? undefined : wantedName,
        review,
      };
      publication.releases.push(release);
      try {
        await releases.make(publication, release, anyway);
      } catch (error) {
        publication.releases = publication.releases.filter((one) => one !== release);
        if (publication.releases.length === 0) await list.remove(project).catch(onNotice);
        throw error;
      }
      return describe(publication);
    },
    async publishHeld(project, number, by) {
      const { publication, release } = find(project, number);
      if (release.state !== "held") throw notFound("release");
      if (release.review !== undefined)
        throw new ApiFailure(409, "needs-review", sentence("review-only"));
      runtimes.refuseIfBusy(project);
      release.state = "building";
      if (release.gate) release.gate.decided = { at: now(), by };
      try {
        await releases.serveHeld(publication, release);
      } catch (error) {
        release.state = "held";
        if (release.gate) release.gate.decided = undefined;
        throw error;
      }
      return describe(publication);
    },
    async missingVariables(project) {
      const source = await (await projects.get(project)).workspace();
      const publication = list.get(project);
      return findMissingVariables(source, await settingsOf(project), {
        hasPostgres: parts.appsPostgres !== undefined,
        kind: publication?.releases.find(({ number }) => number === publication.current)?.kind,
      });
    },
    report(project, number) {
      const { publication, release } = find(project, number);
      if (!release.gate) throw notFound("release");
      return gateReport(publication.name, release, release.gate);
    },
    findReady(project, asked) {
      const number = asked ?? list.get(project)?.current;
      if (number === undefined)
        throw new ApiFailure(409, "not-published", sentence("no-release")); // prettier-ignore
      const { publication, release } = find(project, number);
      if (release.state === "held")
        throw new ApiFailure(409, "held", sentence("release-held", { number: String(number) })); // prettier-ignore
      if (release.state !== "ready")
        throw new ApiFailure(
          409,
          "not-ready",
          sentence("release-not-ready", { number: String(number) }),
        );
      return {
        name: publication.name,
        release,
        folder: join(parts.folderOf(project), "releases", String(number)),
      };
    },
    async rollBack(project, number) {
      const { publication, release } = find(project, number);
      if (release.state !== "ready") throw notFound("release");
      runtimes.refuseIfBusy(project);
      if (publication.current === number) return describe(publication);
      await releases.rollBack(publication, release);
      return describe(publication);
    },
    async setDomains(project, domains) {
      const publication = list.get(project);
      if (!publication) throw notFound("publication");
      const others = list.all().filter((other) => other !== publication);
      const own = [...new Set(domains.map((text) => toOwnDomain(text, others, appsDomain)))];
      await changeSettings(publication, { domains: own }, save);
      await operations.settingsChanged(project);
      return describe(publication);
    },
    async setPort(project, wantedPort) {
      const publication = list.get(project);
      if (!publication) throw notFound("publication");
      const before = publication.port;
      const port = await ports.give(project, wantedPort);
      await changeSettings(publication, { port }, save).catch(async (error: unknown) => {
        await ports.give(project, before ?? "none").catch(onNotice);
        throw error;
      });
      await operations.settingsChanged(project);
      return describe(publication);
    },
    async remove(project) {
      await reviewed.endTrials(project);
      await ports.give(project, "none");
      await runtimes.forget(project);
      suspended.delete(project);
      const publication = list.get(project);
      if (!publication) return;
      await list.remove(project);
      for (const release of publication.releases) await releases.remove(project, release);
      await removeTree(join(parts.folderOf(project), "releases"));
    },
    async suspend(project) {
      suspended.add(project);
      await reviewed.endTrials(project);
      await runtimes.end(project);
    },
    resume: (project) => void suspended.delete(project),
    findByHost: (host) => doorPublication(publicationAt(host)),
    async projectAt(host) {
      if (!readAppHost(host, appsDomain)) return undefined;
      if (!publicationAt(host)) await refreshed();
      return publicationAt(host)?.project;
    },
    async takeOver(project) {
      await list.refresh();
      const publication = list.get(project);
      if (publication) restore(publication);
    },
    withJobs: () =>
      list.all().flatMap((publication) => (jobs.list(publication).length > 0 ? publication.project : [])), // prettier-ignore
    async openPorts() {
      await Promise.all(
        list.all().map(({ project, port }) => port !== undefined && ports.reopen(project, port)),
      );
    },
    findRelease(project, number) {
      const publication = list.get(project);
      if (publication?.current === undefined || suspended.has(project)) return undefined;
      if (number === undefined || number === publication.current) return doorTarget(project);
      const release = publication.releases.find((one) => one.number === number);
      // The app of another release has its own data, and is not started beside this one.
      if (release?.state !== "ready" || release.kind !== "site") return undefined;
      const slot = older.get(release) ?? createReleaseSlot();
      if (!older.has(release)) slot.put(releases.releaseServer(project, release));
      older.set(release, slot);
      return { ...doorTarget(project), slot };
    },
    readyReleases(project) {
      const publication = list.get(project);
      if (publication?.current === undefined) return undefined;
      return publication.releases
        .filter(({ state }) => state === "ready")
        .map(({ number }) => number);
    },
    async withFiles(project, work) {
      const answer = runtimes.current(project);
      return answer?.kind === "app" ? answer.app.withFiles(work) : undefined;
    },
    awake: runtimes.awake,
    isAwake: runtimes.isAwake,
    sweep: runtimes.sweep,
    async close() {
      await reviewed.endTrials();
      await ports.close();
      await jobs.close();
      await runtimes.close();
      await logs.settled();
    },
  };
}

/**
 * The current revision if it was verified.
 * @throws ApiFailure 409 `working`, `not-verified`
 */
function verifiedRevision(source: PublishableProject): string {
  if (source.isWorking()) throw new ApiFailure(409, "working", sentence("publish-working"));
  const { revision } = source.view;
  const verdict = verdictOf(source.view);
  if (!isSound(verdict?.verdict) || revision === undefined) {
    if (!verdict) throw notVerified(sentence("publish-not-seen"));
    const reason = verdict.reason.replace(/\.$/, "");
    const code = verdict.verdict === "failed" ? "publish-failed" : "publish-not-verified";
    throw notVerified(sentence(code, { reason }));
  }
  return revision;
}

/**
 * The checkpoint of a revision, created if necessary.
 * @throws ApiFailure 409 `not-verified` if the files have changed
 */
async function checkpointOf(source: PublishableProject, revision: string): Promise<string> {
  const checkpoint = source.view.checkpoints.findLast(
    (one) => one.revision === revision && !one.thinned,
  );
  if (checkpoint) return checkpoint.checkpoint;
  // A command in the folder may have changed verified files while no server was watching.
  if ((await (await source.workspace()).revision()) !== revision)
    throw notVerified(sentence("publish-changed"));
  return source.keepNow("Published");
}

const notVerified = (why: Sentence) => new ApiFailure(409, "not-verified", why);
