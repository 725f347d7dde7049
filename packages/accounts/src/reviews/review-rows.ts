import type { Review, ReviewKind, ReviewState } from "@treadle/protocol";
import type { AccountTables } from "@treadle/store";
import type { Kysely } from "kysely";
import { OPEN_STATES } from "./review-lifecycle.ts";

/** Maximum number of requests of a project that are listed. */
const LISTED = 50;

/** A request without the fields that depend on who reads it. */
export type StoredReview = Omit<Review, "projectName" | "mayAnswer" | "isOwn">;
export type ReviewDetails = Pick<StoredReview, "by" | "words" | "subject" | "answer" | "failure">;

/** The rows of requests and standing approvals. */
export interface ReviewRows {
  get(id: string): Promise<StoredReview | undefined>;
  /** The open request for exactly this; undefined if there is none. */
  findOpen(project: string, kind: ReviewKind, what: readonly string[]): Promise<StoredReview | undefined>; // prettier-ignore
  /** Adds a request. @returns false if one for the same is open */
  insert(review: StoredReview): Promise<boolean>;
  /** Changes a request if it is still in the state in which it was read. @returns whether it was */
  update(review: StoredReview, state: ReviewState, details: ReviewDetails): Promise<boolean>;
  /** All requests that have not ended. */
  open(): Promise<StoredReview[]>;
  /** Requests that wait for an answer, newest first. */
  waiting(): Promise<StoredReview[]>;
  /** At most 50, newest first. */
  ofProject(project: string): Promise<StoredReview[]>;
  addStanding(row: AccountTables["standing_approvals"]): Promise<void>;
  /** Oldest first. */
  standing(project: string): Promise<AccountTables["standing_approvals"][]>;
  removeStanding(project: string, kind: ReviewKind): Promise<void>;
}

const keyOf = (what: readonly string[]) => what.join("\n");

export function createReviewRows(db: Kysely<AccountTables>): ReviewRows {
  const rows = () => db.selectFrom("reviews").selectAll();
  const newestFirst = () => rows().orderBy("asked_at", "desc");
  return {
    async get(id) {
      const row = await rows().where("id", "=", id).executeTakeFirst();
      return row && toReview(row);
    },
    async findOpen(project, kind, what) {
      const row = await rows()
        .where("project", "=", project)
        .where("kind", "=", kind)
        .where("subject", "=", keyOf(what))
        .where("state", "in", [...OPEN_STATES])
        .executeTakeFirst();
      return row && toReview(row);
    },
    async insert({ id, project, kind, state, at, ...details }) {
      const inserted = await db
        .insertInto("reviews")
        .values({
          id,
          project,
          kind,
          subject: keyOf(details.subject.what),
          state,
          asked_by: details.by.id,
          asked_at: at,
          answered_by: null,
          details: JSON.stringify(details satisfies ReviewDetails),
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    async update(review, state, details) {
      const updated = await db
        .updateTable("reviews")
        .set({
          state,
          answered_by: details.answer?.by.id ?? null,
          details: JSON.stringify(details),
        })
        .where("id", "=", review.id)
        .where("state", "=", review.state)
        .executeTakeFirst();
      return updated.numUpdatedRows > 0n;
    },
    open: async () =>
      (
        await rows()
          .where("state", "in", [...OPEN_STATES])
          .execute()
      ).map(toReview),
    waiting: async () =>
      (await newestFirst().where("state", "=", "requested").execute()).map(toReview),
    ofProject: async (project) =>
      (await newestFirst().where("project", "=", project).limit(LISTED).execute()).map(toReview),
    async addStanding(row) {
      await db
        .insertInto("standing_approvals")
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    standing: (project) =>
      db
        .selectFrom("standing_approvals")
        .selectAll()
        .where("project", "=", project)
        .orderBy("given_at")
        .execute(),
    async removeStanding(project, kind) {
      await db
        .deleteFrom("standing_approvals")
        .where("project", "=", project)
        .where("kind", "=", kind)
        .execute();
    },
  };
}

function toReview(row: AccountTables["reviews"]): StoredReview {
  const { id, project, kind, state, asked_at: at, details } = row;
  return { id, project, kind, state, at, ...(JSON.parse(details) as ReviewDetails) };
}
