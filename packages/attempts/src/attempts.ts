import { ApiFailure } from "@treadle/common";
import type { AttemptResult, HeldReason } from "@treadle/protocol";
import {
  attemptTransition,
  hasPlace,
  type AttemptEffect,
  type AttemptEvent,
} from "./attempt-lifecycle.ts";
import { attemptResult } from "./attempt-result.ts";
import type { ComparisonList, KeptAttempt, KeptComparison } from "./comparison-list.ts";
import type { MergeParallel } from "./merge-parallel.ts";
import type { AttemptParts } from "./ports.ts";
import { ask, endOf, makeProject } from "./work-on-attempt.ts";

/**
 * Maximum number of a project's parallel requests that run at once, each with its own sandbox,
 * files and dependencies.
 */
const MAX_PARALLEL = 3;

/** Drives attempts through their lifecycle. */
export interface Attempts {
  /** Starts waiting attempts while there are free places. */
  fill(comparison: KeptComparison): void;
  /** Applies an event. Resolves when the new state is durable; rejects if it could not be written. */
  send(comparison: KeptComparison, attempt: KeptAttempt, event: AttemptEvent): Promise<void>;
  /** Stops driving all attempts without changing their states, so that a restart continues them. */
  close(): void;
}

export interface AttemptsParts extends AttemptParts {
  list: ComparisonList;
  merge: MergeParallel;
  /** Whether the comparison has ended, so that nothing more is recorded. */
  isGone(comparison: KeptComparison): boolean;
  /** Whether the comparison is being ended, which may fail. */
  isEnding(comparison: KeptComparison): boolean;
  /** Called when an attempt changes its state. */
  onChange(comparison: KeptComparison): void;
  /** Removes everything left of a comparison. Never rejects. */
  clear(comparison: KeptComparison): Promise<void>;
  onNotice(text: string): void;
}

