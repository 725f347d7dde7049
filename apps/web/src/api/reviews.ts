import { useQuery } from "@tanstack/react-query";
import type { NewReview, ProjectReviews, Review, ReviewKind, ReviewRule } from "@treadle/protocol";
import { useMe } from "./account.ts";
import { ApiFailure, getJson, sendJson } from "./request.ts";

/** How often requests are read again, in milliseconds. */
const POLL_MS = 10_000;

const apiPath = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}/reviews${rest}`;
const reviewPath = ({ project, id }: Pick<Review, "project" | "id">, rest: string) =>
  apiPath(project, `/${encodeURIComponent(id)}/${rest}`);

export const OPEN_REVIEWS_KEY = ["reviews"] as const;
export const projectReviewsKey = (project: string) => ["reviews", project] as const;

/**
 * Open requests that the person may answer, and their own. Undefined until loaded, and on a server without accounts.
 */
export function useOpenReviews(): { reviews: Review[] } | undefined {
  const isTeam = useMe()?.accounts === true;
  const { data } = useQuery({
    queryKey: OPEN_REVIEWS_KEY,
    queryFn: ({ signal }) => getJson<{ reviews: Review[] }>("/api/reviews", signal),
    enabled: isTeam,
    refetchInterval: POLL_MS,
  });
  return data;
}

/**
 * The requests of a project, and the actions for which the person has to make one. Undefined until loaded, and on a
 * server without accounts.
 */
export function useProjectReviews(project: string): ProjectReviews | undefined {
  const isTeam = useMe()?.accounts === true;
  const { data } = useQuery({
    queryKey: projectReviewsKey(project),
    queryFn: ({ signal }) => getJson<ProjectReviews>(apiPath(project), signal),
    enabled: isTeam,
    refetchInterval: POLL_MS,
  });
  return data;
}

export const askFor = (project: string, asked: NewReview) =>
  sendJson<Review>("POST", apiPath(project), asked);

/** Error codes for an action that the person may not do alone, or not at all. */
const ASKS = new Set(["needs-review", "not-permitted"]);

/**
 * Calls `work`. If the server refuses the person, requests the action from a second person instead.
 * @returns the result of `work`; undefined if the action was requested
 * @throws ApiFailure the error of `work` if no second person can approve it, or that of the request
 */
export async function doOrAsk<Result>(
  work: () => Promise<Result>,
  project: string | undefined,
  asked: NewReview,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (project === undefined || !(error instanceof ApiFailure) || !ASKS.has(error.code))
      throw error;
    try {
      await askFor(project, asked);
    } catch (refused) {
      // If the action never needs a second person, the error of the action itself explains more.
      throw refused instanceof ApiFailure && refused.code === "no-review" ? error : refused;
    }
    return undefined;
  }
}

export const approve = (review: Review, always: boolean) =>
  sendJson<Review>("POST", reviewPath(review, "answer"), { kind: "approve", always });
export const refuse = (review: Review, words: string) =>
  sendJson<Review>("POST", reviewPath(review, "answer"), { kind: "refuse", words });
export const withdraw = (review: Review) => sendJson("POST", reviewPath(review, "withdraw"));
/** Starts a copy of what would be published. Resolves with its address. */
export const tryReview = (review: Review) =>
  sendJson<{ address: string }>("POST", reviewPath(review, "trial"));
export const endStanding = (project: string, kind: ReviewKind) =>
  sendJson("DELETE", `/api/projects/${encodeURIComponent(project)}/standing-approvals/${kind}`);

export const REVIEW_RULES_KEY = ["review-rules"] as const;
export const readReviewRules = (signal?: AbortSignal) =>
  getJson<{ rules: ReviewRule[] }>("/api/review-rules", signal);
export const setReviewRule = ({ team, kinds }: ReviewRule) =>
  sendJson("PUT", `/api/review-rules/${encodeURIComponent(team)}`, { kinds });
