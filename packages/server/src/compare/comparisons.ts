import type { Comparison, StartComparison } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { notFound, ApiFailure, newComparisonId } from "@treadle/common";
import { shownState } from "./attempt-lifecycle.ts";
import {
  toldOf,
  type AttemptTerms,
  type ComparisonList,
  type KeptComparison,
} from "./comparison-list.ts";
import type { ComparisonWork } from "./comparison-work.ts";
import { keepAttempt } from "./keep-attempt.ts";
import type { AttemptParts } from "./work-on-attempt.ts";

/** Attempts of one comparison. */
const MOST = 8;
/** Comparisons that go on. Each attempt has files and dependencies of its own on the disk. */
const MOST_COMPARISONS = 12;
const TOGETHER = 2;
/** Attempts whose project may have been deleted by itself. */
const HAS_COPY: ReadonlySet<string> = new Set(["going", "over"]);

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
   * @param isOver files in which changes of both do not fit together become the attempt's
   * @returns the project that has it now
   * @throws ApiFailure 409 `working`, `changed`, `not-begun`: nothing was kept then, and nothing removed
   */
  keepAttempt(id: string, number: number, isOver: boolean): Promise<{ project: string }>;
  /** Keeps none: all of them are removed. */
  drop(id: string): Promise<void>;
}

export function createComparisons(
  parts: AttemptParts & { list: ComparisonList; work: ComparisonWork },
): Comparisons {
  const { list, store, runtimes, projects, work } = parts;
  const active = () => list.all().filter(({ parallel, over: isOver }) => !parallel && !isOver);

  function find(id: string): KeptComparison {
    const comparison = list.find(id);
    if (comparison.parallel) throw notFound("comparison");
    return comparison;
  }

  /** What the person removed by itself holds no place. */
  async function missing(comparison: KeptComparison): Promise<void> {
    for (const attempt of comparison.attempts) {
      const { project, state } = attempt;
      if (!project || !HAS_COPY.has(shownState(state))) continue;
      if (await store.projects.get(project)) continue;
      attempt.problem = "It was deleted.";
      await work.send(comparison, attempt, "failed");
    }
  }

  return {
    follow: (id, listener) => list.follow(id, (comparison) => listener(toldOf(comparison))),
    async start({ project, text, models, attempts = 1, together = TOGETHER, pictures }, terms) {
      const chosen = models.flatMap((model) => Array.from({ length: attempts }, () => model));
      if (chosen.length < 2 || chosen.length > MOST)
        throw new ApiFailure(
          400,
          "too-many",
          sentence("attempt-count", { limit: MOST, count: chosen.length }),
        );
      if (active().length >= MOST_COMPARISONS)
        throw new ApiFailure(
          409,
          "too-many",
          sentence("limit-reached", { what: "comparisons", limit: MOST_COMPARISONS }),
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
      work.fill(comparison);
      return { id };
    },
    async list() {
      for (const one of active()) await missing(one);
      return active()
        .map(toldOf)
        .toSorted((a, b) => b.createdAt - a.createdAt);
    },
    async get(id) {
      const found = find(id);
      await missing(found);
      return toldOf(found);
    },
    async stop(id) {
      const comparison = find(id);
      // Those that wait are stopped before a place becomes free for them.
      const { attempts } = comparison;
      const waiting = attempts.filter(({ state }) => state === "waiting");
      const others = attempts.filter(({ state }) => state !== "waiting");
      await Promise.all(
        [...waiting, ...others].map((attempt) => work.send(comparison, attempt, "stop")),
      );
    },
    keepAttempt: (id, number, isOver) =>
      work.end(find(id).id, async (comparison) => {
        const attempt = comparison.attempts.find((one) => one.number === number);
        const { project, run, after } = attempt ?? {};
        if (!project || after === undefined)
          throw new ApiFailure(409, "not-begun", sentence("attempt-empty"));
        const record = await store.projects.get(project);
        if (!record) throw new ApiFailure(404, "not-found", sentence("attempt-deleted"));
        if ((await runtimes.get(project)).isWorking())
          throw new ApiFailure(409, "working", sentence("working"));
        const { project: home, checkpoint } = comparison;
        const isBack =
          home !== undefined && checkpoint !== undefined && (await store.projects.get(home));
        if (!isBack) {
          await store.projects.update(project, { comparison: undefined });
          return { result: { project }, stays: project };
        }
        await keepAttempt(parts, home, { project, base: checkpoint, after, run }, isOver);
        return { result: { project: home } };
      }),
    drop: (id) => work.end(find(id).id, async () => ({ result: undefined })),
  };
}
