import { ApiFailure, newComparisonId, notFound } from "@treadle/common";
import type { ParallelRequest, StartParallel } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { checkPath } from "@treadle/workspace";
import type { AttemptEvent } from "./attempt-lifecycle.ts";
import { toParallel, type ComparisonList, type KeptComparison } from "./comparison-list.ts";
import type { ComparisonWork } from "./comparison-work.ts";
import type { AttemptParts, AttemptProject, AttemptTerms } from "./ports.ts";

/** Maximum number of unmerged parallel requests per project, including waiting ones. */
const MAX_REQUESTS = 8;

/** Requests that run in parallel to a project's own work, each on a copy of it, and are merged when they are done. */
export interface ParallelRequests {
  /**
   * Starts a request on a copy of the revision that the active run began with; without one, of the current files.
   * @throws ApiFailure as for a message; 409 `too-many`, `nothing-yet` if the project has no revision yet
   */
  start(project: string, request: StartParallel, terms?: AttemptTerms): Promise<ParallelRequest>;
  /** Oldest first. */
  list(project: string): ParallelRequest[];
  /**
   * Stops a request's turn, or its merge. The copy is kept.
   * @throws ApiFailure 404
   */
  stop(project: string, id: string): Promise<void>;
  /**
   * Merges a held request unconditionally: the request's version wins in conflicts, and no check prevents it.
   * @throws ApiFailure 404, 409 `not-held`
   */
  take(project: string, id: string): Promise<void>;
  /**
   * Repeats a request on a copy of the current revision.
   * @throws ApiFailure 404, 409 `not-held`
   */
  redo(project: string, id: string): Promise<void>;
  /** Stops a request and removes it with its copy. @throws ApiFailure 404 */
  discard(project: string, id: string): Promise<void>;
}

export function createParallelRequests(
  parts: AttemptParts & { list: ComparisonList; work: ComparisonWork },
): ParallelRequests {
  const { list, store, projects, work } = parts;
  const allOf = (project: string) =>
    list.all().filter((one) => one.parallel && one.project === project && !one.over);

  function find(project: string, id: string) {
    const comparison = list.find(id);
    const [attempt] = comparison.attempts;
    if (!comparison.parallel || comparison.project !== project || !attempt)
      throw notFound("request");
    return { comparison, attempt };
  }

  /**
   * Finds a request that waits for the person's decision.
   * @throws ApiFailure 404; 409 `not-held` if it waits for none
   */
  function findDecidable(project: string, id: string, event: AttemptEvent & ("take" | "redo")) {
    const found = find(project, id);
    const { state } = found.attempt;
    const isOpen =
      state === "held" || (event === "redo" && (state === "stopped" || state === "failed"));
    if (!isOpen) throw new ApiFailure(409, "not-held", sentence("working"));
    return found;
  }

  return {
    async start(project, { text, model, pictures, files = [] }, terms) {
      const runtime = await projects.get(project);
      if (allOf(project).length >= MAX_REQUESTS)
        throw new ApiFailure(
          409,
          "too-many",
          sentence("limit-reached", { what: "requests", limit: MAX_REQUESTS }),
        );
      const used = model ?? (await store.projects.get(project))?.model;
      const chosen = await projects.checkMessage({ text, model: used, pictures });
      const checkpoint = await startingPoint(runtime);
      const comparison: KeptComparison = {
        id: newComparisonId(),
        parallel: true,
        project,
        checkpoint,
        text,
        pictures,
        files: files.map(checkPath),
        terms,
        createdAt: parts.now(),
        together: 1,
        attempts: [{ number: 1, model: chosen, state: "waiting" }],
      };
      await list.save(comparison);
      work.announce(comparison);
      work.fill(comparison);
      return toParallel(comparison);
    },
    list: (project) =>
      allOf(project)
        .toSorted((a, b) => a.createdAt - b.createdAt)
        .map(toParallel),
    async stop(project, id) {
      const { comparison, attempt } = find(project, id);
      await work.send(comparison, attempt, "stop");
    },
    async take(project, id) {
      const { comparison, attempt } = findDecidable(project, id, "take");
      attempt.isOver = true;
      await work.send(comparison, attempt, "take");
    },
    async redo(project, id) {
      findDecidable(project, id, "redo");
      const checkpoint = await startingPoint(await projects.get(project));
      const { comparison, attempt } = findDecidable(project, id, "redo");
      comparison.checkpoint = checkpoint;
      await work.send(comparison, attempt, "redo");
    },
    async discard(project, id) {
      const { comparison, attempt } = find(project, id);
      await work.send(comparison, attempt, "stop");
      await work.end(id, async () => ({ result: undefined }));
    },
  };
}

/**
 * The checkpoint from which a request starts: that of the active run, or of the current files.
 * @throws ApiFailure 409 `nothing-yet`
 */
async function startingPoint(runtime: AttemptProject): Promise<string> {
  if (!runtime.isWorking())
    try {
      return await runtime.keepNow(sentence("before-parallel"));
    } catch (error) {
      if (!(error instanceof ApiFailure && error.code === "working")) throw error;
    }
  const { checkpoints, run } = runtime.view;
  const first = checkpoints.findIndex((one) => one.run !== undefined && one.run === run);
  // The run saves a checkpoint before its first change, unless one exists.
  const isBefore = checkpoints[first]?.labelCode?.code === "before-turn";
  const found = first === -1 ? checkpoints.at(-1) : checkpoints[isBefore ? first : first - 1];
  if (!found) throw new ApiFailure(409, "nothing-yet", sentence("nothing-to-copy"));
  return found.checkpoint;
}
