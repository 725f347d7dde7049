import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { createReleaseSlot, type ReleaseServer, type ReleaseSlot } from "./release-slot.ts";
import type { StoredStatistics } from "./stored-publication.ts";
import { addError, type NewError } from "./seen-errors.ts";
import type { Awake } from "@treadle/workspace";

/** How long counters wait before they are saved, in milliseconds. Errors wait briefly, so that a flood is one write. */
const SAVE_DELAY_MS = { requests: 30_000, errors: 1_000 };

/** The runtime state of one publication. */
export interface PublicationRuntime {
  slot: ReleaseSlot;
  /** Number of requests since the server started. */
  requests: number;
  /** Counters and errors, persisted across restarts of the server. */
  seen: StoredStatistics;
  /** Whether a page has a policy that prevents reports. */
  isRefused: boolean;
}

/**
 * The runtime state of all publications: the current release's server, counters, and work in
 * progress.
 */
export interface PublicationRuntimes {
  /** Creates the state if there is none yet. */
  get(project: string): PublicationRuntime;
  /** The server of the current release. */
  current(project: string): ReleaseServer | undefined;
  onRequest(project: string): void;
  onRestart(project: string): void;
  onError(project: string, error: NewError): void;
  /** Restores the counters of the previous run. */
  restore(project: string, seen: StoredStatistics): void;
  /** Fails while the project is busy. @throws ApiFailure 409 `publishing` while a release is made or switched to */
  refuseIfBusy(project: string): void;
  /**
   * Runs `work`, which makes or switches a release. Nothing else can begin meanwhile, and `end`
   * aborts the signal.
   */
  begin(project: string, work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Like `begin`, but waits until no other work is in progress. */
  beginWhenIdle(project: string, work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Runs work that need not be the only one; it replaces earlier such work. Failures are reported as notices. */
  beginBeside(project: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Stops work in progress and puts the app to sleep; the next request wakes it. */
  end(project: string): Promise<void>;
  /** Like `end`, and removes the state: the next request finds no release. */
  forget(project: string): Promise<void>;
  /** Idle apps that have a sandbox, except this project's. */
  awake(besides: string): Awake[];
  /** Whether its app has a sandbox, or a release is being made or inspected. */
  isAwake(project: string): boolean;
  /** Puts apps to sleep that had no request for `idleMs` milliseconds. */
  sweep(idleMs: number): Promise<void>;
  close(): Promise<void>;
}

interface Work {
  ends: AbortController;
  done: Promise<void>;
}

export function createPublicationRuntimes(
  now: () => number,
  /** Saves the counters of a publication. */
  saveStatistics: (project: string, seen: StoredStatistics) => void,
  onNotice: (error: Error) => void,
): PublicationRuntimes {
  const all = new Map<string, PublicationRuntime>();
  const going = new Map<string, Work>();
  const besides = new Map<string, Work>();
  const keeping = new Map<string, { timer: NodeJS.Timeout; at: number }>();

  function saveNow(project: string): void {
    const soon = keeping.get(project);
    if (!soon) return;
    clearTimeout(soon.timer);
    keeping.delete(project);
    saveStatistics(project, get(project).seen);
  }

  function saveSoon(project: string, ms: number): void {
    const soon = keeping.get(project);
    const at = Date.now() + ms;
    if (soon && soon.at <= at) return;
    clearTimeout(soon?.timer);
    const timer = setTimeout(() => saveNow(project), ms).unref();
    keeping.set(project, { timer, at });
  }

  function get(project: string): PublicationRuntime {
    const known = all.get(project);
    if (known) return known;
    const made: PublicationRuntime = {
      slot: createReleaseSlot(),
      requests: 0,
      seen: { since: now(), requests: 0, restarts: 0, errors: 0, newest: [] },
      isRefused: false,
    };
    all.set(project, made);
    return made;
  }

  const openApps = () =>
    [...all].flatMap(([project, { slot }]) => {
      const answer = slot.current();
      return answer?.kind === "app" && answer.app.isOpen() ? [[project, answer.app] as const] : [];
    });

  async function end(project: string): Promise<void> {
    const works = [going.get(project), besides.get(project)];
    for (const work of works) work?.ends.abort();
    // The caller that began the work receives its error.
    await Promise.allSettled(works.map((work) => work?.done));
    const answer = all.get(project)?.slot.current();
    if (answer?.kind === "app") await answer.app.sleep();
    saveNow(project);
  }

  function begin(project: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const ends = new AbortController();
    const done = work(ends.signal).finally(() => going.delete(project));
    going.set(project, { ends, done });
    return done;
  }

  return {
    get,
    current: (project) => all.get(project)?.slot.current(),
    onRequest(project) {
      const runtime = get(project);
      runtime.requests++;
      runtime.seen.requests++;
      saveSoon(project, SAVE_DELAY_MS.requests);
    },
    onRestart(project) {
      get(project).seen.restarts++;
      saveSoon(project, SAVE_DELAY_MS.errors);
    },
    onError(project, error) {
      addError(get(project).seen, error, now());
      saveSoon(project, SAVE_DELAY_MS.errors);
    },
    restore(project, seen) {
      get(project).seen = structuredClone(seen);
    },
    refuseIfBusy(project) {
      if (going.has(project)) throw new ApiFailure(409, "publishing", sentence("publish-going"));
    },
    begin,
    async beginWhenIdle(project, work) {
      for (let before; (before = going.get(project));) await before.done.catch(() => undefined);
      return begin(project, work);
    },
    beginBeside(project, work) {
      // The result of an earlier inspection is obsolete.
      const before = besides.get(project);
      before?.ends.abort();
      const ends = new AbortController();
      const own: Work = { ends, done: Promise.resolve() };
      besides.set(project, own);
      own.done = (async () => {
        await before?.done;
        if (!ends.signal.aborted) await work(ends.signal);
      })()
        .catch(onNotice)
        .finally(() => {
          if (besides.get(project) === own) besides.delete(project);
        });
    },
    end,
    async forget(project) {
      const answer = all.get(project)?.slot.current();
      all.get(project)?.slot.put(undefined);
      await end(project);
      if (answer?.kind === "app") await answer.app.sleep();
      clearTimeout(keeping.get(project)?.timer);
      keeping.delete(project);
      all.delete(project);
    },
    awake: (besides) =>
      openApps().flatMap(([project, app]) =>
        project === besides || going.has(project) ? [] : [app],
      ),
    isAwake: (project) =>
      going.has(project) || besides.has(project) || openApps().some(([one]) => one === project),
    async sweep(idleMs) {
      for (const [, app] of openApps()) if (now() - app.usedAt() > idleMs) await app.sleep();
    },
    async close() {
      await Promise.all([...all.keys()].map(end));
    },
  };
}
