import type {
  ComparedAttempt,
  Comparison,
  HeldReason,
  ParallelRequest,
  ProjectPath,
} from "@treadle/protocol";
import type { Store } from "@treadle/store";
import { notFound, openStoredMap } from "@treadle/common";
import { shownState, type AttemptPhase } from "./attempt-lifecycle.ts";
import type { AttemptTerms } from "./ports.ts";

const KEY = "comparisons";

/** A stored attempt. */
export interface KeptAttempt extends Omit<ComparedAttempt, "state"> {
  state: AttemptPhase;
  /** The run of the attempt's message. */
  run?: string;
  /** The number of the attempt's last log entry before the message; its result is computed from there. */
  after?: number;
  /** Why a parallel request was not merged. */
  held?: HeldReason;
  /** Whether the person wants the attempt to be merged unconditionally. */
  isOver?: boolean;
  /**
   * The copy's checkpoint at the end of its turn, while the project's changes are merged into the copy for a check.
   */
  tip?: string;
}

/** A stored comparison. */
export interface KeptComparison extends Omit<Comparison, "attempts"> {
  attempts: KeptAttempt[];
  /**
   * A request in parallel to the project's own work: its single attempt is merged into the project.
   */
  parallel?: true;
  /** The checkpoint from which the copies are made. */
  checkpoint?: string;
  /** The person who started the comparison; absent: the person at this machine. */
  startedBy?: string;
  /** Pictures of the message, in base64. */
  pictures?: string[];
  /** Files that the copy gets from the project as they are when it is made. */
  files?: ProjectPath[];
  /** The settings of every attempt. */
  terms?: AttemptTerms;
  /** One attempt was kept, or all were dropped; the rest is being removed. */
  over?: true;
}

/** The active comparisons: in memory, and in the store as last saved. */
export interface ComparisonList {
  all(): readonly KeptComparison[];
  /** A comparison by its id. @throws ApiFailure 404 if there is none, or it has ended */
  find(id: string): KeptComparison;
  /** Adds or updates a comparison; resolves when that is durable. */
  save(comparison: KeptComparison): Promise<void>;
  remove(id: string): Promise<void>;
  /**
   * Calls the listener each time the comparison is saved, as at each change of an attempt.
   * @returns a function that removes the listener
   */
  follow(id: string, listener: (comparison: KeptComparison) => void): () => void;
}

export async function openComparisonList(store: Store): Promise<ComparisonList> {
  const comparisons = await openStoredMap<KeptComparison>(store, KEY, ({ id }) => id);
  const followers = new Map<(comparison: KeptComparison) => void, string>();
  return {
    all: comparisons.all,
    find(id) {
      const found = comparisons.get(id);
      if (!found || found.over) throw notFound("comparison");
      return found;
    },
    save(comparison) {
      const durable = comparisons.save(comparison.id, comparison);
      for (const [follower, id] of followers) if (id === comparison.id) follower(comparison);
      return durable;
    },
    remove: comparisons.remove,
    follow(id, listener) {
      followers.set(listener, id);
      return () => void followers.delete(listener);
    },
  };
}

/** The comparison for clients: without pictures and internal fields. */
export function toldOf({
  id,
  project,
  text,
  createdAt,
  together,
  attempts,
}: KeptComparison): Comparison {
  return {
    id,
    project,
    text,
    createdAt,
    together,
    attempts: attempts.map(({ number, model, state, project: own, problem, result }) => ({
      number,
      model,
      // Only a parallel request is merged.
      state: shownState(state) as ComparedAttempt["state"],
      project: own,
      problem,
      result,
    })),
  };
}

/** A parallel request for clients. */
export function toParallel(comparison: KeptComparison): ParallelRequest {
  const { id, text, checkpoint: base, attempts } = comparison;
  const { state = "failed", project: copy, problem, held } = attempts[0] ?? {};
  // Only an attempt of a comparison can be `over`.
  return {
    id,
    text,
    state: shownState(state) as ParallelRequest["state"],
    base,
    copy,
    problem,
    held,
  };
}
