import { currentPrincipal, LOCAL_OWNER, type Holder } from "@treadle/accounts";
import type { Comparison, StartComparison } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { notFound, ApiFailure, newComparisonId } from "@treadle/common";
import { shownState } from "./attempt-lifecycle.ts";
import { toldOf, type ComparisonList, type KeptComparison } from "./comparison-list.ts";
import type { ComparisonWork } from "./comparison-work.ts";
import { keepAttempt } from "./keep-attempt.ts";
import type { AttemptParts, AttemptTerms } from "./ports.ts";

/** Maximum number of attempts per comparison. */
const MOST = 8;
/** Maximum number of active comparisons, since each attempt has its own files and dependencies. */
const MOST_COMPARISONS = 12;
const TOGETHER = 2;
/** States of attempts whose project may have been deleted separately. */
const HAS_COPY: ReadonlySet<string> = new Set(["going", "over"]);

/** Starts and observes comparisons, and keeps one attempt of each or none. */
export interface Comparisons {
  /**
   * Starts a comparison. Resolves when it is durable; its attempts then start, some at a time.
   * @throws ApiFailure as for a message; `too-many`, `working`
   */
  start(request: StartComparison, terms?: AttemptTerms): Promise<{ id: string }>;
  /**
   * Calls the listener with the state at each change of an attempt.
   * @returns a function that removes the listener
   */
  follow(id: string, listener: (comparison: Comparison) => void): () => void;
  /** Newest first. */
  list(): Promise<Comparison[]>;
  /**
   * The project to which a comparison belongs or, without one, the person who started it; undefined if there is
   * none of that id.
   */
  holderOf(id: string): Holder | undefined;
  /** A comparison by its id. @throws ApiFailure 404 */
  get(id: string): Promise<Comparison>;
  /** Stops running attempts, and starts no other. Their results stay visible. */
  stop(id: string): Promise<void>;
  /**
   * Keeps one attempt by its number, and removes the others. If it is a copy of a project, it is merged into that
   * project.
   * @param isOver whether conflicting files become the attempt's
   * @returns the project that contains it now
   * @throws ApiFailure 404, 409 `working`, `changed`, `not-begun`; nothing is kept or removed then
   */
  keepAttempt(id: string, number: number, isOver: boolean): Promise<{ project: string }>;
  /** Removes all attempts. */
  drop(id: string): Promise<void>;
}

export function createComparisons(
  parts: AttemptParts & { list: ComparisonList; work: ComparisonWork },
): Comparisons {
  const { list, store, projects, work } = parts;
  const active = () => list.all().filter(({ parallel, over: isOver }) => !parallel && !isOver);

  function find(id: string): KeptComparison {
    const comparison = list.find(id);
    if (comparison.parallel) throw notFound("comparison");
    return comparison;
  }

  /** Marks attempts whose project was deleted separately as failed. */
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
    holderOf(id) {
      const comparison = active().find((one) => one.id === id);
      if (!comparison) return undefined;
      const { project, startedBy = LOCAL_OWNER.person } = comparison;
      return project === undefined ? { person: startedBy } : { project };
    },
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
      const runtime = project === undefined ? undefined : await projects.get(project);
      const checkpoint = await runtime?.keepNow("Before a comparison");
      const comparison: KeptComparison = {
        id,
        project,
        checkpoint,
        text,
        ...sent,
        terms,
        startedBy: currentPrincipal()?.person,
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
      // Waiting attempts are stopped first, so that none of them gets a place that becomes free.
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
        if ((await projects.get(project)).isWorking())
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
