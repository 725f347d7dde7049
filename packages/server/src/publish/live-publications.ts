import type { AppError } from "@treadle/protocol";
import { ApiFailure } from "../common/api-failure.ts";
import { createAnswers, type Answering, type Answers } from "./answering.ts";

/** Errors that are told, the newest. */
const ERRORS = 20;

/** What goes on in one publication; none of it is kept over a restart. */
export interface Live {
  answers: Answers;
  requests: number;
  /** The newest first. */
  errors: AppError[];
}

/** Publications while they are answered with. */
export interface LivePublications {
  /** Made where it is not there. */
  of(project: string): Live;
  /** What is answered with now. */
  current(project: string): Answering | undefined;
  onError(project: string, release: number, text: string): void;
  /** @throws ApiFailure 409 `publishing` while a release is made, or brought */
  refuseGoing(project: string): void;
  /** Makes or brings a release: nothing else is begun meanwhile, and `end` aborts the signal. */
  begin(project: string, work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** The same for what may go on beside all else; it does not reject. */
  beside(project: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Stops what goes on, and puts the app to sleep; the next request wakes it. */
  end(project: string): Promise<void>;
  /** The same, and the next request finds nothing. */
  forget(project: string): Promise<void>;
  /** Puts to sleep what nobody asked for `idleMs`. */
  sweep(idleMs: number): Promise<void>;
  close(): Promise<void>;
}

interface Work {
  ends: AbortController;
  done: Promise<void>;
}

export function createLivePublications(now: () => number): LivePublications {
  const all = new Map<string, Live>();
  const going = new Map<string, Work>();
  const besides = new Map<string, Work>();

  function of(project: string): Live {
    const known = all.get(project);
    if (known) return known;
    const made: Live = { answers: createAnswers(), requests: 0, errors: [] };
    all.set(project, made);
    return made;
  }

  async function end(project: string): Promise<void> {
    const works = [going.get(project), besides.get(project)];
    for (const work of works) work?.ends.abort();
    await Promise.all(works.map((work) => work?.done));
    const answer = all.get(project)?.answers.current();
    if (answer?.kind === "app") await answer.app.sleep();
  }

  return {
    of,
    current: (project) => all.get(project)?.answers.current(),
    onError(project, release, text) {
      const { errors } = of(project);
      errors.unshift({ at: now(), release, text });
      errors.length = Math.min(errors.length, ERRORS);
    },
    refuseGoing(project) {
      if (going.has(project))
        throw new ApiFailure(409, "publishing", "It is being published already.");
    },
    begin(project, work) {
      const ends = new AbortController();
      const done = work(ends.signal).finally(() => going.delete(project));
      going.set(project, { ends, done });
      return done;
    },
    beside(project, work) {
      // What was looked at before is of no more interest.
      const before = besides.get(project);
      before?.ends.abort();
      const ends = new AbortController();
      const mine: Work = { ends, done: Promise.resolve() };
      besides.set(project, mine);
      mine.done = (async () => {
        await before?.done;
        if (!ends.signal.aborted) await work(ends.signal);
      })().finally(() => {
        if (besides.get(project) === mine) besides.delete(project);
      });
    },
    end,
    async forget(project) {
      all.get(project)?.answers.put(undefined);
      await end(project);
      all.delete(project);
    },
    async sweep(idleMs) {
      for (const { answers } of all.values()) {
        const answer = answers.current();
        if (answer?.kind !== "app" || !answer.app.isOpen()) continue;
        if (now() - answer.app.usedAt() > idleMs) await answer.app.sleep();
      }
    },
    async close() {
      await Promise.all([...all.keys()].map(end));
    },
  };
}
