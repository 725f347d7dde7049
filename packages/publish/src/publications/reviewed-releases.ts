import { createServer } from "node:http";
import { join } from "node:path";
import { duplexPair, type Duplex } from "node:stream";
import { ApiFailure } from "@treadle/common";
import type { AppsPostgres } from "@treadle/app-database";
import type { Release, ReviewState, ReviewSubject } from "@treadle/protocol";
import { isSerious } from "../gate/gate-of.ts";
import { sentence } from "@treadle/protocol/sentences";
import { verdictOn } from "@treadle/protocol/fold";
import type { StoredMap } from "@treadle/common";
import { siteFolder, type ReleaseParts } from "./make-release.ts";
import type { PublicationRuntimes } from "./publication-runtimes.ts";
import type { PublishableProjects } from "./publishable-project.ts";
import { ReleaseFailure } from "./release-failure.ts";
import { openReleaseCopy } from "./release-copy.ts";
import type { Releases } from "./releases.ts";
import { serveSite } from "./serve-site.ts";
import type { StoredPublication, StoredRelease } from "./stored-publication.ts";

/** How long a trial of a release stays open, in milliseconds. */
const TRIAL_MS = 30 * 60_000;

/** A running copy of a held release for a reviewer, with its own data, which is removed afterwards. */
export interface Trial {
  connect(port: number): Promise<Duplex>;
  ports(): number[];
  /** Resolves when it has ended. */
  ended: Promise<void>;
}

/** The requests to publish for which releases are made. */
export interface PublishRequests {
  /** The state of a request; undefined if there is no such request. */
  stateOf(request: string): Promise<ReviewState | undefined>;
  /** Reports that the release of a request can be tried. */
  ready(request: string): Promise<void>;
  /** Reports that the release of a request was published or, with a failure, could not be made or published. */
  settled(request: string, failure?: unknown): Promise<void>;
}

/** Releases that wait for a second person. */
export interface ReviewedReleases {
  /** Reports the end of a release's making or switching to its request. */
  settled(project: string, release: StoredRelease): Promise<void>;
  /** The projects and requests whose releases are held. */
  heldForReview(): { project: string; review: string }[];
  /** Reports the release of a new request to it, unless that release is still being made. */
  reportReviewed(project: string, review: string): Promise<void>;
  /** Describes the subject of a request to publish: the release that was made for it, and the findings in its files. */
  describeReviewed(project: string, review: string): Promise<ReviewSubject>;
  /** Checks that a request's release is held. @throws ApiFailure 409 `review-release-gone`, `review-not-ready` */
  checkReviewable(project: string, review: string): void;
  /** The release that was made for a request; undefined if it does not exist any more. */
  findReviewed(project: string, review: string): Release | undefined;
  /**
   * Makes exactly the release of a request current. The outcome is reported to the request later.
   * @param checkStill called before it becomes current; if it rejects, nothing becomes current
   * @throws ApiFailure 409 `review-release-gone`, `publishing`
   */
  publishReviewed(
    project: string,
    review: string,
    approved: { by: string; subject: ReviewSubject; checkStill(): Promise<void> },
  ): Promise<void>;
  /** Removes the release of a request, unless it is published. */
  discardReviewed(project: string, review: string): Promise<void>;
  /**
   * Opens a copy of the held release of a request, or finds the one that is open.
   * @throws ApiFailure 409 `review-release-gone`, `review-not-ready`; 502 `not-started`
   */
  tryReviewed(project: string, review: string): Promise<Trial>;
  /** Ends trials: those of a project, or all. */
  endTrials(project?: string): Promise<void>;
}

