import { ApiFailure, notFound } from "@treadle/common";
import type {
  Author,
  ReviewKind,
  ReviewState,
  ReviewSubject,
  StandingApproval,
} from "@treadle/protocol";
import { asMessage, errorSentence, sentence } from "@treadle/protocol/sentences";
import type { AccountTables } from "@treadle/store";
import type { Kysely } from "kysely";
import type { Members } from "../people/members.ts";
import type { People } from "../people/people.ts";
import { newId } from "../secret.ts";
import { reviewTransition, type ReviewEvent } from "./review-lifecycle.ts";
import { createReviewRows, type ReviewDetails, type StoredReview } from "./review-rows.ts";
import { createReviewRules, type ReviewRules } from "./review-rules.ts";

/** Maximum number of attempts to make a request while others make the same one. */
const ATTEMPTS = 5;

/** What is done for requests of one kind. */
export interface ReviewAct {
  /**
   * Carries out what was approved. Resolves with `begun` if it goes on; `settled` is then called at its end.
   * @param checkStill rejects if the approval does not hold any more; call it again before the last step
   * @throws ApiFailure with the reason why it cannot be done
   */
  apply(review: StoredReview, checkStill: () => Promise<void>): Promise<"done" | "begun">;
  /** Removes what was prepared for a request that is not carried out. */
  discard?(review: StoredReview): Promise<void>;
  /** Checks that a request can be approved. @throws ApiFailure 409 if it cannot be yet */
  checkReady?(review: StoredReview): Promise<void>;
  /** What became of an open request while the server was stopped. Absent: requests of this kind stay open. */
  outcome?(review: StoredReview): "open" | "done" | "failed";
}

export interface NewReview {
  id?: string;
  project: string;
  kind: ReviewKind;
  by: Author;
  words?: string | undefined;
  subject: ReviewSubject;
}

/** Requests that a second person has to approve. */
export interface Reviews {
  readonly rules: ReviewRules;
  /**
   * Sets what is done for each kind, and completes the requests that a stopped server left unfinished. Call once,
   * before anything is requested.
   */
  connect(acts: Record<ReviewKind, ReviewAct>): Promise<void>;
  /** Calls the listener when a request waits for somebody, with those who may answer. */
  onWaiting(listener: (review: StoredReview, answerers: { email?: string }[]) => void): void;
  newId(): string;
  /**
   * Whether the person needs a second one for this in the project; false if somebody else approved all such
   * requests.
   */
  isNeeded(project: string, kind: ReviewKind, person: string): Promise<boolean>;
  /**
   * Checks that a person may do something without a second one.
   * @throws ApiFailure 409 `needs-review` if `isNeeded`
   */
  checkDirect(project: string, kind: ReviewKind, person: string): Promise<void>;
  /**
   * Checks that somebody could approve.
   * @throws ApiFailure 409 `nobody-to-answer` if nobody but the person could
   */
  checkAnswerable(project: string, person: string): Promise<void>;
  /**
   * Makes a request, which replaces an open one for the same.
   * @param isReady whether it can be approved at once; otherwise call `ready` later
   * @throws ApiFailure 409 `nobody-to-answer`, `review-going` while the former one is carried out
   */
  request(review: NewReview, isReady: boolean): Promise<StoredReview>;
  /**
   * Call when what was prepared for a request can be looked at. A standing approval approves the request; without
   * one, the listeners of `onWaiting` are called.
   */
  ready(id: string): Promise<void>;
  /**
   * Approves a request and carries it out.
   * @param always also approves all later requests of this kind in the project
   * @throws ApiFailure 403 `own-request` for whoever asked, `not-permitted`; 404; 409 `review-answered`, or not
   * ready yet
   */
  approve(id: string, by: Author, always: boolean): Promise<void>;
  /** Refuses a request. @throws ApiFailure as `approve` */
  refuse(id: string, by: Author, words: string | undefined): Promise<void>;
  /** Withdraws a request of one's own. @throws ApiFailure 403 for anybody else; 404; 409 `review-answered` */
  withdraw(id: string, by: Author): Promise<void>;
  /** Records that an approved request was carried out, or why it failed. */
  settled(id: string, failure?: unknown): Promise<void>;
  /** Ends a request that nobody waits for any more. */
  obsolete(id: string): Promise<void>;
  get(id: string): Promise<StoredReview | undefined>;
  /** The state of a request; undefined if there is none of that id. */
  stateOf(id: string): Promise<ReviewState | undefined>;
  findOpen(project: string, kind: ReviewKind, what: readonly string[]): Promise<StoredReview | undefined>; // prettier-ignore
  /** The project's newest requests, at most 50, newest first. */
  ofProject(project: string): Promise<StoredReview[]>;
  /** Requests that wait for an answer, newest first. */
  waiting(): Promise<StoredReview[]>;
  /** Whether the person may answer the request now. */
  mayAnswer(review: StoredReview, person: string): Promise<boolean>;
  standing(project: string): Promise<StandingApproval[]>;
  /** Ends the standing approvals of a kind, whoever gave them. */
  endStanding(project: string, kind: ReviewKind): Promise<void>;
}

