import { ApiFailure } from "@treadle/common";
import { createAnswers, type Answering, type Answers } from "./answering.ts";
import type { KeptSeen } from "./kept-publication.ts";
import { addError, type NewError } from "./seen-errors.ts";
import type { Awake } from "@treadle/workspace";

/** What was counted is kept so much later, in milliseconds; errors at once, but for a flood of them. */
const KEEP_MS = { requests: 30_000, errors: 1_000 };

/** What goes on in one publication. */
export interface Live {
  answers: Answers;
  /** Since the server started. */
  requests: number;
  /** Kept over a restart. */
  seen: KeptSeen;
  /** A page has a policy that lets it tell nothing. */
  isRefused: boolean;
}

/** Publications while they are answered with. */
export interface LivePublications {
  /** Made where it is not there. */
  get(project: string): Live;
  /** What is answered with now. */
  current(project: string): Answering | undefined;
  onRequest(project: string): void;
  onRestart(project: string): void;
  onError(project: string, error: NewError): void;
  /** What was seen before the server started. */
  restore(project: string, seen: KeptSeen): void;
  /** @throws ApiFailure 409 `publishing` while a release is made, or brought */
  refuseGoing(project: string): void;
  /** Makes or brings a release: nothing else is begun meanwhile, and `end` aborts the signal. */
  begin(project: string, work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** The same once nothing else goes on. */
  afterwards(project: string, work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** The same for what may go on beside all else. Why it failed is told, and it does not reject. */
  beside(project: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Stops what goes on, and puts the app to sleep; the next request wakes it. */
  end(project: string): Promise<void>;
  /** The same, and the next request finds nothing. */
  forget(project: string): Promise<void>;
  /** Apps that have a sandbox and that nothing is done with, but this project's. */
  awake(besides: string): Awake[];
  /** Puts to sleep what nobody asked for `idleMs`. */
  sweep(idleMs: number): Promise<void>;
  close(): Promise<void>;
}

interface Work {
  ends: AbortController;
  done: Promise<void>;
}

export function createLivePublications(
  now: () => number,
  /** Keeps what was seen. */
  keepSeen: (project: string, seen: KeptSeen) => void,
  onNotice: (error: Error) => void,
): LivePublications {
  const all = new Map<string, Live>();
  const going = new Map<string, Work>();
  const besides = new Map<string, Work>();
  const keeping = new Map<string, { timer: NodeJS.Timeout; at: number }>();

  function keepNow(project: string): void {
    const soon = keeping.get(project);
    if (!soon) return;
    clearTimeout(soon.timer);
    keeping.delete(project);
    keepSeen(project, get(project).seen);
  }

  function keepSoon(project: string, ms: number): void {
    const soon = keeping.get(project);
    const at = Date.now() + ms;
    if (soon && soon.at <= at) return;
    clearTimeout(soon?.timer);
    const timer = setTimeout(() => keepNow(project), ms).unref();
    keeping.set(project, { timer, at });
  }

  function get(project: string): Live {
    const known = all.get(project);
    if (known) return known;
    const made: Live = {
      answers: createAnswers(),
      requests: 0,
      seen: { since: now(), requests: 0, restarts: 0, errors: 0, newest: [] },
      isRefused: false,
    };
    all.set(project, made);
    return made;
  }

  const openApps = () =>
    [...all].flatMap(([project, { answers }]) => {
      const answer = answers.current();
      return answer?.kind === "app" && answer.app.isOpen() ? [[project, answer.app] as const] : [];
    });

  async function end(project: string): Promise<void> {
    const works = [going.get(project), besides.get(project)];
    for (const work of works) work?.ends.abort();
    // Why it failed is told to whoever began it.
    await Promise.allSettled(works.map((work) => work?.done));
    const answer = all.get(project)?.answers.current();
    if (answer?.kind === "app") await answer.app.sleep();
    keepNow(project);
  }

  function begin(project: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const ends = new AbortController();
    const done = work(ends.signal).finally(() => going.delete(project));
    going.set(project, { ends, done });
    return done;
  }

  return {
    get,
    current: (project) => all.get(project)?.answers.current(),
    onRequest(project) {
      const live = get(project);
      live.requests++;
      live.seen.requests++;
      keepSoon(project, KEEP_MS.requests);
    },
    onRestart(project) {
      get(project).seen.restarts++;
      keepSoon(project, KEEP_MS.errors);
    },
    onError(project, error) {
      addError(get(project).seen, error, now());
      keepSoon(project, KEEP_MS.errors);
    },
    restore(project, seen) {
      get(project).seen = structuredClone(seen);
    },
    refuseGoing(project) {
      if (going.has(project))
        throw new ApiFailure(409, "publishing", "It is already being published.");
    },
    begin,
    async afterwards(project, work) {
      for (let before; (before = going.get(project));) await before.done.catch(() => undefined);
      return begin(project, work);
    },
    beside(project, work) {
      // What was looked at before is of no more interest.
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
      const answer = all.get(project)?.answers.current();
      all.get(project)?.answers.put(undefined);
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
    async sweep(idleMs) {
      for (const [, app] of openApps()) if (now() - app.usedAt() > idleMs) await app.sleep();
    },
    async close() {
      await Promise.all([...all.keys()].map(end));
    },
  };
}
