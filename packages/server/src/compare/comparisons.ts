import type { Comparison, StartComparison } from "@treadle/protocol";
import { ApiFailure, newComparisonId } from "@treadle/common";
import { attemptResult } from "./attempt-result.ts";
import {
  toldOf,
  type AttemptTerms,
  type ComparisonList,
  type KeptAttempt,
  type KeptComparison,
} from "./comparison-list.ts";
import { keepAttempt } from "./keep-attempt.ts";
import { ask, endOf, makeProject, type AttemptParts } from "./work-on-attempt.ts";

/** Attempts of one comparison. */
const MOST = 8;
/** Comparisons that go on. Each attempt has files and dependencies of its own on the disk. */
const MOST_COMPARISONS = 12;
const TOGETHER = 2;

/** One request, several attempts: begun, looked at, and one of them kept or none. */
export interface Comparisons {
  /** Resolves when it is durable; its attempts follow, some at a time. @throws ApiFailure as for a message; `working`. */
  start(request: StartComparison, terms?: AttemptTerms): Promise<{ id: string }>;
  /** Tells how it stands each time that an attempt became another. @returns what ends it */
  follow(id: string, listener: (comparison: Comparison) => void): () => void;
  /** The newest first. */
  list(): Promise<Comparison[]>;
  /** @throws ApiFailure 404 */
  get(id: string): Promise<Comparison>;
  /** Ends the attempts that go on, and begins no other. What they made stays to be looked at. */
  stop(id: string): Promise<void>;
  /**
   * Keeps one attempt, by its number, and removes the others. Of a project's own it comes back into that project.
   * @param isOver files that were changed in both become the attempt's
   * @returns the project that has it now
   * @throws ApiFailure 409 `working`, `changed`, `not-begun`: nothing was kept then, and nothing removed
   */
  keepAttempt(id: string, number: number, isOver: boolean): Promise<{ project: string }>;
  /** Keeps none: all of them are removed. */
  drop(id: string): Promise<void>;
  /** Goes on with what a restart broke off. Never rejects. */
  resume(): Promise<void>;
  /** Follows nothing any more. */
  close(): void;
}