export function createReviews(
  db: Kysely<AccountTables>,
  { people, members, now }: { people: People; members: Members; now: () => number },
): Reviews {
  const rules = createReviewRules(db, { people, members });
  const rows = createReviewRows(db);
  const listeners = new Set<Parameters<Reviews["onWaiting"]>[0]>();
  let acts: Record<ReviewKind, ReviewAct> | undefined;
  const actOf = (kind: ReviewKind) => {
    if (!acts) throw new Error("Reviews are not connected.");
    return acts[kind];
  };

  /** Finds a request by its id. @throws ApiFailure 404 */
  async function find(id: string): Promise<StoredReview> {
    const found = await rows.get(id);
    if (!found) throw notFound("request");
    return found;
  }

  /**
   * Applies an event if the request is still in the state in which it was read.
   * @returns whether the state changed
   */
  async function send(
    review: StoredReview,
    event: ReviewEvent,
    more: Partial<ReviewDetails> = {},
  ): Promise<boolean> {
    const { state, effects } = reviewTransition(review.state, event);
    if (state === review.state) return false;
    const { by, words, subject, answer, failure } = review;
    const details: ReviewDetails = { by, words, subject, answer, failure, ...more };
    if (!(await rows.update(review, state, details))) return false;
    for (const effect of effects) await perform[effect]({ ...review, ...details, state });
    return true;
  }

  const perform = {
    async apply(review: StoredReview): Promise<void> {
      const checkStill = () => checkHolds(review);
      try {
        await checkStill();
        if ((await actOf(review.kind).apply(review, checkStill)) === "done")
          await send(review, "succeed");
      } catch (error) {
        await send(review, "fail", { failure: asMessage(errorSentence(error)) });
      }
    },
    discard: async (review: StoredReview) => actOf(review.kind).discard?.(review),
  };

  /**
   * Checks that an approval still holds.
   * @throws ApiFailure 403 if either person's role has been taken away since
   */
  async function checkHolds({ project, by, answer }: StoredReview): Promise<void> {
    const isHeld =
      answer !== undefined &&
      (await rules.may(answer.by.id, "project.review", project)) &&
      (await rules.may(by.id, "project.request", project));
    if (!isHeld) throw new ApiFailure(403, "approval-lapsed", sentence("approval-lapsed"));
  }

  /** Always throws. @throws ApiFailure 409 `review-answered`, with the name of whoever answered; 404 */
  async function failAnswered(id: string): Promise<never> {
    const name = (await find(id)).answer?.by.name;
    throw new ApiFailure(
      409,
      "review-answered",
      name === undefined ? sentence("review-ended") : sentence("review-answered", { name }),
    );
  }

  /** Checks that a person may answer a request. @throws ApiFailure 403 `own-request`, `not-permitted` */
  async function checkMayAnswer(review: StoredReview, by: Author): Promise<void> {
    if (review.by.id === by.id) throw new ApiFailure(403, "own-request", sentence("own-request"));
    if (!(await rules.may(by.id, "project.review", review.project)))
      throw new ApiFailure(403, "not-permitted", sentence("not-permitted"));
  }

  /**
   * Somebody other than the person who has approved all later requests of a kind, and still may; undefined if
   * nobody has.
   */
  async function standingFor(project: string, kind: ReviewKind, person: string) {
    for (const { kind: given, given_by: id } of await rows.standing(project))
      if (given === kind && id !== person && (await rules.may(id, "project.review", project)))
        return people.get(id);
    return undefined;
  }

  async function ready(id: string): Promise<void> {
    const review = await find(id);
    if (review.state !== "requested") return;
    const approver = await standingFor(review.project, review.kind, review.by.id);
    if (approver) {
      const by = { id: approver.id, name: approver.name };
      await send(review, "approve", { answer: { by, at: now(), standing: true } });
      return;
    }
    const answerers = await rules.answerers(review.project, review.by.id);
    for (const listener of listeners) listener(review, answerers);
  }

  const isNeeded = async (project: string, kind: ReviewKind, person: string) =>
    (await rules.kindsIn(project)).includes(kind) &&
    (await standingFor(project, kind, person)) === undefined;

  async function checkAnswerable(project: string, person: string): Promise<void> {
    if ((await rules.answerers(project, person)).length === 0)
      throw new ApiFailure(409, "nobody-to-answer", sentence("nobody-to-answer"));
  }

  return {
    rules,
    isNeeded,
    checkAnswerable,
    ready,
    newId,
    get: rows.get,
    stateOf: async (id) => (await rows.get(id))?.state,
    findOpen: rows.findOpen,
    ofProject: rows.ofProject,
    waiting: rows.waiting,
    endStanding: rows.removeStanding,
    onWaiting: (listener) => void listeners.add(listener),
    async connect(given) {
      acts = given;
      for (const review of await rows.open()) {
        const outcome = acts[review.kind].outcome?.(review) ?? "open";
        if (outcome === "failed")
          await send(review, "fail", { failure: asMessage(sentence("release-cut-off")) });
        else if (review.state === "approved")
          await (outcome === "done" ? send(review, "succeed") : perform.apply(review));
      }
    },
    async checkDirect(project, kind, person) {
      if (await isNeeded(project, kind, person))
        throw new ApiFailure(409, "needs-review", sentence("needs-review"));
    },
    async request({ id = newId(), project, kind, by, words, subject }, isReady) {
      await checkAnswerable(project, by.id);
      const review = { id, project, kind, state: "requested", by, at: now(), words, subject } as const; // prettier-ignore
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const former = await rows.findOpen(project, kind, subject.what);
        if (former?.state === "approved") break;
        if (former) await send(former, "overtake");
        if (!(await rows.insert(review))) continue;
        if (isReady) await ready(id);
        return find(id);
      }
      throw new ApiFailure(409, "review-going", sentence("review-going"));
    },
    async approve(id, by, always) {
      const review = await find(id);
      await checkMayAnswer(review, by);
      if (review.state !== "requested") return failAnswered(id);
      await actOf(review.kind).checkReady?.(review);
      if (!(await send(review, "approve", { answer: { by, at: now() } }))) return failAnswered(id);
      const { project, kind } = review;
      if (always) await rows.addStanding({ project, kind, given_by: by.id, given_at: now() });
    },
    async refuse(id, by, words) {
      const review = await find(id);
      await checkMayAnswer(review, by);
      if (!(await send(review, "refuse", { answer: { by, at: now(), words } })))
        return failAnswered(id);
    },
    async withdraw(id, by) {
      const review = await find(id);
      if (review.by.id !== by.id)
        throw new ApiFailure(403, "not-permitted", sentence("not-permitted"));
      if (!(await send(review, "withdraw"))) return failAnswered(id);
    },
    async settled(id, failure) {
      const review = await rows.get(id);
      if (!review) return;
      if (failure === undefined) await send(review, "succeed");
      else await send(review, "fail", { failure: asMessage(errorSentence(failure)) });
    },
    async obsolete(id) {
      const review = await rows.get(id);
      if (review) await send(review, "overtake");
    },
    mayAnswer: async (review, person) =>
      review.state === "requested" &&
      review.by.id !== person &&
      rules.may(person, "project.review", review.project),
    standing: async (project) =>
      Promise.all(
        (await rows.standing(project)).map(async ({ kind, given_by: id, given_at: at }) => ({
          kind,
          by: { id, name: (await people.get(id))?.name ?? "" },
          at,
        })),
      ),
  };
}
