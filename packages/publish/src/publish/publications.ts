import { join } from "node:path";
import type { Publication, Release } from "@treadle/protocol";
import { isSound } from "@treadle/protocol/evidence";
import { verdictOf } from "@treadle/protocol/fold";
import { removeTree, type Workspace, type WorkspaceSettings } from "@treadle/workspace";
import { ApiFailure, notFound } from "@treadle/common";
import type { KeptMap } from "@treadle/common";
import { UNSEEN } from "../gate/check-drawn.ts";
import { withFound } from "../gate/gate-of.ts";
import { gateReport } from "../gate/gate-report.ts";
import { createAnswers, type Answers } from "./answering.ts";
import { createAppJobs } from "./app-jobs.ts";
import { readAppHost, type AskedHost } from "./app-hosts.ts";
import { createAppPorts, type WantedPort } from "./app-ports.ts";
import type { Door, Published } from "./door.ts";
import { changeSettings, type KeptPublication, type KeptRelease } from "./kept-publication.ts";
import type { AppsPostgres } from "@treadle/app-database";
import { createLivePublications } from "./live-publications.ts";
import { siteFolder, type ReleaseParts } from "./make-release.ts";
import { named, toOwnDomain } from "./names.ts";
import type { PortSettings } from "./port-settings.ts";
import type { PublishableProject, PublishableProjects } from "./publishable-project.ts";
import { createReleaseLogs } from "./release-logs.ts";
import { createReleases, type InspectCandidate } from "./releases.ts";
import { createRunningApps, releaseSettings, tellReach, type RunningApps } from "./running-apps.ts";
import { mainAddress, tellPublication } from "./tell-publication.ts";
import { createVisitErrors } from "./visit-errors.ts";
import type { Awake } from "@treadle/workspace";

/** Hosts for which it is known whom they ask for; anybody may write one in many ways. */
const HOSTS_KNOWN = 1_024;

/** A release that is ready, and where it lies. */
export interface OutgoingRelease {
  /** First label of its host here. */
  name: string;
  release: Release;
  /** Absolute. */
  folder: string;
}

/** Projects that are published on this machine: verified revisions, made ready and answered with under a name. */
export interface Publications extends RunningApps {
  /** Undefined where it was never published. */
  get(project: string): Promise<Publication | undefined>;
  /**
   * Makes a release of the files as they stand and answers with it once it is ready, unless something serious is found in
   * it: what comes of it is in `get`.
   * @param options.anyway who publishes it whatever is found
   * @throws ApiFailure 409 `working`, `not-verified`, `publishing`, `name-taken`; 400 `bad-name`
   */
  publish(
    project: string,
    options: { name?: string | undefined; anyway?: string | undefined },
  ): Promise<Publication>;
  /** Answers with a release that is held, on somebody's word. @throws ApiFailure 404, 409 `publishing` */
  publishHeld(project: string, release: number, by: string): Promise<Publication>;
  /** What was found in a release, as a text that can be read by itself. @throws ApiFailure 404 */
  report(project: string, release: number): string;
  /**
   * A release that may go out, and its folder; absent: the one that is answered with.
   * @throws ApiFailure 404; 409 `held`, `not-ready`, `not-published`
   */
  outgoing(project: string, release: number | undefined): OutgoingRelease;
  /** Answers with a release that was made before, and with its data as it was left. @throws ApiFailure 404, 409 `publishing`; 502 `not-started` */
  goBack(project: string, release: number): Promise<Publication>;
  /** The domains of its own from now on, in any spelling. @throws ApiFailure 404; 400 `bad-domain`, 409 `domain-taken` */
  setDomains(project: string, domains: string[]): Promise<Publication>;
  /** Gives it a port of its own beside its name, or takes it away. @throws ApiFailure 404; 400 `bad-port`, 409 `port-taken`, `port-refused` */
  setPort(project: string, wanted: WantedPort): Promise<Publication>;
  /** Nothing of it is answered any more, and its releases are removed. */
  remove(project: string): Promise<void>;
  /** It was deleted, and can be put back. */
  rest(project: string): Promise<void>;
  back(project: string): void;
  /** What is published under the name or the domain of a Host header. */
  find(host: string | undefined): Published | undefined;
  /**
   * What answers for a release: the one that is answered with (default), or the files of an older one; undefined where
   * nothing does.
   */
  released(project: string, number?: number): Published | undefined;
  /** Numbers of the releases that can be shown; undefined where it is not published. */
  shown(project: string): number[] | undefined;
  /** Listens at the ports that publications have. Where that cannot be, it is told with them. */
  openPorts(): Promise<void>;
  /** Works with the files of the app that is answered with, which need not run; undefined where there is none. */
  withFiles<Result>(
    project: string,
    work: (workspace: Workspace) => Promise<Result>,
  ): Promise<Result | undefined>;
  /** Puts to sleep what nobody asked for `idleMs`. */
  sweep(idleMs: number): Promise<void>;
  /** Apps that have a sandbox, but this project's. */
  awake(besides: string): Awake[];
  close(): Promise<void>;
}