export function createComparisons(
  parts: AttemptParts & { list: ComparisonList; onNotice(text: string): void },
): Comparisons {
  const { list, store, runtimes, projects, onNotice } = parts;
  const closing = new AbortController();
  /** Being kept or dropped: no attempt of them begins any more. */
  const ending = new Set<string>();

  const isLive = ({ id, over: isOver }: KeptComparison) =>
    !closing.signal.aborted &&
    !isOver &&
    !ending.has(id) &&
    list.all().some((one) => one.id === id);

  /** Begins as many as there are places for. */
  function fill(comparison: KeptComparison): void {
    if (!isLive(comparison)) return;
    const { attempts, together } = comparison;
    const taken = attempts.filter(({ state }) => state === "making" || state === "going").length;
    for (const attempt of attempts
      .filter(({ state }) => state === "waiting")
      .slice(0, Math.max(0, together - taken))) {
      attempt.state = "making";
      void work(comparison, attempt, () => begin(comparison, attempt));
    }
  }

  async function begin(comparison: KeptComparison, attempt: KeptAttempt): Promise<void> {
    await list.save(comparison);
    const project = await makeProject(parts, comparison, attempt);
    attempt.project = project;
    await list.save(comparison);
    const isWanted = () => attempt.state === "making";
    // It may have been stopped while its project was being made.
    if (!isWanted()) return;
    const asked = await ask(parts, comparison, attempt, project);
    const isWantedNow = isWanted();
    Object.assign(attempt, asked, { state: "going" });
    await list.save(comparison);
    // Stopped, kept or dropped in that moment.
    if (!isWantedNow || !isLive(comparison)) await projects.stop(project);
  }

  /** An attempt until it is over; then the next has its place. Never rejects. */
  async function work(
    comparison: KeptComparison,
    attempt: KeptAttempt,
    first: () => Promise<void>,
  ): Promise<void> {
    try {
      await first();
      await settle(attempt);
    } catch (error) {
      if (closing.signal.aborted) return;
      attempt.state = "failed";
      attempt.problem = error instanceof Error ? error.message : String(error);
      if (!(error instanceof ApiFailure)) onNotice(`An attempt failed: ${attempt.problem}`);
    }
    if (!isLive(comparison)) return;
    await list.save(comparison).catch((error: Error) => onNotice(error.message));
    fill(comparison);
  }

  async function settle(attempt: KeptAttempt): Promise<void> {
    const { project, run, after } = attempt;
    if (attempt.state !== "going" || !project || !run || after === undefined) return;
    await endOf(parts, project, { run, after }, closing.signal);
    if (closing.signal.aborted) return;
    const result = await attemptResult(store, project, after);
    if (result) attempt.result = result;
    attempt.state = "over";
  }

  /** What the person removed by itself holds no place. */
  async function missing(comparison: KeptComparison): Promise<void> {
    for (const attempt of comparison.attempts) {
      if (!attempt.project || attempt.state === "making" || attempt.state === "failed") continue;
      if (await store.projects.get(attempt.project)) continue;
      attempt.state = "failed";
      attempt.problem = "It was deleted.";
      fill(comparison);
    }
  }

  async function removeAll(comparison: KeptComparison, but?: string): Promise<void> {
    const gone = (await store.projects.list()).filter(
      (record) => record.comparison === comparison.id && record.id !== but,
    );
    for (const { id } of gone)
      await projects.remove(id).catch((error: Error) => {
        if (!(error instanceof ApiFailure && error.status === 404)) throw error;
      });
    if (comparison.project !== undefined && (await store.projects.get(comparison.project)))
      (await runtimes.get(comparison.project)).append({
        type: "comparison",
        comparison: comparison.id,
        state: "over",
      });
    await store.log.settled();
    await list.remove(comparison.id);
  }

  /** What is left of it goes; where that cannot be now, at the next start. */
  const clear = (comparison: KeptComparison, but?: string) =>
    removeAll(comparison, but).catch((error: Error) =>
      onNotice(`What is left of a comparison was not removed: ${error.message}`),
    );

  async function endOnce<T>(id: string, act: (comparison: KeptComparison) => Promise<T>) {
    const comparison = list.find(id);
    if (ending.has(id)) throw new ApiFailure(409, "working", "This comparison is already ending.");
    ending.add(id);
    try {
      return await act(comparison);
    } finally {
      ending.delete(id);
      fill(comparison);
    }
  }

  async function carryOn(comparison: KeptComparison, attempt: KeptAttempt): Promise<void> {
    const { project = "", after = 0 } = attempt;
    const ended = (await store.log.read(project, after))
      .map(({ event }) => event)
      .findLast((event) => event.type === "run-end" && event.run === attempt.run);
    if (ended?.type !== "run-end" || ended.error?.code !== "restarted") return;
    attempt.run = (await projects.continue(project)).run;
    await list.save(comparison);
  }

  return {
    follow: (id, listener) => list.follow(id, (comparison) => listener(toldOf(comparison))),
    async start({ project, text, models, attempts = 1, together = TOGETHER, pictures }, terms) {
      const chosen = models.flatMap((model) => Array.from({ length: attempts }, () => model));
      if (chosen.length < 2 || chosen.length > MOST)
        throw new ApiFailure(
          400,
          "too-many",
          `A comparison has 2 to ${MOST} attempts; these are ${chosen.length}. Nothing was started.`,
        );
      if (list.all().length >= MOST_COMPARISONS)
        throw new ApiFailure(
          409,
          "too-many",
          `${MOST_COMPARISONS} comparisons are already running. Keep an attempt of one of them, or none, to start another.`,
        );
      const sent = pictures ? { pictures } : {};
      for (const model of new Set(chosen)) await projects.checkMessage({ text, model, ...sent });
      const id = newComparisonId();
      const runtime = project === undefined ? undefined : await runtimes.get(project);
      const checkpoint = await runtime?.keepNow("Before a comparison");
      const comparison: KeptComparison = {
        id,
        project,
        checkpoint,
        text,
        ...sent,
        terms,
        createdAt: parts.now(),
        together,
        attempts: chosen.map((model, index) => ({ number: index + 1, model, state: "waiting" })),
      };
      await list.save(comparison);
      runtime?.append({ type: "comparison", comparison: id, state: "going" });
      await store.log.settled();
      fill(comparison);
      return { id };
    },
    async list() {
      const all = list.all().filter(({ over: isOver }) => !isOver);
      for (const one of all) await missing(one);
      return all.map(toldOf).toSorted((a, b) => b.createdAt - a.createdAt);
    },
    async get(id) {
      const found = list.find(id);
      await missing(found);
      return toldOf(found);
    },
    async stop(id) {
      const comparison = list.find(id);
      for (const attempt of comparison.attempts)
        if (attempt.state === "waiting" || attempt.state === "making") attempt.state = "stopped";
      await list.save(comparison);
      const going = comparison.attempts.filter(({ state }) => state === "going");
      await Promise.all(going.map(({ project }) => project && projects.stop(project)));
    },
    keepAttempt: (id, number, isOver) =>
      endOnce(id, async (comparison) => {
        const attempt = comparison.attempts.find((one) => one.number === number);
        const { project, run, after } = attempt ?? {};
        if (!project || after === undefined)
          throw new ApiFailure(
            409,
            "not-begun",
            "This attempt has made nothing that could be kept.",
          );
        const record = await store.projects.get(project);
        if (!record) throw new ApiFailure(404, "not-found", "This attempt was deleted.");
        if ((await runtimes.get(project)).isWorking())
          throw new ApiFailure(
            409,
            "working",
            "This attempt is still being worked on. Wait until it is done, or stop it. Nothing was kept.",
          );
        const home = comparison.project;
        const { checkpoint } = comparison;
        const isBack =
          home !== undefined && checkpoint !== undefined && (await store.projects.get(home));
        if (isBack) await keepAttempt(parts, home, { project, checkpoint, after, run }, isOver);
        else await store.projects.update(project, { comparison: undefined });
        await list.save({ ...comparison, over: true });
        await clear(comparison, isBack ? undefined : project);
        return { project: isBack ? home : project };
      }),
    drop: (id) =>
      endOnce(id, async (comparison) => {
        await list.save({ ...comparison, over: true });
        await clear(comparison);
      }),
    async resume() {
      for (const comparison of list.all()) {
        if (comparison.over) {
          await clear(comparison);
          continue;
        }
        // What was being made when the server ended may be half there.
        const known = new Set(
          comparison.attempts.flatMap(({ state, project }) =>
            state !== "making" && project ? [project] : [],
          ),
        );
        for (const { id, comparison: source } of await store.projects.list())
          if (source === comparison.id && !known.has(id))
            await projects.remove(id).catch((error: Error) => onNotice(error.message));
        for (const attempt of comparison.attempts) {
          if (attempt.state === "making") {
            attempt.state = "waiting";
            delete attempt.project;
          }
          if (attempt.state === "going")
            void work(comparison, attempt, () => carryOn(comparison, attempt));
        }
        fill(comparison);
      }
    },
    close: () => closing.abort(),
  };
}