export function createReviewedReleases(
  parts: Pick<ReleaseParts, "driver" | "settingsOf"> & {
    projects: PublishableProjects;
    appsPostgres?: AppsPostgres | undefined;
    list: StoredMap<StoredPublication>;
    folderOf(project: string): string;
    requests?: PublishRequests | undefined;
    runtimes: PublicationRuntimes;
    releases: Releases;
    save(publication: StoredPublication): Promise<void>;
    now(): number;
    onNotice(error: Error): void;
  },
): ReviewedReleases {
  const { projects, list, runtimes, releases, save, now, onNotice } = parts;
  const trials = new Map<string, { project: string; trial: Promise<Trial>; end(): Promise<void> }>(); // prettier-ignore

  function find(project: string, review: string) {
    const publication = list.get(project);
    const release = publication?.releases.find((one) => one.review === review);
    return publication && release ? { publication, release } : undefined;
  }
  /** Finds the held release of a request. @throws ApiFailure 409 */
  function findHeld(project: string, review: string) {
    const found = find(project, review);
    if (found?.release.state === "held") return found;
    throw found?.release.state === "building"
      ? new ApiFailure(409, "review-not-ready", sentence("review-not-ready"))
      : new ApiFailure(409, "review-release-gone", sentence("review-release-gone"));
  }

  async function open(project: string, release: StoredRelease, signal: AbortSignal) {
    const folder = join(parts.folderOf(project), "releases", String(release.number));
    const { command } = release;
    if (command === undefined) return openSite(siteFolder(folder));
    const settings = await parts.settingsOf(project);
    const copy = await openReleaseCopy(parts, { project, release, folder, command, settings }, signal); // prettier-ignore
    if (typeof copy === "string")
      throw new ApiFailure(502, "not-started", sentence("trial-not-started"));
    const { workspace, port } = copy;
    return { port, connect: () => workspace.connect(port), stop: copy.stop };
  }

  function beginTrial(project: string, review: string, release: StoredRelease) {
    const ends = new AbortController();
    const ended = Promise.withResolvers<void>();
    const timer = setTimeout(() => void end(), TRIAL_MS).unref();
    const opening = open(project, release, ends.signal);
    async function end(): Promise<void> {
      clearTimeout(timer);
      ends.abort();
      if (trials.get(review)?.end === end) trials.delete(review);
      await opening.then(({ stop }) => stop()).catch(onNotice);
      ended.resolve();
    }
    const trial = opening.then(({ port, connect }) => ({
      connect,
      ports: () => [port],
      ended: ended.promise,
    }));
    // A trial that did not start can be tried again.
    trial.catch(() => trials.delete(review));
    trials.set(review, { project, trial, end });
    return trial;
  }
  const endTrial = async (review: string) => trials.get(review)?.end();

  async function discardReviewed(project: string, review: string): Promise<void> {
    await endTrial(review);
    const found = find(project, review);
    // A release that is being made is removed when it is held; the record of a failed one shows why.
    if (found?.release.state !== "held") return;
    const { publication, release } = found;
    publication.releases = publication.releases.filter((one) => one !== release);
    await (publication.releases.length === 0 ? list.remove(project) : save(publication));
    await releases.remove(project, release);
  }

  /** Held releases that were reported to their request. */
  const reported = new WeakSet<StoredRelease>();

  async function settled(project: string, release: StoredRelease): Promise<void> {
    const { review, state } = release;
    const { requests } = parts;
    if (review === undefined || !requests || state === "building") return;
    const requestState = await requests.stateOf(review);
    // The request is still being made, and asks for the report itself.
    if (requestState === undefined) return;
    if (state === "ready") return requests.settled(review);
    if (state === "failed")
      return requests.settled(
        review,
        new ReleaseFailure({ text: release.said ?? "", coded: release.saidCode }),
      );
    // The request was withdrawn meanwhile.
    if (requestState !== "requested") return discardReviewed(project, review);
    if (reported.has(release)) return;
    reported.add(release);
    await requests.ready(review);
  }

  return {
    settled,
    discardReviewed,
    heldForReview: () =>
      list
        .all()
        .flatMap(({ project, releases: all }) =>
          all.flatMap(({ state, review }) =>
            state === "held" && review !== undefined ? [{ project, review }] : [],
          ),
        ),
    async reportReviewed(project, review) {
      const release = find(project, review)?.release;
      if (release) await settled(project, release);
    },
    checkReviewable: (project, review) => void findHeld(project, review),
    findReviewed: (project, review) => find(project, review)?.release,
    async describeReviewed(project, review) {
      const { publication, release } = find(project, review)!;
      const { view } = await projects.get(project);
      const { number, revision, checkpoint } = release;
      const live = publication.releases.find((one) => one.number === publication.current);
      return {
        what: [],
        release: number,
        revision,
        checkpoint,
        before: live?.checkpoint,
        verdict: verdictOn(view, revision)?.verdict,
        checks: view.known
          .get(revision)
          ?.evidence?.checks?.map(({ name, state }) => ({ name, ok: state === "held" })),
      };
    },
    async publishReviewed(project, review, { by, subject, checkStill }) {
      const { publication, release } = findHeld(project, review);
      // Only the release that was reviewed may be published.
      if (release.revision !== subject.revision || release.number !== subject.release)
        throw new ApiFailure(409, "review-release-gone", sentence("review-release-gone"));
      runtimes.refuseIfBusy(project);
      // The trial's sandbox has the name that the release's own sandbox needs.
      await endTrial(review);
      runtimes.refuseIfBusy(project);
      release.state = "building";
      if (release.gate && isSerious(release.gate)) release.gate.decided = { at: now(), by };
      try {
        await releases.serveHeld(publication, release, checkStill);
      } catch (error) {
        release.state = "held";
        if (release.gate) release.gate.decided = undefined;
        throw error;
      }
    },
    async tryReviewed(project, review) {
      const { release } = findHeld(project, review);
      return trials.get(review)?.trial ?? beginTrial(project, review, release);
    },
    async endTrials(project) {
      const ending = [...trials].filter(([, one]) => project === undefined || one.project === project); // prettier-ignore
      await Promise.all(ending.map(([review]) => endTrial(review)));
    },
  };
}

/** Serves a site's files over connections that stay in this process. */
function openSite(folder: string) {
  const answer = serveSite(folder);
  const server = createServer((request, response) => void answer(request, response));
  return {
    // The usual port of a web server; only the gateway sees it.
    port: 80,
    async connect() {
      const [near, far] = duplexPair();
      server.emit("connection", far);
      return near as Duplex;
    },
    async stop() {
      server.closeAllConnections();
    },
  };
}
