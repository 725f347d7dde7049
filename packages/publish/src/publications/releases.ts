import { sentence, type Sentence, errorSentence } from "@treadle/protocol/sentences";
import { join } from "node:path";
import type { Release } from "@treadle/protocol";
import { removeTree } from "@treadle/workspace";
import { ApiFailure } from "@treadle/common";
import type { Inspection, Look } from "@treadle/browser";
import type { Ask } from "../gate/strangers/ask.ts";
import { checkRelease } from "../gate/check-release.ts";
import { checkDrawn } from "../gate/strangers/check-drawn.ts";
import { OthersDatabase, usesPostgres } from "@treadle/app-database";
import type { AppsPostgres } from "@treadle/app-database";
import { isSerious, withFound } from "../gate/gate-of.ts";
import type { PublishableProjects } from "./publishable-project.ts";
import type { ReleaseServer } from "./release-slot.ts";
import { appData, keepFilesStarted } from "./app-data.ts";
import { askOf, entered, entryOf } from "./ask-release.ts";
import { switchRelease } from "./switch-release.ts";
import type { StoredPublication, StoredRelease } from "./stored-publication.ts";
import type { PublicationRuntimes } from "./publication-runtimes.ts";
import {
  makeRelease,
  openRelease,
  sandboxName,
  siteFolder,
  type ReleaseParts,
} from "./make-release.ts";
import { ReleaseFailure } from "./release-failure.ts";
import type { ReleaseLogs } from "./release-logs.ts";
import { createReleaseApp, type ReleaseApp, type ReleaseDatabase } from "./release-app.ts";
import { serveSite } from "./serve-site.ts";
import { tryAccounts } from "./try-accounts.ts";

/** Releases that are retained besides the current one. */
const RETAINED = 4;

/** How long the inspection of a page may delay its release, in milliseconds. */
const SEEN_MS = 20_000;

/** Inspects the first page of a release with our own browser. */
export type InspectRelease = (
  project: string,
  releaseServer: ReleaseServer,
  look: Pick<Look, "hosts" | "staticHosts" | "signal">,
) => Promise<Inspection>;

/** Passed to work that makes or switches a release. */
interface Work {
  signal: AbortSignal;
  /** Records the release as current, before it serves anybody. */
  record(): Promise<void>;
}

/** Makes, checks, switches and thins the releases of publications. */
export interface Releases {
  /** The server of a release that was made; its app sleeps. */
  releaseServer(project: string, release: StoredRelease): ReleaseServer;
  /**
   * Makes a release, and switches to it unless something serious is found in it. Resolves once the beginning is recorded;
   * the outcome is recorded later. Rejects if the beginning cannot be recorded, and then nothing was begun.
   */
  make(
    publication: StoredPublication,
    release: StoredRelease,
    anyway: string | undefined,
  ): Promise<void>;
  /**
   * Switches to a held release. Resolves and rejects as `make` does.
   * @param checkStill called before it is recorded as current; if it rejects, nothing becomes current
   */
  serveHeld(
    publication: StoredPublication,
    release: StoredRelease,
    checkStill?: () => Promise<void>,
  ): Promise<void>;
  /** Switches to an earlier release, with the data that it had. @throws ApiFailure 502 `not-started` */
  rollBack(publication: StoredPublication, release: StoredRelease): Promise<void>;
  /** Removes a release's files, log and database; its record stays. */
  remove(project: string, release: StoredRelease): Promise<void>;
}

