import { join } from "node:path";
import type { Release } from "@treadle/protocol";
import { removeTree } from "@treadle/workspace";
import { ApiFailure } from "@treadle/common";
import type { Inspection, Look } from "@treadle/browser";
import type { Ask } from "../gate/ask.ts";
import { checkCandidate } from "../gate/check-candidate.ts";
import { checkDrawn } from "../gate/check-drawn.ts";
import { OthersDatabase, usesPostgres } from "@treadle/app-database";
import type { AppsPostgres } from "@treadle/app-database";
import { isSerious, withFound } from "../gate/gate-of.ts";
import type { PublishableProjects } from "./publishable-project.ts";
import type { Answering } from "./answering.ts";
import { appData, keepFilesStarted } from "./app-data.ts";
import { askOf, entered, entryOf } from "./ask-release.ts";
import { bring } from "./bring.ts";
import type { KeptPublication, KeptRelease } from "./kept-publication.ts";
import type { LivePublications } from "./live-publications.ts";
import {
  makeRelease,
  openRelease,
  sandboxName,
  siteFolder,
  type ReleaseParts,
} from "./make-release.ts";
import { ReleaseFailure } from "./release-failure.ts";
import type { ReleaseLogs } from "./release-logs.ts";
import { createReleasedApp, type ReleasedApp, type ReleaseDatabase } from "./released-app.ts";
import { serveSite } from "./serve-site.ts";
import { tryAccounts } from "./try-accounts.ts";

/** Releases that are kept besides the one that is answered with. */
const KEPT = 4;

/** A page that takes longer to come to rest is answered with before it was seen, in milliseconds. */
const SEEN_MS = 20_000;

/** Looks at the first page of a release with our own browser. */
export type InspectCandidate = (
  project: string,
  answering: Answering,
  look: Pick<Look, "hosts" | "staticHosts" | "signal">,
) => Promise<Inspection>;

/** What a release is made, or brought back, with. */
interface Work {
  signal: AbortSignal;
  /** Writes down that it answers from now on, before it does. */
  record(): Promise<void>;
}

/** The releases of publications: made, looked over, answered with and thinned. */
export interface Releases {
  /** What answers for one that was made; an app of it sleeps. */
  answering(project: string, release: KeptRelease): Answering;
  /**
   * Makes it, and answers with it unless something serious is found in it. Resolves when it is kept that it was begun; what
   * comes of it is kept later. Rejects where that cannot be kept, and nothing was begun.
   */
  make(
    publication: KeptPublication,
    release: KeptRelease,
    anyway: string | undefined,
  ): Promise<void>;
  /** Answers with one that is held; the same holds for it. */
  letGo(publication: KeptPublication, release: KeptRelease): Promise<void>;
  /** Answers with one that was made before, and with its data as it was left. @throws ApiFailure 502 `not-started` */
  goBack(publication: KeptPublication, release: KeptRelease): Promise<void>;
  /** Its files, its log and its database; its record stays. */
  remove(project: string, release: KeptRelease): Promise<void>;
}

