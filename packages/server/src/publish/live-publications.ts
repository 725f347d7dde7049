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
  /** Stops what goes on, and puts the app to sleep; the next request wakes it. */
  end(project: string): Promise<void>;
  /** The same, and the next request finds nothing. */
  forget(project: string): Promise<void>;
  /** Puts to sleep what nobody asked for `idleMs`. */
  sweep(idleMs: number): Promise<void>;
  close(): Promise<void>;
}

export function createLivePublications(now: () => number): LivePublications {
  const all = new Map<string, Live>();
  const going = new Map<string, { ends: AbortController; done: Promise<void> }>();

  function of(project: string): Live {
    const known = all.get(project);
    if (known) return known;
    const made: Live = { answers: createAnswers(), requests: 0, errors: [] };
    all.set(project, made);
    return made;
  }

  async function end(project: string): Promise<void> {
    const work = going.get(project);
    work?.ends.abort();
    await work?.done;
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
