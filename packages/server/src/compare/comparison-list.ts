import type { ComparedAttempt, Comparison, HeldReason, ParallelRequest } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import { notFound, openStoredMap } from "@treadle/common";
import type { MessageToSend } from "../projects/types.ts";
import { shownState, type AttemptPhase } from "./attempt-lifecycle.ts";

const KEY = "comparisons";

/** What every attempt of a comparison goes by, besides what it is asked. */
export interface AttemptTerms extends Pick<MessageToSend, "approve" | "limits"> {
  /** Hosts that each may reach besides the registry. */
  hosts?: readonly string[];
}

/** An attempt as it is kept. */
export interface KeptAttempt extends Omit<ComparedAttempt, "state"> {
  state: AttemptPhase;
  /** The run of what it was asked. */
  run?: string;
  /** Number of its log's last entry before that: what came of it follows from there. */
  after?: number;
  /** Why a parallel request was not merged. */
  held?: HeldReason;
  /** The person wants it merged as it is. */
  isOver?: boolean;
  /** The checkpoint of the copy that its turn left, while the copy is merged with the project to be checked. */
  tip?: string;
}

/** A comparison as it is kept. */
export interface KeptComparison extends Omit<Comparison, "attempts"> {
  attempts: KeptAttempt[];
  /** A request in parallel to the project's own work: it has one attempt, which is merged into the project. */
  parallel?: true;
  /** Checkpoint of the project that each is a copy of. */
  checkpoint?: string;
  /** Sent with it, as base64. */
  pictures?: string[];
  /** What every attempt goes by. */
  terms?: AttemptTerms;
  /** One was kept, or none is wanted: what is left of it goes. */
  over?: true;
}

/** The comparisons that go on: in memory, and in the store as they were last kept. */
export interface ComparisonList {
  all(): readonly KeptComparison[];
  /** @throws ApiFailure 404 */
  find(id: string): KeptComparison;
  /** Adds it, or keeps what became of it; resolves when that is durable. */
  save(comparison: KeptComparison): Promise<void>;
  remove(id: string): Promise<void>;
  /** Tells of each time that one of them became another. @returns what ends it */
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

/** What is told of it: neither the pictures nor what only the server goes by. */
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

/** A parallel request as it is shown. */
export function toParallel(comparison: KeptComparison): ParallelRequest {
  const { id, text, checkpoint: base, attempts } = comparison;
  const { state = "failed", project: copy, problem, held } = attempts[0] ?? {};
  // Only an attempt of a comparison is `over`.
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