export function createPublications(
  parts: Omit<ReleaseParts, "settingsOf"> & {
    projects: PublishableProjects;
    list: KeptMap<KeptPublication>;
    folderOf(project: string): string;
    /** Where apps may have databases besides SQLite's. */
    appsPostgres?: AppsPostgres | undefined;
    /** Treadle's own origin: published apps have its scheme and port. */
    appOrigin(): string;
    /** Below which apps have their names for people elsewhere. */
    appsDomain: string | undefined;
    /** Where those that have a port of their own listen. */
    ports: PortSettings;
    door: Door;
    /** Looks at a page as it is drawn; absent where there is no browser. */
    inspect?: InspectCandidate | undefined;
    now(): number;
    onNotice(text: string): void;
  },
): Publications {
  const { store, projects, list, now, appsDomain } = parts;
  const onNotice = (error: Error) => parts.onNotice(error.message);
  const live = createLivePublications(
    now,
    (project, seen) => {
      const kept = list.get(project);
      if (kept) keep(Object.assign(kept, { seen })).catch(onNotice);
    },
    onNotice,
  );
  const resting = new Set<string>();
  const keep = (kept: KeptPublication) => list.keep(kept.project, kept);
  const logs = createReleaseLogs((project) => join(parts.folderOf(project), "releases"));
  const placesOf = ({ project, port }: KeptPublication) => ({
    appOrigin: parts.appOrigin(),
    appsDomain,
    port: ports.told(project, port),
  });
  async function settingsOf(project: string, release?: KeptRelease): Promise<WorkspaceSettings> {
    const kept = list.get(project);
    const settings = await releaseSettings(store, project, kept?.reach);
    // The name with which it is to be answered, if that is another one.
    const named = kept && { ...kept, name: release?.name ?? kept.name };
    return named ? { ...settings, address: mainAddress(named, placesOf(named)) } : settings;
  }
  const isReporting = (project: string) => list.get(project)?.isQuiet !== true;
  const releases = createReleases({ ...parts, keep, logs, settingsOf, isReporting }, live);
  const onReport = createVisitErrors({
    live,
    siteOf: (project, release) =>
      siteFolder(join(parts.folderOf(project), "releases", String(release))),
    secretsOf: async (project) => (await settingsOf(project)).secrets,
  });

  for (const kept of list.all()) {
    if (kept.seen) live.restore(kept.project, kept.seen);
    for (const release of kept.releases) {
      if (release.state === "building") {
        Object.assign(release, { state: "failed", said: "Treadle was stopped meanwhile." });
        // What was made of it so far is nobody's.
        releases.remove(kept.project, release).catch(onNotice);
      }
      // Nobody looks any more.
      if (release.gate?.looking)
        release.gate = withFound(
          { ...release.gate, looking: undefined },
          { found: [], unchecked: [UNSEEN] },
        );
    }
    const current = kept.releases.find(({ number }) => number === kept.current);
    if (current) live.of(kept.project).answers.put(releases.answering(kept.project, current));
  }

  const ports = createAppPorts({
    settings: parts.ports,
    door: parts.door,
    find: (project) => publishedOf(list.get(project)),
  });
  const told = async (kept: KeptPublication) => ({
    ...tellPublication(kept, live.of(kept.project), placesOf(kept)),
    reach: await tellReach(store, kept),
    jobs: jobs.tell(kept),
  });
  const jobs = createAppJobs({
    list,
    live,
    keep,
    settingsOf,
    isResting: (id) => resting.has(id),
    now,
  });
  const running = createRunningApps({ ...parts, get: list.get, keep, told, live, logs, jobs });

  /** Of older sites, which are only read. */
  const older = new WeakMap<KeptRelease, Answers>();

  function publishedAs(project: string): Published {
    return {
      project,
      answers: live.of(project).answers,
      onRequest: () => live.onRequest(project),
      onError: (release, text) => live.onError(project, { release, kind: "answer", text }),
    };
  }

  function publishedOf(kept: KeptPublication | undefined): Published | undefined {
    if (!kept || resting.has(kept.project)) return undefined;
    const { project } = kept;
    const mine = live.of(project);
    return {
      ...publishedAs(project),
      ...(isReporting(project) && {
        visits: {
          onReport(report) {
            // It says of which release its page is: of one that there is.
            const isKnown = kept.releases.some(({ number }) => number === report.release);
            const release = isKnown ? report.release : (kept.current ?? 0);
            onReport(project, { ...report, release });
          },
          onRefused: () => void (mine.isRefused = true),
        },
      }),
    };
  }

  /** Which of them was asked for by which host: hosts of requests are many, and of few apps. */
  const byHost = new Map<string, { asked: AskedHost; kept: KeptPublication }>();
  const isAsked = (kept: KeptPublication, asked: AskedHost) =>
    "name" in asked ? kept.name === asked.name : kept.domains?.includes(asked.domain) === true;

  function keptAt(host: string | undefined): KeptPublication | undefined {
    const known = byHost.get(host ?? "");
    // It may have been given another name, or another project its own.
    if (known && list.get(known.kept.project) === known.kept && isAsked(known.kept, known.asked))
      return known.kept;
    const asked = readAppHost(host, appsDomain);
    const kept = asked && list.all().find((one) => isAsked(one, asked));
    if (!kept) return undefined;
    if (byHost.size >= HOSTS_KNOWN) byHost.clear();
    byHost.set(host!, { asked, kept });
    return kept;
  }

  /** @throws ApiFailure 404 */
  function find(project: string, number: number) {
    const kept = list.get(project);
    const release = kept?.releases.find((one) => one.number === number);
    if (!kept || !release) throw notFound("release");
    return { kept, release };
  }

  return {
    ...running,
    async get(project) {
      const kept = list.get(project);
      return kept && told(kept);
    },
    async publish(project, { name, anyway }) {
      const source = await projects.of(project);
      const record = await store.projects.get(project);
      if (!record) throw notFound("project");
      const revision = verifiedRevision(source);
      live.refuseGoing(project);
      // Refused before anything is kept of the files.
      named(list.all(), record, name);
      const checkpoint = await checkpointOf(source, revision);
      // From here to `make`, which keeps it, nothing is waited for: two projects that want one name are told apart.
      live.refuseGoing(project);
      const { kept, name: wanted } = named(list.all(), record, name);
      const found = source.view.checkpoints.findLast((one) => one.checkpoint === checkpoint);
      const release: KeptRelease = {
        number: (kept.releases.at(-1)?.number ?? 0) + 1,
        revision,
        checkpoint,
        label: found?.name ?? found?.label ?? "Published",
        at: now(),
        state: "building",
        ...(wanted !== kept.name && { name: wanted }),
      };
      kept.releases.push(release);
      try {
        await releases.make(kept, release, anyway);
      } catch (error) {
        kept.releases = kept.releases.filter((one) => one !== release);
        if (kept.releases.length === 0) await list.remove(project).catch(onNotice);
        throw error;
      }
      return told(kept);
    },
    async publishHeld(project, number, by) {
      const { kept, release } = find(project, number);
      if (release.state !== "held") throw notFound("release");
      live.refuseGoing(project);
      release.state = "building";
      if (release.gate) release.gate.decided = { at: now(), by };
      try {
        await releases.letGo(kept, release);
      } catch (error) {
        release.state = "held";
        if (release.gate) release.gate.decided = undefined;
        throw error;
      }
      return told(kept);
    },
    report(project, number) {
      const { kept, release } = find(project, number);
      if (!release.gate) throw notFound("release");
      return gateReport(kept.name, release, release.gate);
    },
    outgoing(project, asked) {
      const number = asked ?? list.get(project)?.current;
      if (number === undefined)
        throw new ApiFailure(409, "not-published", "It has no release yet. Publish it on this machine first, where it is scanned."); // prettier-ignore
      const { kept, release } = find(project, number);
      if (release.state === "held")
        throw new ApiFailure(409, "held", `Release ${number} is held because of what was found in it. Fix that, or publish it all the same, before it goes out.`); // prettier-ignore
      if (release.state !== "ready")
        throw new ApiFailure(409, "not-ready", `Release ${number} is not ready to go out.`);
      return {
        name: kept.name,
        release,
        folder: join(parts.folderOf(project), "releases", String(number)),
      };
    },
    async goBack(project, number) {
      const { kept, release } = find(project, number);
      if (release.state !== "ready") throw notFound("release");
      live.refuseGoing(project);
      if (kept.current === number) return told(kept);
      await releases.goBack(kept, release);
      return told(kept);
    },
    async setDomains(project, domains) {
      const kept = list.get(project);
      if (!kept) throw notFound("publication");
      const others = list.all().filter((other) => other !== kept);
      const own = [...new Set(domains.map((text) => toOwnDomain(text, others, appsDomain)))];
      await changeSettings(kept, { domains: own }, keep);
      await running.settingsChanged(project);
      return told(kept);
    },
    async setPort(project, wanted) {
      const kept = list.get(project);
      if (!kept) throw notFound("publication");
      const before = kept.port;
      const port = await ports.give(project, wanted);
      await changeSettings(kept, { port }, keep).catch(async (error: unknown) => {
        await ports.give(project, before ?? "none").catch(onNotice);
        throw error;
      });
      await running.settingsChanged(project);
      return told(kept);
    },
    async remove(project) {
      await ports.give(project, "none");
      await live.forget(project);
      resting.delete(project);
      const kept = list.get(project);
      if (!kept) return;
      await list.remove(project);
      for (const release of kept.releases) await releases.remove(project, release);
      await removeTree(join(parts.folderOf(project), "releases"));
    },
    async rest(project) {
      resting.add(project);
      await live.end(project);
    },
    back: (project) => void resting.delete(project),
    find: (host) => publishedOf(keptAt(host)),
    async openPorts() {
      await Promise.all(
        list.all().map(({ project, port }) => port !== undefined && ports.reopen(project, port)),
      );
    },
    released(project, number) {
      const kept = list.get(project);
      if (kept?.current === undefined || resting.has(project)) return undefined;
      if (number === undefined || number === kept.current) return publishedAs(project);
      const release = kept.releases.find((one) => one.number === number);
      // The app of another release has data of its own, and is not started beside this one.
      if (release?.state !== "ready" || release.kind !== "site") return undefined;
      const answers = older.get(release) ?? createAnswers();
      if (!older.has(release)) answers.put(releases.answering(project, release));
      older.set(release, answers);
      return { ...publishedAs(project), answers };
    },
    shown(project) {
      const kept = list.get(project);
      if (kept?.current === undefined) return undefined;
      return kept.releases.filter(({ state }) => state === "ready").map(({ number }) => number);
    },
    async withFiles(project, work) {
      const answer = live.current(project);
      return answer?.kind === "app" ? answer.app.withFiles(work) : undefined;
    },
    awake: live.awake,
    sweep: live.sweep,
    async close() {
      await ports.close();
      await jobs.close();
      await live.close();
      await logs.settled();
    },
  };
}

/** The revision that stands and was seen to work. @throws ApiFailure 409 `working`, `not-verified` */
function verifiedRevision(source: PublishableProject): string {
  if (source.isWorking())
    throw new ApiFailure(409, "working", "The project is being worked on. Nothing was published.");
  const { revision } = source.view;
  const stands = verdictOf(source.view);
  if (!isSound(stands?.verdict) || revision === undefined) {
    const why = stands ? `, and ${stands.reason.replace(/\.$/, "")}` : "";
    const todo = stands?.verdict === "failed" ? "Have it fixed" : "Have it checked";
    throw new ApiFailure(
      409,
      "not-verified",
      `Only files that were seen to work can be published${why}. ${todo} first; nothing was published.`,
    );
  }
  return revision;
}

/** The checkpoint that holds a revision, made where there is none. */
async function checkpointOf(source: PublishableProject, revision: string): Promise<string> {
  const kept = source.view.checkpoints.findLast((one) => one.revision === revision && !one.thinned);
  return kept?.checkpoint ?? (await source.keepNow("Published"));
}
