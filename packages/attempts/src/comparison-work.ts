import { ApiFailure } from "@treadle/common";
import type { LogEvent } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { createAttempts, type Attempts } from "./attempts.ts";
import { toParallel, type ComparisonList, type KeptComparison } from "./comparison-list.ts";
import { createMergeParallel } from "./merge-parallel.ts";
import type { AttemptParts } from "./ports.ts";

/**
 * The common part of comparisons and parallel requests: attempts in copies of a project, and their
 * end.
 */
export interface ComparisonWork extends Attempts {
  /** Logs the state of a parallel request in its project. Does nothing for a comparison. */
  announce(comparison: KeptComparison): void;
  /**
   * Ends a comparison: no further attempt starts, and the rest is removed unless `act` rejects.
   * @throws ApiFailure 404, 409 `working` if it is already ending
   */
  end<Result>(
    id: string,
    act: (comparison: KeptComparison) => Promise<Ended<Result>>,
  ): Promise<Result>;
  /** Continues the comparisons that the end of the server interrupted. Never rejects. */
  resume(): Promise<void>;
}

interface Ended<Result> {
  result: Result;
  /** The attempt's project that is kept. */
  stays?: string | undefined;
}

export function createComparisonWork(
  parts: AttemptParts & { list: ComparisonList; onNotice(text: string): void },
): ComparisonWork {
  const { list, store, projects, onNotice } = parts;
  const ending = new Set<string>();
  const isGone = ({ id }: KeptComparison) => !list.all().some((one) => one.id === id && !one.over);
  const isEnding = ({ id }: KeptComparison) => ending.has(id);
  const merge = createMergeParallel(parts);
  const attempts = createAttempts({
    ...parts,
    isGone,
    isEnding,
    clear,
    merge,
    onChange: announce,
  });
  /** The latest announcement. The next one waits for it, so that log entries keep their order. */
  let announced: Promise<void> = Promise.resolve();

  function announce(comparison: KeptComparison): void {
    const { parallel, project } = comparison;
    if (!parallel || project === undefined) return;
    const event = { type: "parallel" as const, request: toParallel(comparison) };
    announced = announced
      .then(async () => {
        if (!isGone(comparison)) (await projects.get(project)).append(event);
      })
      .catch((error: Error) => onNotice(`A parallel request was not announced: ${error.message}`));
  }

  async function removeAll(comparison: KeptComparison, but?: string): Promise<void> {
    const { id, project, parallel } = comparison;
    const log = async (event: LogEvent) => {
      if (project !== undefined && (await store.projects.get(project)))
        (await projects.get(project)).append(event);
    };
    await announced;
    // Logged before the copy is removed, since pages follow the copy.
    if (parallel) await log({ type: "parallel", request: toParallel(comparison), isOver: true });
    const gone = (await store.projects.list()).filter(
      (record) => record.comparison === id && record.id !== but,
    );
    for (const copy of gone)
      await projects.remove(copy.id).catch((error: Error) => {
        if (!(error instanceof ApiFailure && error.status === 404)) throw error;
      });
    if (!parallel) await log({ type: "comparison", comparison: id, state: "over" });
    await store.log.settled();
    await list.remove(id);
  }

  /**
   * Removes a comparison with its copies, except for the project `but`. What cannot be removed now is removed at
   * the next start. Never rejects.
   */
  async function clear(comparison: KeptComparison, but?: string): Promise<void> {
    try {
      await list.save({ ...comparison, over: true });
      await removeAll(comparison, but);
    } catch (error) {
      onNotice(`What is left of a comparison was not removed: ${(error as Error).message}`);
    }
    for (const one of list.all()) attempts.fill(one);
  }

  async function takeUp(comparison: KeptComparison): Promise<void> {
    const { project, parallel } = comparison;
    const isOrphan =
      parallel &&
      project !== undefined &&
      !(await store.projects.get(project)) &&
      !(await isDeleted(project));
    if (comparison.over || isOrphan) return clear(comparison);
    // A copy being made when the server ended may be incomplete.
    const known = new Set(
      comparison.attempts.flatMap(({ state, project: own }) =>
        HALF_MADE.has(state) || !own ? [] : [own],
      ),
    );
    for (const { id, comparison: source } of await store.projects.list())
      if (source === comparison.id && !known.has(id))
        await projects.remove(id).catch((error: Error) => onNotice(error.message));
    for (const attempt of comparison.attempts) {
      if (HALF_MADE.has(attempt.state)) delete attempt.project;
      await attempts.send(comparison, attempt, "restart");
    }
    attempts.fill(comparison);
  }

  const isDeleted = async (project: string) =>
    (await store.projects.deleted()).some(({ id }) => id === project);

  return {
    ...attempts,
    announce,
    async end(id, act) {
      const comparison = list.find(id);
      if (ending.has(id)) throw new ApiFailure(409, "working", sentence("comparison-ending"));
      ending.add(id);
      try {
        const { result, stays } = await act(comparison);
        await clear(comparison, stays);
        return result;
      } finally {
        ending.delete(id);
        attempts.fill(comparison);
      }
    },
    async resume() {
      for (const comparison of list.all())
        await takeUp(comparison).catch((error: Error) => onNotice(error.message));
    },
  };
}

const HALF_MADE: ReadonlySet<string> = new Set(["making", "unmaking", "asking", "halting"]);