export function createReleases(
  parts: ReleaseParts & {
    projects: PublishableProjects;
    appsPostgres?: AppsPostgres | undefined;
    folderOf(project: string): string;
    logs: ReleaseLogs;
    /** Whether the app's pages report errors in visitors' browsers. */
    isReporting(project: string): boolean;
    save(publication: StoredPublication): Promise<void>;
    /** Called when a release that was made or switched to is `ready`, `held` or `failed`, and recorded. */
    onSettled(project: string, release: StoredRelease): void;
    /** Absent if there is no browser. */
    inspect?: InspectRelease | undefined;
    now(): number;
    onNotice(text: string): void;
  },
  runtimes: PublicationRuntimes,
): Releases {
  const { projects, save, now, appsPostgres } = parts;
  const folderOf = (project: string, { number }: Pick<Release, "number">) =>
    join(parts.folderOf(project), "releases", String(number));

  /** One for each release: rolling back to a release that still serves a request finds its app running. */
  const all = new WeakMap<StoredRelease, ReleaseServer>();
  /** Servers whose first page was inspected. */
  const seen = new WeakSet<ReleaseServer>();

  function releaseServer(project: string, release: StoredRelease): ReleaseServer {
    const known = all.get(release) ?? createServer(project, release);
    all.set(release, known);
    return known;
  }

  function createServer(project: string, release: StoredRelease): ReleaseServer {
    const { number, command, databaseFile } = release;
    const folder = folderOf(project, release);
    if (command === undefined)
      return {
        release: number,
        kind: "site",
        answer: serveSite(siteFolder(folder), () =>
          parts.isReporting(project) ? number : undefined,
        ),
      };
    const app = createReleaseApp({
      command,
      now,
      settings: () => parts.settingsOf(project, release),
      open: (settings) =>
        openRelease(parts, project, release, {
          folder,
          settings,
          isPublished: true,
          limits: release.limits,
        }),
      dataOf: (workspace) => appData(workspace, folder),
      databaseFile,
      database: databaseOf(sandboxName(project, release)),
      onOutput: parts.logs.open(project, number).add,
      onLimit(text) {
        if (runtimes.current(project)?.release !== number) return;
        runtimes.onError(project, { release: number, kind: "limit", text });
      },
      onCrash: (text, stack) => {
        parts.logs.open(project, number).add(`${text}\n`);
        // A release that was never current fails to be published instead.
        if (runtimes.current(project)?.release !== number) return;
        runtimes.onError(project, { release: number, kind: "crash", text, stack });
        runtimes.onRestart(project);
      },
    });
    return { release: number, kind: "app", app, entry: release.entry };
  }

  const databaseOf = (sandbox: string): ReleaseDatabase | undefined =>
    appsPostgres && {
      sandbox,
      // If PostgreSQL cannot be queried, the app is published without it.
      has: async (workspace) =>
        (await usesPostgres(workspace)) && (await appsPostgres.has(sandbox).catch(failed("asked"))),
      takeFrom: (other) => appsPostgres.copy(other, sandbox).catch(failed("copied")),
    };

  /** PostgreSQL's own message may reveal the server's address, so it is only for the operator. */
  const failed = (step: "asked" | "copied" | "remade") => (error: Error) => {
    parts.onNotice(error.message);
    throw new ReleaseFailure(
      error instanceof OthersDatabase ? error.sentence : sentence("release-data-failed", { step }),
    );
  };

  const switchTo = (
    project: string,
    next: ReleaseServer,
    how: Pick<Parameters<typeof switchRelease>[2], "dataOf" | "signal" | "record">,
  ) =>
    switchRelease(runtimes.get(project).slot, next, {
      ...how,
      onNotice: (error) => parts.onNotice(error.message),
    });

  /** Records a release as current. If that fails, the publication is left unchanged. */
  async function recordCurrent(
    publication: StoredPublication,
    release: StoredRelease,
    ms = release.ms,
  ): Promise<void> {
    const [before, wasCurrent, wasName] = [{ ...release }, publication.current, publication.name];
    Object.assign(release, {
      state: "ready",
      said: undefined,
      saidCode: undefined,
      ms,
      name: undefined,
    });
    publication.current = release.number;
    publication.name = before.name ?? publication.name;
    try {
      await save(publication);
    } catch (error) {
      const { state, ms, name } = before;
      Object.assign(release, { state, ms, name, said: before.said, saidCode: before.saidCode });
      Object.assign(publication, { current: wasCurrent, name: wasName });
      throw error;
    }
  }

  /**
   * The app with the newest data: the current release's, or the last one before a site replaced it.
   */
  function newestData({ project, releases }: StoredPublication): ReleaseApp | undefined {
    const last = releases.findLast(
      ({ state, command }) => state === "ready" && command !== undefined,
    );
    const found = [runtimes.current(project), last && releaseServer(project, last)];
    return found.find((one) => one?.kind === "app")?.app;
  }

  async function makeAndCheck(
    publication: StoredPublication,
    release: StoredRelease,
    { anyway, signal, record }: Work & { anyway: string | undefined },
  ): Promise<void> {
    const { project } = publication;
    const published = await projects.get(project);
    const source = await published.workspace();
    // The first page is observed last.
    const shown = published.view.evidence?.pages.at(-1)?.path;
    const folder = folderOf(project, release);
    // Removes a leftover of an earlier release with that number, which was taken down while the
    // server was unreachable. Done before its sandbox opens, since its processes lose their
    // database access.
    if (appsPostgres && (await usesPostgres(source)))
      await appsPostgres.remove(sandboxName(project, release)).catch(failed("remade"));
    const { command, databaseFile, isBuilt, wishes, looked } = await makeRelease(
      parts,
      { project, release, source, folder },
      { signal, onProgress: (progress) => report(release, progress) },
    );
    const { jobs, limits, firstPageMB } = wishes;
    const kind = command === undefined ? "site" : "app";
    Object.assign(release, { command, databaseFile, jobs, limits, kind });
    const next = releaseServer(project, release);
    // This runs before the app's first start, while it contains no visitors' data.
    if (command !== undefined) {
      const { sources } = looked;
      const ownedRows = await tryAccounts(
        parts,
        { project, release, folder, command, sources },
        signal,
      );
      looked.gate = withFound(looked.gate, ownedRows);
    }
    report(release, sentence("release-starting"));
    try {
      const isApp = next.kind === "app";
      const asked = await askOf(next, siteFolder(folder));
      if (isApp) release.entry = next.entry = await entryOf(asked, shown);
      const ask = entered(asked, release.entry);
      let gate = await checkRelease(ask, { ...looked, isApp, firstPageMB, signal });
      // Build output differs from the verified files, so it is inspected before it is public.
      // Otherwise the same files are served.
      if (isBuilt) {
        const soon = AbortSignal.any([signal, AbortSignal.timeout(SEEN_MS)]);
        const drawn = await drawnOf(project, next, ask, soon);
        signal.throwIfAborted();
        if (drawn) gate = withFound(gate, drawn);
      }
      release.gate = gate;
      if (next.kind === "app") await keepFilesStarted(await next.app.workspace(), folder);
      const isHeld = release.review !== undefined || (isSerious(gate) && anyway === undefined);
      if (isHeld) {
        if (next.kind === "app") await next.app.sleep();
        Object.assign(release, { state: "held", said: undefined, saidCode: undefined });
        return;
      }
      if (anyway !== undefined && isSerious(gate)) gate.decided = { at: now(), by: anyway };
      await switchTo(project, next, { dataOf: newestData(publication), signal, record });
    } catch (error) {
      if (next.kind === "app") await next.app.sleep();
      throw error;
    }
  }

  async function removeRelease(project: string, release: StoredRelease): Promise<void> {
    await parts.logs.forget(project, release.number);
    await appsPostgres
      ?.remove(sandboxName(project, release))
      .catch((error: Error) => parts.onNotice(error.message));
    await removeTree(folderOf(project, release)).catch((error: Error) =>
      parts.onNotice(error.message),
    );
  }

  /**
   * Runs `work` and records its outcome. A failed release leaves only its record with the reason.
   */
  function settle(
    publication: StoredPublication,
    release: StoredRelease,
    work: (how: Work) => Promise<void>,
  ): Promise<void> {
    const begun = save(publication);
    const done = runtimes.begin(publication.project, async (signal) => {
      // If the disk is full and nothing is recorded, the release could not be found again.
      await begun;
      const began = now();
      const record = () => recordCurrent(publication, release, release.ms ?? now() - began);
      try {
        await work({ signal, record });
        release.ms ??= now() - began;
      } catch (error) {
        const output = error instanceof ReleaseFailure ? error.output : undefined;
        const reason = signal.aborted ? sentence("release-stopped") : errorSentence(error);
        await removeRelease(publication.project, release);
        Object.assign(release, { state: "failed", output });
        report(release, reason);
      }
      const gone = thin(publication);
      if (release.state === "ready") inspectLater(publication, release);
      await save(publication);
      // Files are removed only after that: whatever the stored record names must exist.
      for (const one of gone) await removeRelease(publication.project, one);
    });
    void done.then(
      () => parts.onSettled(publication.project, release),
      () => undefined,
    );
    Promise.all([begun, done]).catch((error: Error) => parts.onNotice(error.message));
    return begun;
  }

  /** Inspects the first page in a browser and returns the findings; undefined if the signal aborted that. */
  async function drawnOf(project: string, answer: ReleaseServer, ask: Ask, signal: AbortSignal) {
    const { inspect } = parts;
    const { hosts, staticHosts } = await parts.settingsOf(project);
    const look = inspect && (() => inspect(project, answer, { hosts, staticHosts, signal }));
    const drawn = await checkDrawn(look, ask);
    if (signal.aborted) return undefined;
    seen.add(answer);
    return drawn;
  }

  /** Inspects the current release in the background, so that visitors do not wait. */
  function inspectLater(publication: StoredPublication, release: StoredRelease): void {
    const { project } = publication;
    const { gate } = release;
    const answer = runtimes.current(project);
    if (!gate || !answer || seen.has(answer)) return;
    gate.looking = true;
    runtimes.beginBeside(project, async (signal) => {
      const ask = entered(
        await askOf(answer, siteFolder(folderOf(project, release))),
        release.entry,
      );
      const drawn = await drawnOf(project, answer, ask, signal);
      if (!drawn) return;
      const { looking: _over, ...rest } = gate;
      release.gate = withFound(rest, drawn);
      await save(publication);
    });
  }

  /**
   * Drops all but the newest releases and the current one.
   * @returns the dropped ones
   */
  function thin(publication: StoredPublication): Set<StoredRelease> {
    const others = publication.releases.filter(({ number }) => number !== publication.current);
    // Failed releases cannot be rolled back to, so they never push out a good one.
    const failed = others.filter(({ state }) => state === "failed");
    // A release that waits for a second person is removed with its request.
    const made = others.filter(({ state, review }) => state === "ready" || (state !== "failed" && review === undefined)); // prettier-ignore
    const gone = new Set([failed, made].flatMap((one) => one.slice(0, -RETAINED)));
    publication.releases = publication.releases.filter((release) => !gone.has(release));
    return gone;
  }

  return {
    releaseServer,
    remove: removeRelease,
    make: (publication, release, anyway) =>
      settle(publication, release, (how) => makeAndCheck(publication, release, { anyway, ...how })),
    serveHeld: (publication, release, checkStill) =>
      settle(publication, release, async ({ signal, record }) => {
        report(release, sentence("release-starting"));
        await switchTo(publication.project, releaseServer(publication.project, release), {
          dataOf: newestData(publication),
          signal,
          async record() {
            await checkStill?.();
            await record();
          },
        });
      }),
    rollBack: (publication, release) =>
      runtimes.begin(publication.project, async (signal) => {
        let unrecorded: unknown;
        const record = () =>
          recordCurrent(publication, release).catch((error: unknown) => {
            unrecorded = error;
            throw error;
          });
        const next = releaseServer(publication.project, release);
        await switchTo(publication.project, next, { dataOf: undefined, signal, record }).catch(
          (error: Error) => {
            if (unrecorded !== undefined) throw unrecorded;
            throw new ApiFailure(
              502,
              "not-started",
              sentence("release-not-started", { why: errorSentence(error) }),
            );
          },
        );
      }),
  };
}

/** Records the progress of a release, or why it failed. */
function report(release: StoredRelease, { text, coded }: Sentence): void {
  Object.assign(release, { said: text, saidCode: coded });
}
