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

/** Attempts to make a request while others make the same one. */
const ATTEMPTS = 5;

/** What a kind of request does. */
export interface ReviewAct {
  /**
   * Carries out what was approved. `begun`: `settled` is called when it has ended.
   * @param checkStill rejects if the approval does not hold any more; to be called again before the last step
   * @throws ApiFailure with the reason why it cannot be done
   */
  apply(review: StoredReview, checkStill: () => Promise<void>): Promise<"done" | "begun">;
  /** Removes what was prepared for a request that is not carried out. */
  discard?(review: StoredReview): Promise<void>;
  /** @throws ApiFailure 409 if it cannot be approved yet */
  checkReady?(review: StoredReview): Promise<void>;
  /** What has become of an open request while the server was stopped; absent: nothing. */
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
  /** Sets what the kinds do, once the services that do it are there, and ends what a stopped server left open. */
  connect(acts: Record<ReviewKind, ReviewAct>): Promise<void>;
  /** Calls the listener when a request waits for somebody, with those who may answer. */
  onWaiting(listener: (review: StoredReview, answerers: { email?: string }[]) => void): void;
  newId(): string;
  /** Whether a person needs a second one for this in the project. */
  isNeeded(project: string, kind: ReviewKind, person: string): Promise<boolean>;
  /** @throws ApiFailure 409 `needs-review` */
  checkDirect(project: string, kind: ReviewKind, person: string): Promise<void>;
  /** @throws ApiFailure 409 `nobody-to-answer` if nobody but the person could approve it */
  checkAnswerable(project: string, person: string): Promise<void>;
  /**
   * Makes a request, which overtakes an open one for the same.
   * @param isReady whether it can be approved at once
   * @throws ApiFailure 409 `nobody-to-answer`, `review-going` while the former one is carried out
   */
  request(review: NewReview, isReady: boolean): Promise<StoredReview>;
  /** What was prepared for a request can be looked at. */
  ready(id: string): Promise<void>;
  /**
   * @throws ApiFailure 403 `own-request` for whoever asked, `not-permitted`; 404; 409 `review-answered`, or not ready yet
   */
  approve(id: string, by: Author, always: boolean): Promise<void>;
  /** @throws ApiFailure as `approve` */
  refuse(id: string, by: Author, words: string | undefined): Promise<void>;
  /** @throws ApiFailure 403 for anybody else; 404; 409 `review-answered` */
  withdraw(id: string, by: Author): Promise<void>;
  /** It was carried out, or could not be. */
  settled(id: string, failure?: unknown): Promise<void>;
  /** Nobody waits for it any more. */
  obsolete(id: string): Promise<void>;
  get(id: string): Promise<StoredReview | undefined>;
  /** Undefined if there is none. */
  stateOf(id: string): Promise<ReviewState | undefined>;
  findOpen(project: string, kind: ReviewKind, what: readonly string[]): Promise<StoredReview | undefined>; // prettier-ignore
  /** Newest first. */
  ofProject(project: string): Promise<StoredReview[]>;
  /** Requests that wait for an answer, newest first. */
  waiting(): Promise<StoredReview[]>;
  /** Whether the person may answer it now. */
  mayAnswer(review: StoredReview, person: string): Promise<boolean>;
  standing(project: string): Promise<StandingApproval[]>;
  /** Takes standing approvals of a kind back, whoever gave them. */
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

  /** @throws ApiFailure 404 */
  async function find(id: string): Promise<StoredReview> {
    const found = await rows.get(id);
    if (!found) throw notFound("request");
    return found;
  }

  /** Applies an event if the request is still in the state in which it was read. @returns whether it counted */
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

  /** @throws ApiFailure 403 if either person's role has been taken away since */
  async function checkHolds({ project, by, answer }: StoredReview): Promise<void> {
    const isHeld =
      answer !== undefined &&
      (await rules.may(answer.by.id, "project.review", project)) &&
      (await rules.may(by.id, "project.request", project));
    if (!isHeld) throw new ApiFailure(403, "approval-lapsed", sentence("approval-lapsed"));
  }

  /** @throws ApiFailure 409, with whoever answered */
  async function failAnswered(id: string): Promise<never> {
    const name = (await find(id)).answer?.by.name;
    throw new ApiFailure(
      409,
      "review-answered",
      name === undefined ? sentence("review-ended") : sentence("review-answered", { name }),
    );
  }

  /** @throws ApiFailure 403 */
  async function checkMayAnswer(review: StoredReview, by: Author): Promise<void> {
    if (review.by.id === by.id) throw new ApiFailure(403, "own-request", sentence("own-request"));
    if (!(await rules.may(by.id, "project.review", review.project)))
      throw new ApiFailure(403, "not-permitted", sentence("not-permitted"));
  }

  /** Whoever has approved all later requests of a kind, other than the person. */
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