export function createReleases(
  parts: ReleaseParts & {
    projects: PublishableProjects;
    appsPostgres?: AppsPostgres | undefined;
    folderOf(project: string): string;
    logs: ReleaseLogs;
    /** Whether its pages tell what goes wrong in visitors' browsers. */
    isReporting(project: string): boolean;
    save(publication: KeptPublication): Promise<void>;
    /** Looks at a page as it is drawn; absent where there is no browser. */
    inspect?: InspectCandidate | undefined;
    now(): number;
    onNotice(text: string): void;
  },
  live: LivePublications,
): Releases {
  const { projects, save, now, appsPostgres } = parts;
  const folderOf = (project: string, { number }: Pick<Release, "number">) =>
    join(parts.folderOf(project), "releases", String(number));

  /** One for each release: who goes back to one that still answers somebody finds its app running. */
  const all = new WeakMap<KeptRelease, Answering>();
  /** Those that a browser has looked at. */
  const seen = new WeakSet<Answering>();

  function answering(project: string, release: KeptRelease): Answering {
    const known = all.get(release) ?? newAnswering(project, release);
    all.set(release, known);
    return known;
  }

  function newAnswering(project: string, release: KeptRelease): Answering {
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
    const app = createReleasedApp({
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
        if (live.current(project)?.release !== number) return;
        live.onError(project, { release: number, kind: "limit", text });
      },
      onCrash: (text, stack) => {
        parts.logs.open(project, number).add(`${text}\n`);
        // One that nobody was answered with yet fails to be published instead.
        if (live.current(project)?.release !== number) return;
        live.onError(project, { release: number, kind: "crash", text, stack });
        live.onRestart(project);
      },
    });
    return { release: number, kind: "app", app, entry: release.entry };
  }

  const databaseOf = (sandbox: string): ReleaseDatabase | undefined =>
    appsPostgres && {
      sandbox,
      // Where it cannot be asked, an app without it is published all the same.
      has: async (workspace) =>
        (await usesPostgres(workspace)) &&
        (await appsPostgres.has(sandbox).catch(failed("asked for"))),
      takeFrom: (other) => appsPostgres.copy(other, sandbox).catch(failed("copied")),
    };

  /** PostgreSQL's own words are for whom the server belongs to: they may say where it is. */
  const failed = (how: string) => (error: Error) => {
    parts.onNotice(error.message);
    throw new ReleaseFailure(
      error instanceof OthersDatabase
        ? error.message
        : `The data in PostgreSQL could not be ${how}.`,
    );
  };

  const answerWith = (
    project: string,
    next: Answering,
    how: Pick<Parameters<typeof bring>[2], "dataOf" | "signal" | "record">,
  ) =>
    bring(live.get(project).answers, next, {
      ...how,
      onNotice: (error) => parts.onNotice(error.message),
    });

  /** Writes down that a release answers from now on. Where that fails, the publication is as it was. */
  async function recordCurrent(
    publication: KeptPublication,
    release: KeptRelease,
    ms = release.ms,
  ): Promise<void> {
    const [before, wasCurrent, wasName] = [{ ...release }, publication.current, publication.name];
    Object.assign(release, { state: "ready", said: undefined, ms, name: undefined });
    publication.current = release.number;
    publication.name = before.name ?? publication.name;
    try {
      await save(publication);
    } catch (error) {
      const { state, said: progress, name } = before;
      Object.assign(release, { state, said: progress, ms: before.ms, name });
      Object.assign(publication, { current: wasCurrent, name: wasName });
      throw error;
    }
  }

  /** The app whose data is the newest: the one that is answered with, or the last one before there was a site in its place. */
  function newestData({ project, releases }: KeptPublication): ReleasedApp | undefined {
    const last = releases.findLast(
      ({ state, command }) => state === "ready" && command !== undefined,
    );
    const found = [live.current(project), last && answering(project, last)];
    return found.find((one) => one?.kind === "app")?.app;
  }

  async function makeAndLookOver(
    publication: KeptPublication,
    release: KeptRelease,
    { anyway, signal, record }: Work & { anyway: string | undefined },
  ): Promise<void> {
    const { project } = publication;
    const published = await projects.get(project);
    const source = await published.workspace();
    // The first page is looked at last.
    const shown = published.view.evidence?.pages.at(-1)?.path;
    const folder = folderOf(project, release);
    // What an earlier release of that number left there: one that was taken down while the server was not reached. Before its
    // sandbox is open: whoever is in there then is let into no database any more.
    if (appsPostgres && (await usesPostgres(source)))
      await appsPostgres.remove(sandboxName(project, release)).catch(failed("made anew"));
    const { command, databaseFile, isBuilt, wishes, looked } = await makeRelease(
      parts,
      { project, release, source, folder },
      { signal, onSaid: (progress) => (release.said = progress) },
    );
    const { jobs, limits, firstPageMB } = wishes;
    const kind = command === undefined ? "site" : "app";
    Object.assign(release, { command, databaseFile, jobs, limits, kind });
    const next = answering(project, release);
    // Before it is started for the first time, and while nobody's data is in it.
    if (command !== undefined) {
      const { sources } = looked;
      const ownedRows = await tryAccounts(
        parts,
        { project, release, folder, command, sources },
        signal,
      );
      looked.gate = withFound(looked.gate, ownedRows);
    }
    release.said = "It is started";
    try {
      const isApp = next.kind === "app";
      const asked = await askOf(next, siteFolder(folder));
      if (isApp) release.entry = next.entry = await entryOf(asked, shown);
      const ask = entered(asked, release.entry);
      let gate = await checkCandidate(ask, { ...looked, isApp, firstPageMB, signal });
      // What a build wrote is not what was verified: nobody gets it before it was seen. Else the same files are served.
      if (isBuilt) {
        const soon = AbortSignal.any([signal, AbortSignal.timeout(SEEN_MS)]);
        const drawn = await drawnOf(project, next, ask, soon);
        signal.throwIfAborted();
        if (drawn) gate = withFound(gate, drawn);
      }
      release.gate = gate;
      if (next.kind === "app") await keepFilesStarted(await next.app.workspace(), folder);
      if (isSerious(gate)) {
        if (anyway === undefined) {
          if (next.kind === "app") await next.app.sleep();
          Object.assign(release, { state: "held", said: undefined });
          return;
        }
        gate.decided = { at: now(), by: anyway };
      }
      await answerWith(project, next, { dataOf: newestData(publication), signal, record });
    } catch (error) {
      if (next.kind === "app") await next.app.sleep();
      throw error;
    }
  }

  async function removeRelease(project: string, release: KeptRelease): Promise<void> {
    await parts.logs.forget(project, release.number);
    await appsPostgres
      ?.remove(sandboxName(project, release))
      .catch((error: Error) => parts.onNotice(error.message));
    await removeTree(folderOf(project, release)).catch((error: Error) =>
      parts.onNotice(error.message),
    );
  }

  /** Keeps what comes of a release; where it fails, nothing of it is left but why. */
  function settle(
    publication: KeptPublication,
    release: KeptRelease,
    work: (how: Work) => Promise<void>,
  ): Promise<void> {
    const begun = save(publication);
    const done = live.begin(publication.project, async (signal) => {
      // Of what a full disk does not know of nothing would be found again.
      await begun;
      const began = now();
      const record = () => recordCurrent(publication, release, release.ms ?? now() - began);
      try {
        await work({ signal, record });
        release.ms ??= now() - began;
      } catch (error) {
        const output = error instanceof ReleaseFailure ? error.output : undefined;
        const reason = signal.aborted ? "It was stopped." : (error as Error).message;
        await removeRelease(publication.project, release);
        Object.assign(release, { state: "failed", said: reason, output });
      }
      const gone = thin(publication);
      if (release.state === "ready") lookAt(publication, release);
      await save(publication);
      // What the record still names is there.
      for (const one of gone) await removeRelease(publication.project, one);
    });
    Promise.all([begun, done]).catch((error: Error) => parts.onNotice(error.message));
    return begun;
  }

  /** Undefined where it was ended before it had seen all. */
  async function drawnOf(project: string, answer: Answering, ask: Ask, signal: AbortSignal) {
    const { inspect } = parts;
    const { hosts, staticHosts } = await parts.settingsOf(project);
    const look = inspect && (() => inspect(project, answer, { hosts, staticHosts, signal }));
    const drawn = await checkDrawn(look, ask);
    if (signal.aborted) return undefined;
    seen.add(answer);
    return drawn;
  }

  /** What a browser sees of it is told when it is seen: those who use it do not wait for that. */
  function lookAt(publication: KeptPublication, release: KeptRelease): void {
    const { project } = publication;
    const { gate } = release;
    const answer = live.current(project);
    if (!gate || !answer || seen.has(answer)) return;
    gate.looking = true;
    live.beside(project, async (signal) => {
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

  /** The newest stay, and the one that is answered with. @returns those that go */
  function thin(publication: KeptPublication): Set<KeptRelease> {
    const others = publication.releases.filter(({ number }) => number !== publication.current);
    // Those that failed have nothing to go back to: they push out none that has.
    const failed = others.filter(({ state }) => state === "failed");
    const made = others.filter(({ state }) => state !== "failed");
    const gone = new Set([failed, made].flatMap((one) => one.slice(0, -KEPT)));
    publication.releases = publication.releases.filter((release) => !gone.has(release));
    return gone;
  }

  return {
    answering,
    remove: removeRelease,
    make: (publication, release, anyway) =>
      settle(publication, release, (how) =>
        makeAndLookOver(publication, release, { anyway, ...how }),
      ),
    letGo: (publication, release) =>
      settle(publication, release, async (how) => {
        release.said = "It is started";
        const next = answering(publication.project, release);
        await answerWith(publication.project, next, { dataOf: newestData(publication), ...how });
      }),
    goBack: (publication, release) =>
      live.begin(publication.project, async (signal) => {
        let unrecorded: unknown;
        const record = () =>
          recordCurrent(publication, release).catch((error: unknown) => {
            unrecorded = error;
            throw error;
          });
        const next = answering(publication.project, release);
        await answerWith(publication.project, next, { dataOf: undefined, signal, record }).catch(
          (error: Error) => {
            if (unrecorded !== undefined) throw unrecorded;
            throw new ApiFailure(
              502,
              "not-started",
              `That release could not be started: ${error.message} What was published before stays.`,
            );
          },
        );
      }),
  };
}
