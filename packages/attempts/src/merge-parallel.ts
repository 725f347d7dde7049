import { ApiFailure, createSemaphore, type Semaphore } from "@treadle/common";
import type { AskedItem, HeldReason, ProjectPath } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import { conversationOf, verdictOf } from "@treadle/protocol/fold";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { bringBack, takenFiles, type CopyAsDone } from "./bring-back.ts";
import { conflictsAlone, planMerge, type FileChanges } from "@treadle/git";
import type { AttemptParts, AttemptProject } from "./ports.ts";
import { requestsSince } from "./requests-since.ts";

/** A parallel request whose turn has ended. */
export interface DoneInCopy extends Omit<CopyAsDone, "tip"> {
  /** Whether the request is merged unconditionally: its version wins in conflicts, and no check prevents it. */
  isOver: boolean;
  /** The copy's checkpoint at the end of the turn, if an interrupted merge has changed the copy. */
  tip: string | undefined;
  /** Records `tip`; resolves when that is durable. */
  saveTip(tip: string | undefined): Promise<void>;
}

export type MergeParallel = (
  project: string,
  copy: DoneInCopy,
  signal: AbortSignal,
) => Promise<HeldReason | undefined>;

const changedPaths = ({ written, removed }: FileChanges): ProjectPath[] => [...written, ...removed];

/**
 * A merge that was made: the files that it changed in the project, and earlier requests that the result has to
 * fulfil as well.
 */
interface Merged {
  touched: ReadonlySet<ProjectPath>;
  besides: readonly AskedItem[];
}

/** The project changed while a merged revision was being checked. */
class Moved extends Error {}

/**
 * Merges parallel requests into their projects, one per project at a time and only while the project is idle. If
 * the project changed since the copy was made, the changes are merged and checked in the copy first, so that a
 * failure changes nothing in the project.
 * @returns a function that resolves with why a request was not merged, or undefined if it was
 */
export function createMergeParallel(
  parts: Pick<AttemptParts, "store" | "projects">,
): MergeParallel {
  const { projects, store } = parts;
  const lanes = new Map<string, Semaphore>();

  /**
   * Merges a request; tries again whenever the project changes meanwhile.
   * @returns why the request was not merged, or the files that were changed in the project
   */
  async function merge(
    project: string,
    copy: DoneInCopy,
    signal: AbortSignal,
  ): Promise<{ held: HeldReason } | Merged> {
    const touched = new Set<ProjectPath>();
    await resetCopy(copy, signal);
    for (;;) {
      const tip = await keepAtRest(copy.project, sentence("parallel-done"), signal);
      const standing = await keepAtRest(project, sentence("before-merge"), signal);
      const home = await projects.get(project);
      if (hasTurn(home, copy.run)) return { touched, besides: [] };
      // The merged revision also has to fulfil the requests that were merged since the copy was made.
      const isFirst = (await requestsSince(store, home, copy.base)).length === 0;
      const besides = isFirst ? [] : (home.view.evidence?.asked ?? []);
      const problem = await tryInCopy({ project, home, standing, tip }, copy, signal);
      if (problem) {
        await resetCopy(copy, signal);
        return { held: problem };
      }
      signal.throwIfAborted();
      try {
        await bringBack(
          parts,
          project,
          { ...copy, tip },
          {
            before: sentence("before-merge"),
            isOver: copy.isOver,
            onPlan({ toOurs }, checkpoint) {
              if (checkpoint !== standing) throw new Moved();
              for (const path of changedPaths(toOurs)) touched.add(path);
            },
          },
        );
        return { touched, besides };
      } catch (error) {
        if (!(error instanceof Moved || isWorking(error))) throw error;
        await resetCopy(copy, signal);
      }
    }
  }

  /**
   * Merges the project's changes into the copy, and checks the result there.
   * @returns why the attempt cannot be merged; undefined if it can
   */
  async function tryInCopy(
    at: { project: string; home: AttemptProject; standing: string; tip: string },
    copy: DoneInCopy,
    signal: AbortSignal,
  ): Promise<HeldReason | undefined> {
    const { project, home, standing, tip } = at;
    const runtime = await projects.get(copy.project);
    const ours = { workspace: await home.workspace(), revision: standing };
    const theirs = { workspace: await runtime.workspace(), revision: tip };
    const plan = await planMerge(project, copy.base, ours, theirs, copy.isOver);
    if (plan.conflicts.length > 0) {
      const files = plan.conflicts;
      const others = await requestsSince(store, home, copy.base, (before, revision) =>
        conflictsAlone(project, copy.base, { ...ours, before, revision }, theirs, files),
      );
      return { code: "conflict", values: { files, others } };
    }
    if (plan.meanwhile.length === 0 || copy.isOver) return undefined;
    await copy.saveTip(tip);
    await runtime.takeTurns(sentence("parallel-done"), async () => ({
      ...takenFiles(plan, plan.toTheirs, ours),
      events: [],
      messages: [],
      label: sentence("parallel-merged"),
      run: undefined,
    }));
    const stop = () => void runtime.stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const evidence = await runtime.evidenceNow(undefined, {
        asked: false,
        touched: new Set(changedPaths(plan.toTheirs)),
      });
      // A failure that existed before must not block its possible repair.
      if (judge(evidence).verdict !== "failed" || verdictOf(home.view)?.verdict === "failed")
        return undefined;
      return { code: "unfit", values: { others: await requestsSince(store, home, copy.base) } };
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** Restores the copy to the end of its turn, if the project's changes were merged into it. */
  async function resetCopy(copy: DoneInCopy, signal: AbortSignal): Promise<void> {
    if (copy.tip === undefined) return;
    const { tip } = copy;
    await whenAtRest(copy.project, signal, (runtime) => runtime.restore({ checkpoint: tip }));
    await copy.saveTip(undefined);
  }

  const keepAtRest = (project: string, label: Sentence, signal: AbortSignal) =>
    whenAtRest(project, signal, (runtime) => runtime.keepNow(label));

  /** Runs an action as soon as the project is idle. */
  async function whenAtRest<Result>(
    project: string,
    signal: AbortSignal,
    act: (runtime: AttemptProject) => Promise<Result>,
  ): Promise<Result> {
    for (;;) {
      const runtime = await projects.get(project);
      await runtime.atRest(signal);
      try {
        return await act(runtime);
      } catch (error) {
        if (!isWorking(error)) throw error;
      }
    }
  }

  return async (project, copy, signal) => {
    const lane = lanes.get(project) ?? createSemaphore(1);
    lanes.set(project, lane);
    const give = await lane.take(signal);
    try {
      const merged = await merge(project, copy, signal);
      if ("held" in merged) return merged.held;
      await checkMerged(project, merged);
      return undefined;
    } finally {
      give();
    }
  };

  /** Checks the project after the merge, since it has its own hosts and secrets. A new turn replaces the check. */
  async function checkMerged(project: string, { touched, besides }: Merged): Promise<void> {
    const home = await projects.get(project);
    await home.evidenceNow(undefined, { asked: false, touched, besides }).catch(() => undefined);
  }
}

/** Whether the project already contains this run, because the server ended between the merge and its record. */
function hasTurn({ view }: AttemptProject, run: string | undefined): boolean {
  const path = conversationOf(view);
  return [...view.said].some(([message, one]) => one.run === run && path.has(message));
}

const isWorking = (error: unknown) => error instanceof ApiFailure && error.code === "working";
