import { useQuery } from "@tanstack/react-query";
import type { ProjectReviews, Review, ReviewKind, ReviewRule, ToolTrust } from "@treadle/protocol";
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

/** Open requests that the person may answer, and their own; undefined on a server without accounts. */
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

/** The requests of a project, and what needs one of the person; undefined on a server without accounts. */
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

type Asked =
  | { kind: "publish"; name?: string | undefined; words?: string | undefined }
  | { kind: "host"; host: string }
  | { kind: "tool-server"; trust: ToolTrust };

export const askFor = (project: string, asked: Asked) =>
  sendJson<Review>("POST", apiPath(project), asked);

/** What the server answers to somebody who may not do something alone, or not at all. */
const ASKS = new Set(["needs-review", "not-permitted"]);

/**
 * Does something or, if that needs a second person, asks for it.
 * @returns what it returned; undefined if it was asked for
 */
export async function doOrAsk<Result>(
  work: () => Promise<Result>,
  project: string | undefined,
  asked: Asked,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (project === undefined || !(error instanceof ApiFailure) || !ASKS.has(error.code))
      throw error;
    try {
      await askFor(project, asked);
    } catch (refused) {
      // Where nothing needs a second person, the first answer counts.
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
/** Opens a copy of what would be published. */
export const tryReview = (review: Review) =>
  sendJson<{ address: string }>("POST", reviewPath(review, "trial"));
export const endStanding = (project: string, kind: ReviewKind) =>
  sendJson("DELETE", `/api/projects/${encodeURIComponent(project)}/standing-approvals/${kind}`);

export const REVIEW_RULES_KEY = ["review-rules"] as const;
export const readReviewRules = (signal?: AbortSignal) =>
  getJson<{ rules: ReviewRule[] }>("/api/review-rules", signal);
export const setReviewRule = ({ team, kinds }: ReviewRule) =>
  sendJson("PUT", `/api/review-rules/${encodeURIComponent(team)}`, { kinds });