export function createAttempts(parts: AttemptsParts): Attempts {
  const { list, store, projects, onNotice } = parts;
  const closing = new AbortController();
  const merging = new Map<KeptAttempt, AbortController>();
  const isGone = (comparison: KeptComparison) => closing.signal.aborted || parts.isGone(comparison);

  function fill(comparison: KeptComparison): void {
    const group = groupOf(comparison);
    const limit = comparison.parallel ? MAX_PARALLEL : comparison.together;
    let places = limit - group.flatMap(({ attempts }) => attempts.filter(isPlaced)).length;
    for (const one of group)
      for (const attempt of one.attempts)
        if (attempt.state === "waiting" && !isGone(one) && !parts.isEnding(one) && places-- > 0)
          settle(send(one, attempt, "place"));
  }

  /** Comparisons that share places: a project's parallel requests, or a single comparison. */
  const groupOf = (comparison: KeptComparison): readonly KeptComparison[] =>
    comparison.parallel
      ? list.all().filter((one) => one.parallel && one.project === comparison.project)
      : [comparison];

  const settle = (work: Promise<unknown>) =>
    void work.catch((error: Error) => onNotice(`An attempt was not recorded: ${error.message}`));

  async function send(
    comparison: KeptComparison,
    attempt: KeptAttempt,
    event: AttemptEvent,
  ): Promise<void> {
    if (isGone(comparison)) return;
    const { state, effects } = attemptTransition(attempt.state, event);
    if (state === attempt.state && effects.length === 0) return;
    attempt.state = state;
    if (state !== "held") delete attempt.held;
    parts.onChange(comparison);
    try {
      await list.save(comparison);
    } finally {
      for (const effect of effects) void perform(comparison, attempt, effect);
      fill(comparison);
    }
  }

  /** Carries out an effect, and sends the resulting event. Never rejects. */
  async function perform(
    comparison: KeptComparison,
    attempt: KeptAttempt,
    effect: AttemptEffect,
  ): Promise<void> {
    try {
      const event = await EFFECTS[effect](comparison, attempt);
      if (event) await send(comparison, attempt, event);
    } catch (error) {
      if (isGone(comparison)) return;
      const why = error instanceof Error ? error.message : String(error);
      if (!(error instanceof ApiFailure)) onNotice(`An attempt failed: ${why}`);
      attempt.problem = why;
      settle(send(comparison, attempt, "failed"));
    }
  }

  const EFFECTS: Record<
    AttemptEffect,
    (
      comparison: KeptComparison,
      attempt: KeptAttempt,
    ) => Promise<AttemptEvent | undefined> | undefined
  > = {
    async make(comparison, attempt) {
      // The attempt may have been stopped while its state was being stored.
      if (attempt.state !== "making") return "failed";
      delete attempt.problem;
      const project = await makeProject(parts, comparison, attempt);
      attempt.project = project;
      // The comparison has ended meanwhile, and this copy did not exist when the others were removed.
      if (parts.isGone(comparison)) await projects.remove(project);
      return "made" as const;
    },
    async ask(comparison, attempt) {
      const { state, project = "" } = attempt;
      if (state !== "asking") return "failed";
      Object.assign(attempt, await ask(parts, comparison, attempt, project));
      return "asked" as const;
    },
    follow: (comparison, attempt) => follow(comparison, attempt),
    async resume(comparison, attempt) {
      await carryOn(comparison, attempt);
      return follow(comparison, attempt);
    },
    async halt(_comparison, { project = "" }) {
      await projects.stop(project);
      return undefined;
    },
    merge: (comparison, attempt) => merge(comparison, attempt),
    cease(_comparison, attempt) {
      merging.get(attempt)?.abort(new Error("It was stopped."));
      return undefined;
    },
    async remove(_comparison, attempt) {
      const { project } = attempt;
      for (const key of ["project", "run", "after", "result", "tip", "isOver"] as const)
        delete attempt[key];
      if (project !== undefined)
        await projects.remove(project).catch((error: Error) => onNotice(error.message));
      return undefined;
    },
    async clear(comparison) {
      await parts.clear(comparison);
      return undefined;
    },
  };

  async function follow(
    comparison: KeptComparison,
    attempt: KeptAttempt,
  ): Promise<AttemptEvent | undefined> {
    const { project = "", run = "", after = 0 } = attempt;
    await endOf(parts, project, { run, after }, closing.signal);
    if (closing.signal.aborted) return undefined;
    const result = await attemptResult(store, project, after);
    if (result) attempt.result = result;
    if (!comparison.parallel) return "ended";
    if (result && isSound(result)) return "fits";
    hold(attempt, { code: "unfinished", values: { outcome: result?.outcome ?? "interrupted" } });
    return "held";
  }

  async function merge(
    comparison: KeptComparison,
    attempt: KeptAttempt,
  ): Promise<AttemptEvent | undefined> {
    const controller = new AbortController();
    merging.set(attempt, controller);
    const copy = {
      project: attempt.project ?? "",
      base: comparison.checkpoint ?? "",
      after: attempt.after ?? 0,
      run: attempt.run,
      isOver: attempt.isOver ?? false,
      get tip() {
        return attempt.tip;
      },
      async saveTip(tip: string | undefined) {
        attempt.tip = tip;
        if (!isGone(comparison)) await list.save(comparison);
      },
    };
    try {
      const signal = AbortSignal.any([controller.signal, closing.signal]);
      const held = await parts.merge(comparison.project ?? "", copy, signal);
      if (held) hold(attempt, held);
      return held ? "held" : "merged";
    } catch (error) {
      if (closing.signal.aborted) return undefined;
      const why = error instanceof Error ? error.message : String(error);
      hold(attempt, { code: "unmerged", values: { why } });
      return "held";
    } finally {
      merging.delete(attempt);
    }
  }

  function hold(attempt: KeptAttempt, held: HeldReason): void {
    attempt.held = held;
    delete attempt.isOver;
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

  return { fill, send, close: () => closing.abort() };
}

const isPlaced = ({ state }: KeptAttempt) => hasPlace(state);

/** Whether a turn's result can be merged: its changes work, or nothing shows that they do not. */
const isSound = ({ outcome, verdict }: AttemptResult) => outcome === "done" && verdict !== "failed";
